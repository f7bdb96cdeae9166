import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept match of two sides, on random matches and hostile books")
struct SportKeptTests {
    private static let seeds = Seeds.below(20)
    private static let options = ["points", "order", "server", "x"].compactMap { Symbol($0) }

    /// Somebody who plays, corrects and spoils a match at random.
    private struct Random: RandomPlayer {
        var garbage: Garbage
        var generator: SeededGenerator
        let rules: any GameRules

        init(seed: UInt64) throws {
            garbage = Garbage(seed: seed)
            generator = SeededGenerator(seed: seed)
            let sports = KnownSport.allCases
            let sport = sports[Int(seed % UInt64(sports.count))]
            rules = try SheetLibrary.builtIn.sheet(named: sport.rawValue).rules
        }

        mutating func table() -> Table {
            var table = Table()
            table.players = players()
            let mode = "best=3 points=3 lead=2 cap=4 last=2 games=2 tie-break=2 final=long most=1"
            let sets: [(StaticString, Value)] = [
                ("best", .integer(Int64(1 + below(4)))), ("points", .integer(Int64(1 + below(4)))),
                ("lead", .integer(1)), ("games", .integer(2)), ("tie-break", .integer(2)),
                ("final", .text("short")), ("final", .text("advantage")), ("most", .integer(2)),
                ("server", .text("second")), ("points", .text("x")),
                ("set-by", .text("receiver")), ("set-to", .integer(0)),
                ("order", .text("1 \(player(1)) \(player(2));5 \(player(2)) \(player(3))")),
                ("order", .text("1 \(player(2))")), ("order", .text("no order")),
                ("order", .text("\(mode);1 \(player(2)) \(player(1))")),
            ]
            for (name, value) in sets where below(2) == 0 {
                table.options[Symbol(known: name)] = value
            }
            return table
        }

        mutating func value() -> Value {
            .text(["1", "1", "1", "2", "6", "01", "", "x", "set one", "set two"][below(10)])
        }

        mutating func cell() -> Cell {
            cell(
                in: "point",
                or: "visit",
                upTo: 14,
                strange: [nil, 0, 999, 1_000_000, 1_000_001, .max]
            )
        }

        mutating func words() -> [String] {
            [
                ["P1"], ["P2"], ["P3"], ["P1", "2"], ["1"], ["point"], ["x"], [], ["set two"],
            ][below(9)]
        }
    }

    @Test("hostile books, changed in batches", arguments: seeds)
    func hostile(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var law = KeptGameLaw(random.table(), random.rules)
        for step in 0..<60 {
            random.spoil(&law, Self.options, "seed \(seed), step \(step)")
            let standings = law.standings
            for line in standings.players {
                for cell in line.cells where cell.points == nil && cell.bookCell.value != .null {
                    let place = Flag.Subject.cell(cell.bookCell.cell)
                    #expect(standings.flags.contains { $0.subject == place }, "seed \(seed)")
                }
            }
            // One entry of each point counts, and there are no gaps between them.
            let counted = standings.players.flatMap(\.cells).filter { $0.points != nil }
            let points = counted.compactMap(\.bookCell.cell.round).sorted()
            #expect(points == Array(1..<UInt32(points.count + 1)), "seed \(seed)")
        }
    }

    @Test("long matches, with corrections anywhere", arguments: Seeds.below(6))
    func long(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var table = Table("Ann", "Bob")
        var law = KeptGameLaw(table, random.rules)
        for step in 0..<150 {
            let comment: Comment = "seed \(seed), step \(step)"
            var cells: [Cell: LiveSet] = [:]
            var aids = MoveContext(random: SeededGenerator(seed: 1))
            let words = [["Ann", "Bob"][random.below(2)]]
            let count = seed % 6 == 5 ? ["2"] : []
            let played = try? law.state.play(
                Move(words + count),
                in: law.table.book,
                with: &aids
            )
            if step == 0, let played {
                table.options = played.options
                law = KeptGameLaw(table, random.rules)
            }
            for score in played?.writes ?? [] {
                cells[score.cell] = LiveSet(random.garbage.entry(score.value))
            }
            if random.below(15) == 0 {
                let written = law.table.cells.keys.sorted()
                let cell = written.isEmpty ? random.cell() : written[random.below(written.count)]
                let other = Cell(
                    player: player(3 - cell.player.low),
                    row: cell.row,
                    round: cell.round
                )
                cells[random.below(2) == 0 ? cell : other] = random.live()
            }
            law.write(cells, comment)
        }
    }

    @Test("the order in which a book was filled does not matter", arguments: Seeds.below(10))
    func order(seed: UInt64) throws {
        var random = try Random(seed: seed)
        random.expectAnyOrder()
    }

    @Test("a user's sheet with missing or odd options never traps")
    func strange() throws {
        let strange = """
            {"id": "strange", "name": "Strange", "engine": "match",
             "rows": [{"id": "point", "label": "Point", "kind": "moves"}],
             "options": [{"name": "best", "kind": "integer", "default": -9007199254740991},
                         {"name": "points", "kind": "integer", "default": 9007199254740991},
                         {"name": "games", "kind": "text", "default": "x"},
                         {"name": "final", "kind": "text", "default": "x"}]}
            """
        let rules = try Sheet(json: strange).rules
        var table = Table("Ann", "Bob")
        for point in 1...30 {
            let number = UInt64(1 + point % 2)
            table.write(number, "point", UInt32(point), to: .text("1"))
        }
        #expect(rules.standings(of: table.book).flags == [])
        #expect(rules.standings(of: table.book).players.map(\.total) == [15, 15])
    }
}
