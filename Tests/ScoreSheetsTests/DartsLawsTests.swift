import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The laws of darts, on random matches and on garbage")
struct DartsLawsTests {
    private static let seeds = Seeds.below(20)

    /// A match that somebody plays at random, with every visit that `play` takes.
    private struct Random {
        var generator: SeededGenerator
        var table = Table("Ann", "Bob", "Cid", "Dan")
        let rules: any GameRules
        var aids = MoveContext(random: SeededGenerator(seed: 1))

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            rules = try builtIn("darts").rules
            table.players = Array(table.players.prefix(below(4) + 1))
            let starts: [Int64] = [2, 40, 101, 301, 501]
            set("start", .integer(starts[below(starts.count)]))
            set("out", .text(["double", "straight", "master"][below(3)]))
            set("in", .text(["double", "straight"][below(2)]))
            set("legs", .integer(Int64(below(4) + 1)))
            set("sets", .integer(Int64(below(3) + 1)))
        }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        private mutating func set(_ name: StaticString, _ value: Value) {
            table.options[Symbol(known: name)] = value
        }

        /// Words that mean a visit, though perhaps no legal one.
        mutating func words() -> [String] {
            switch below(8) {
            case 0: ["bust"]
            case 1...3:
                ["\(below(190))", "\(below(61))/1", "40", "2/1"].shuffled(using: &generator)
                    .prefix(1).map { $0 }
            default:
                (0...below(3)).map { _ in
                    (Dart.scoring + [.miss]).randomElement(using: &generator)?.description ?? "MISS"
                }
            }
        }

        /// Plays until there are so many visits, the match is over or nothing legal is found.
        mutating func play(_ count: Int) throws {
            for _ in 0..<count {
                try leaveOrCome()
                let move = Move(words())
                guard let played = try? rules.play(move, in: table.book, with: &aids) else {
                    continue
                }
                for (name, value) in played.options { table.options[name] = value }
                for score in played.writes {
                    try rules.check(score, in: table.book)
                    table.write(
                        score.cell.player.low,
                        "visit",
                        score.cell.round,
                        to: score.value
                    )
                }
                let standings = rules.standings(of: table.book)
                #expect(standings.flags == [])
            }
        }

        private mutating func leaveOrCome() throws {
            switch below(30) {
            case 0:
                table.players = table.players.map { seated in
                    Player(id: seated.id, name: seated.name, isPresent: seated.id == player(1))
                }
            case 1:
                table.players = table.players.map { Player(id: $0.id, name: $0.name) }
            case 2 where table.players.count < 6:
                let number = UInt64(table.players.count + 1)
                table.players.append(Player(id: player(number), name: "New\(number)"))
            case 3: table.players.shuffle(using: &generator)
            default: break
            }
        }
    }

    @Test("every accepted visit counts, and nothing is ever flagged", arguments: seeds)
    func legal(seed: UInt64) throws {
        var random = try Random(seed: seed)
        try random.play(60)
        let standings = random.rules.standings(of: random.table.book)
        let counted = standings.players.flatMap(\.cells).filter { $0.points != nil }
        #expect(counted.count == random.table.cells.count)
        for (number, outcome) in standings.outcomes.enumerated() {
            #expect(outcome.number == number + 1)
            let winner = try #require(outcome.players.filter(\.isWinner).first)
            #expect(outcome.players.filter(\.isWinner).count == 1)
            let start = random.table.options[Symbol(known: "start")]?.integer
            #expect(winner.total.whole == start, "seed \(seed)")
            #expect(outcome.players.allSatisfy { $0.total <= winner.total })
            #expect(outcome.players.allSatisfy { ($0.rank == 1) == $0.isWinner })
        }
        let open = standings.isFinished ? standings.winners.count : standings.turn.map { _ in 1 }
        #expect(open == 1)
    }

    @Test("a correction or a gap anywhere never stops a match", arguments: seeds)
    func corrected(seed: UInt64) throws {
        var random = try Random(seed: seed)
        try random.play(40)
        let written = random.table.cells.keys.sorted()
        for cell in written.shuffled(using: &random.generator).prefix(5) {
            let value: Value = random.below(2) == 0 ? .null : .text("\(random.below(181))")
            let score = Score(cell, value)
            if (try? random.rules.check(score, in: random.table.book)) == nil { continue }
            random.table.write(cell.player.low, "visit", cell.round, to: value)
            let standings = random.rules.standings(of: random.table.book)
            let written = random.table.cells.values.filter { $0.winner.value != .null }.count
            let counted = standings.players.flatMap(\.cells).filter { $0.points != nil }.count
            #expect(counted + standings.flags.count == written, "seed \(seed)")
        }
        // The player to throw can always go on.
        random.table.players = random.table.players.map { Player(id: $0.id, name: $0.name) }
        if random.rules.standings(of: random.table.book).turn != nil {
            let played = try random.rules.play(
                Move(["0"]),
                in: random.table.book,
                with: &random.aids
            )
            for (name, value) in played.options { random.table.options[name] = value }
            for score in played.writes {
                random.table.write(
                    score.cell.player.low,
                    "visit",
                    score.cell.round,
                    to: score.value
                )
                let cells = random.rules.standings(of: random.table.book).players.flatMap(\.cells)
                #expect(cells.contains { $0.bookCell.cell == score.cell && $0.points == 0 })
            }
        }
    }

    /// A book of hostile entries.
    private func garbage(_ seed: UInt64) -> (players: [Player], cells: [(Cell, LiveSet)], Table) {
        var garbage = Garbage(seed: seed)
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &garbage.generator) }
        let texts = [
            "60", "180", "163", "1000", "T20 T20 T20", "D25", "BUST", "26/2", "2/1", "40/1", "S1",
            "bust", "", "MISS MISS MISS MISS", "é", "T20\u{0}",
        ]
        var cells: [Cell: LiveSet] = [:]
        for _ in 0..<below(60) {
            let rounds: [UInt32?] = [nil, 0, 1, 2, 3, 999_999, 1_000_000, 1_000_001, .max]
            let round = below(3) == 0 ? rounds[below(rounds.count)] : UInt32(below(12) + 1)
            let row: StaticString = below(12) == 0 ? "points" : "visit"
            let cell = Cell(
                player: player(UInt64(1 + below(5))),
                row: Symbol(known: row),
                round: round
            )
            cells[cell] = LiveSet(
                (0...below(2)).map { _ in
                    let isText = below(4) > 0
                    return garbage.entry(
                        isText ? .text(texts[below(texts.count)]) : garbage.value()
                    )
                }
            )
        }
        var table = Table()
        table.players = (0..<below(5)).map { number in
            Player(
                id: player(UInt64(number + 1)),
                name: ["Ann", "Bob", ""][below(3)],
                isPresent: below(4) > 0
            )
        }
        let orders = [
            "1 \(player(1)) \(player(2))", "1 \(player(2));3 \(player(9));4 \(player(1))", "1", "é",
            "start=40 out=double in=double legs=1 sets=1;1 \(player(1)) \(player(2))",
            "1 \(player(3)) \(player(1));2 \(player(2))", "4294967295 \(player(1))",
        ]
        for name in ["start", "in", "out", "legs", "sets", "order"] where below(2) == 0 {
            guard let symbol = Symbol(name) else { continue }
            table.options[symbol] =
                [
                    garbage.value(), .integer(2), .integer(40), .text("double"), .text("straight"),
                    .text(orders[below(orders.count)]),
                ][below(6)]
        }
        table.isFinished = below(5) == 0
        return (table.players, cells.sorted { $0.key < $1.key }, table)
    }

    @Test("garbage never traps, and entries that do not count are flagged", arguments: seeds)
    func garbage(seed: UInt64) throws {
        let (players, cells, blank) = garbage(seed)
        var table = blank
        for (cell, live) in cells { table.cells[cell] = live }
        for sheet in [try builtIn("darts"), try Sheet(json: strange)] {
            let rules = sheet.rules
            let standings = rules.standings(of: table.book)
            _ = standings.flags.map { $0.words(in: table.book) }
            _ = SheetLayout(sheet, standings, in: table.book)
            _ = try? rules.reset(of: table.book)
            var aids = MoveContext(random: SeededGenerator(seed: seed))
            _ = try? rules.play(Move(["60"]), in: table.book, with: &aids)
            for player in players {
                _ = try? rules.check(
                    Score(
                        Cell(player: player.id, row: Symbol(known: "visit"), round: 3),
                        .text("60")
                    ),
                    in: table.book
                )
            }
            for line in standings.players {
                for cell in line.cells where cell.points == nil && cell.bookCell.value != .null {
                    let place = Flag.Subject.cell(cell.bookCell.cell)
                    #expect(standings.flags.contains { $0.subject == place }, "seed \(seed)")
                }
            }
            // At most one visit of each turn counts, and there are no gaps between them.
            let counted = standings.players.flatMap(\.cells).filter { $0.points != nil }
            let turns = counted.compactMap(\.bookCell.cell.round).sorted()
            #expect(turns == Array(1..<UInt32(turns.count + 1)), "seed \(seed)")
        }
    }

    @Test("the order in which a book was filled does not matter", arguments: seeds)
    func order(seed: UInt64) throws {
        let (_, cells, blank) = garbage(seed)
        var generator = SeededGenerator(seed: seed)
        var one = blank
        for (cell, live) in cells { one.cells[cell] = live }
        var other = blank
        for (cell, live) in cells.shuffled(using: &generator) { other.cells[cell] = live }
        other.options = [:]
        for (name, value) in blank.options.sorted(by: { $0.key > $1.key }) {
            other.options[name] = value
        }
        let rules = try builtIn("darts").rules
        #expect(rules.standings(of: one.book) == rules.standings(of: other.book))
    }

    /// A sheet that somebody wrote for the same rules and without what they are played by.
    private let strange = """
        {"id": "strange", "name": "Strange", "engine": "darts",
         "rows": [{"id": "visit", "label": "Visit", "kind": "moves"}],
         "options": [{"name": "start", "kind": "integer", "default": -9007199254740991},
                     {"name": "legs", "kind": "text", "default": "x"},
                     {"name": "out", "kind": "text", "default": "out"}]}
        """
}
