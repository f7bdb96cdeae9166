import SessionCRDT
import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite("The page of a score sheet")
struct SheetPageTests {
    private func text(_ show: ShowReply, columns: Int) -> String {
        SheetPage(show: show, form: PageFormat(columns: columns), now: Sample.now).lines.map {
            $0.text + "\n"
        }.joined()
    }

    @Test("folds the oldest rows on a low terminal and keeps everything else in sight")
    func folding() {
        let page = SheetPage(show: Sample.friday, form: PageFormat(columns: 80), now: Sample.now)
        let rows = page.lines.count - 1
        let low = page.lines(within: rows).map(\.text)
        #expect(low.count == rows)
        #expect(low.contains { $0.hasPrefix("  2 rows above") })
        #expect(low.contains { $0.hasPrefix("  Round 3") })
        #expect(!low.contains { $0.hasPrefix("  Round 2") })
        #expect(low.contains { $0.hasPrefix("  Total") })
        #expect(low.last == page.lines.last?.text)
    }

    @Test("uses the game's label for totals")
    func totalLabel() {
        var show = Sample.friday
        show.context.totalLabel = "Legs"
        #expect(text(show, columns: 80).contains("\n  Legs     146★   15     52\n"))
    }

    @Test("shows totals, ranks, leaders, conflicts and peers")
    func golden() {
        let expected = """
            Friday · Rounds · open · ★ Ann leads

                       Ann   Bob   张伟
                             you
              Round 1   15    20     12*
              Round 2   30    -5     40
              Round 3  101     ·      ·
              ─────────────────────────
              Total    146★   15     52
              Rank       1     3      2

              * conflict: several laptops wrote different values; resolve with
                scorectl resolve 张伟 round.1 12
                  (12 by ann-laptop or 14 by bob-laptop)

              Removed: Dan

              ● ann-laptop      synced
              ○ bob-laptop      last seen 3 min ago
              ○ 10.0.0.9:47615  not reached yet
              3 of your scores are not on any other laptop yet.

            """
        #expect(text(Sample.friday, columns: 80) == expected)
        #expect(text(Sample.friday, columns: 120) == expected)
    }

    @Test("shows players as rows, by rank, if columns are too wide")
    func rows() {
        let players = (1...9).map { seat in
            let cells = [Sample.cell(1, Int64(seat * 7)), Sample.cell(2, -3)]
            return Sample.player("Player \(seat)", seat: seat, cells, rank: 10 - seat)
        }
        let show = Sample.show(players, rounds: 2)
        let page = text(show, columns: 80)
        #expect(page.contains("Rank  Player"))
        let order = (1...9).compactMap { page.firstRange(of: "Player \($0)")?.lowerBound }
        #expect(order == order.sorted(by: >))
        #expect(page.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 80 })
        #expect(text(show, columns: 140).contains("Round 1"))
    }

    /// A game of counts with a row that is worked out, one that does not score and an empty one.
    private var farm: ShowReply {
        func cell(_ row: String, _ value: Scalar, _ count: Points?, _ points: Points) -> ShownCell {
            ShownCell(row: row, value: value, by: "ann-laptop", at: Sample.time()).with {
                $0.count = count
                $0.points = points
            }
        }
        let ann = ShownPlayer(id: "id-Ann", name: "Ann", seat: 1).with {
            $0.total = 18
            $0.rank = 1
            $0.tieBreak = "tied at 18, Resources left 5"
            $0.cells = [
                cell("sheep", .integer(8), 8, 4), cell("cards", .text("2+3"), 5, 5),
                cell("material", .text("stone"), nil, 0), cell("token", .boolean(true), nil, 4),
                cell("left", .integer(5), 5, 0),
            ]
            $0.computed = [ShownPoints(row: "house", points: 8)]
        }
        var bob = ann
        (bob.id, bob.name, bob.seat, bob.rank) = ("id-Bob", "Bob", 2, 2)
        bob.tieBreak = "tied at 18, Resources left 4"
        bob.cells = [cell("cards", .integer(19), 19, 19), cell("left", .integer(4), 4, 0)]
        bob.computed = [ShownPoints(row: "sheep", points: -1)]
        var show = Sample.show([ann, bob])
        show.context.rows = [
            ShownRow(row: "sheep", label: "Sheep"), ShownRow(row: "cards", label: "Cards"),
            ShownRow(row: "material", label: "House of").with { $0.scores = false },
            ShownRow(row: "house", label: "House").with { $0.computed = true },
            ShownRow(row: "token", label: "Agriculture"),
            ShownRow(row: "left", label: "Resources left").with { $0.scores = false },
        ]
        return show
    }

    @Test(
        "shows points next to counts, sums as numbers, computed rows, and reasons of tie-breaks"
    )
    func farmTable() {
        let expected = """
                                  Ann    Bob
                                         you
              Sheep             8 → 4   → -1
              Cards                 5     19
              House of          stone      ·
              House                 8      ·
              Agriculture     yes → 4      ·
              Resources left        5      4
              ──────────────────────────────
              Total                18★    18
              Rank                  1      2
              Ann: tied at 18, Resources left 5
              Bob: tied at 18, Resources left 4

            """
        for columns in [40, 80, 120] {
            let table = SheetTable(farm, columns: columns).lines.map { $0.text + "\n" }.joined()
            #expect(table == expected, "\(table)")
        }
    }

    @Test("stays readable in narrow terminals", arguments: [24, 30, 40, 60])
    func narrow(columns: Int) {
        let lines = SheetTable(farm, columns: columns).lines
        #expect(lines.allSatisfy { $0.width <= columns }, "\(lines.map(\.text))")
        for word in ["Sheep", "Total", "Ann", "Bob"] {
            #expect(lines.contains { $0.text.contains(word) })
        }
    }

    @Test("splits columns into blocks if neither layout fits")
    func blocks() {
        let players = (1...9).map { seat in
            let cells = (1...20).map { Sample.cell($0, Int64($0)) }
            return Sample.player("Player \(seat)", seat: seat, cells, rank: seat)
        }
        let page = text(Sample.show(players, rounds: 20), columns: 60)
        #expect(page.split(separator: "\n").count { $0.contains("Total") } > 1)
        #expect(page.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 60 })
        for seat in 1...9 { #expect(page.contains("Player \(seat)")) }
    }

    @Test("shows what to do if it is empty")
    func empty() {
        var show = Sample.show([])
        show.context.peers = []
        show.context.unsynced = 0
        let page = text(show, columns: 80)
        #expect(page.contains("scorectl player add") && page.contains("scorectl session invite"))
    }

    @Test("shows winners, invalid scores and unsynced scores")
    func remarks() {
        var show = Sample.friday
        show.document.players[0].winner = true
        show.document.flags = [
            ShownFlag(player: "id-Bob", row: "round", round: 2, reason: "more than one hundred")
        ]
        show.context.offline = true
        show.context.unsynced = 1
        show.context.notes = ["Hello."]
        let page = text(show, columns: 80)
        #expect(page.contains("★ Ann has won"))
        #expect(page.contains("! Bob round.2: more than one hundred"))
        #expect(page.contains("-5!"))
        #expect(page.contains("offline. Go online: scorectl daemon online"))
        #expect(page.contains("1 of your scores is not on any other laptop yet."))
        #expect(page.contains("  Hello.\n"))
    }

    @Test("stays in its columns with long and wide names")
    func wide() {
        let players = ["张伟张伟张伟张伟张伟", "Maximiliana-Theodora the First", "👍"].enumerated().map {
            Sample.player($1, seat: $0 + 1, [Sample.cell(1, 5)], rank: 1)
        }
        let lines = SheetTable(Sample.show(players, rounds: 1), columns: 80).lines
        let round = lines.first { $0.text.contains("Round 1") }
        let total = lines.first { $0.text.contains("Total") }
        #expect(round?.width == (total?.width ?? 0) - 1)
        #expect(lines.allSatisfy { $0.width <= 80 })
    }

    @Test(
        "shows ages in words",
        arguments: [
            (0, "just now"), (3, "3 min ago"), (90, "1 h ago"), (60 * 30, "yesterday"),
            (60 * 24 * 5, "5 days ago"), (-5, "just now"),
        ] as [(Int64, String)]
    )
    func ago(minutes: Int64, text: String) {
        #expect(Ago.text(Sample.time(minutesAgo: minutes), now: Sample.now) == text)
    }

    @Test("reads times back to the millisecond")
    func time() {
        #expect(Sample.time().description == "2026-11-20T19:04:05.123Z")
        for milliseconds: UInt64 in [0, 951_782_400_001, 4_102_444_799_999, 1_709_164_800_500] {
            let text = Timestamp(milliseconds: milliseconds).description
            #expect(Timestamp(text)?.milliseconds == Int64(milliseconds))
        }
    }
}
