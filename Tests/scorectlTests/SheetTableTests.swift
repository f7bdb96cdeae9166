import SessionCRDT
import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite("The table of a score sheet")
struct SheetTableTests {
    private func cards(_ count: Int) -> ShowReply {
        let players = (1...count).map { seat in
            let card = ShownCell(
                row: "card",
                value: .text("white orange tan brown black"),
                by: "ann-laptop",
                at: Sample.time()
            ).with { $0.points = 0 }
            return Sample.player("Player \(seat)", seat: seat, [card], rank: seat)
        }
        var show = Sample.show(players)
        show.context.rows = [ShownRow(row: "card", label: "Card")]
        return show
    }

    @Test("shows a long text whole: in the free width, else in several lines")
    func texts() {
        let wide = SheetTable(cards(2), columns: 120).lines.map(\.text)
        #expect(wide.count { $0.contains("white orange tan brown black") } == 1, "\(wide)")
        let narrow = SheetTable(cards(2), columns: 50).lines.map(\.text)
        #expect(
            Array(narrow.dropFirst(1).prefix(2)) == [
                "  Card   white orange tan   white orange tan",
                "              brown black        brown black",
            ]
        )
        for columns in [60, 80, 120] {
            let lines = SheetTable(cards(3), columns: columns).lines
            #expect(lines.allSatisfy { $0.width <= columns && !$0.text.contains("…") })
        }
    }

    @Test("shows of a team whose members entered the same cell only what counts")
    func uncounted() {
        let players = [("Ann", 60 as Int64), ("Cem", 70)].enumerated().map { index, player in
            Sample.player(player.0, seat: index + 1, [Sample.cell(1, player.1)], rank: 1)
                .with { $0.team = "Reds" }
        }
        var show = Sample.show(players)
        show.context.teams = "together"
        func texts() -> [[String]] {
            show.scorers.map { $0.cells.map { $0.text ?? $0.value.description } }
        }
        #expect(texts() == [["60+70"]])
        show.document.flags = [
            ShownFlag(player: players[0].id, row: "round", round: 1, reason: "Cem's counts")
        ]
        #expect(texts() == [["70"]])
    }

    @Test("adds to a team what a member had entered who was removed")
    func removedMember() {
        let players = [("Ann", 3 as Int64), ("Cem", 4)].enumerated().map { index, player in
            Sample.player(player.0, seat: index + 1, [Sample.cell(1, player.1)], rank: 1)
                .with { ($0.team, $0.removed) = (index == 0 ? "Reds" : "reds", index == 1) }
        }
        var show = Sample.show(players)
        show.context.teams = "together"
        #expect(show.scorers.map { $0.cells.map(\.text) } == [["3+4"]])
    }

    @Test("puts as many players beside each other as fit")
    func widestBlocks() {
        let players = (1...23).map {
            Sample.player("Player \($0)", seat: $0, [Sample.cell(1, 7)], rank: 1)
        }
        for columns in [40, 80, 120] {
            let blocks = players.inBlocks(columns: columns) { block in
                [Line(block.map { "\($0.name) " }.joined())]
            }
            #expect(blocks.allSatisfy { $0[0].width <= columns })
            let names = blocks.map { $0[0].text.split(separator: " ").count / 2 }
            #expect(names.reduce(0, +) == 23)
            // The first name of the next block would not have fitted.
            for (block, next) in zip(blocks, blocks.dropFirst()) {
                let first = next[0].text.prefix { $0 != " " }.count
                #expect(block[0].width + first + 1 > columns - 3, "\(columns)")
            }
        }
    }

    @Test("marks the rounds that are left out")
    func gaps() {
        var show = Sample.friday
        show.context.rows = [1, 2, 12, 1001].map { (number: Int) in
            ShownRow(row: "round", round: number, label: "Round \(number)")
        }
        let lines = SheetTable(show, columns: 80).lines.map(\.text)
        let labels = lines.map { $0.drop { $0 == " " } }.compactMap { line -> String? in
            if line.hasPrefix("…") { return "…" }
            guard line.hasPrefix("Round") else { return nil }
            return line.split(separator: " ").prefix(2).joined(separator: " ")
        }
        #expect(labels == ["Round 1", "Round 2", "…", "Round 12", "…", "Round 1001"], "\(lines)")
    }

    @Test("folds rows of players in blocks, so that all totals are visible")
    func blocks() {
        let players = (1...7).map { seat in
            let cells = (1...11).map { Sample.cell($0, Int64($0 * 1000)) }
            return Sample.player("Player \(seat)", seat: seat, cells, rank: seat)
        }
        let page = SheetPage(
            show: Sample.show(players, rounds: 11),
            form: PageFormat(columns: 60),
            now: Sample.now
        )
        let whole = page.lines
        let totals = whole.count { $0.text.hasPrefix("  Total") }
        #expect(totals > 1)
        for rows in [22, 30, whole.count - 1] {
            let low = page.lines(within: rows)
            #expect(low.count <= rows, "\(low.map(\.text))")
            let text = low.map(\.text).joined(separator: "\n")
            for player in players { #expect(text.contains(player.name), "\(text)") }
            #expect(text.contains("Total") && text.contains("rows above"), "\(text)")
        }
        #expect(page.lines(within: whole.count).count == whole.count)
        // If it cannot fit, as few rows as possible are before the totals.
        #expect(page.lines(within: 3).count < whole.count)
    }
}
