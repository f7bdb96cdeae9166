import ScoreSheets
import SessionCRDT

/// What ten thousand recorded turns of one session cost to read anew, in memory alone: the document
/// of the live sets, the book, and the standings with what is shown of them.
enum LongGames {
    private static let turns = 10_000

    static func measure(on stage: Stage) throws -> [Measurement] {
        let games: [(String, [(cell: Cell, value: Value)], [String: Value])] = [
            ("darts", darts(), ["legs": .integer(999)]), ("rounds", rounds(), [:]),
        ]
        return try games.map { game, cells, options in
            let library = SheetLibrary.builtIn
            let sheet = try library.sheet(named: game)
            let live = session(cells, options)
            let count = stage.samples(20)
            var held: [Key: LiveSet] = [:]
            let floors = (0..<count).map { _ in
                Stopwatch.time {
                    held = [:]
                    for (key, set) in live { held[key] = set }
                }
            }
            precondition(held.count == live.count, "every cell is copied")
            return Measurement(
                name: "derive-\(game)",
                title: "\(turns) turns of \(game), read anew",
                series: Series((0..<count).map { _ in Stopwatch.time { derive(live, sheet) } }),
                floor: Measurement.Floor(
                    title: "putting the same cells into a Dictionary",
                    series: Series(floors)
                ),
                budget: Measurement.Budget(value: 0.1)
            )
        }
    }

    private static func derive(_ live: LiveSets, _ sheet: Sheet) {
        let book = Book(SessionDocument(live))
        let standings = sheet.rules.standings(of: book)
        _ = SheetLayout(sheet, standings, in: book)
        precondition(standings.flags.isEmpty, "every turn counts: \(standings.flags.prefix(3))")
    }

    /// Legs of four players in which the one who begins throws 180, 180 and 141.
    private static func darts() -> [(cell: Cell, value: Value)] {
        (0..<turns).map { turn in
            let (leg, visit) = turn.quotientAndRemainder(dividingBy: 9)
            let player = PlayerID(high: 1, low: UInt64((leg + visit) % 4))
            let value = visit == 8 ? "141" : visit % 4 == 0 ? "180" : "0"
            let row = Symbol(known: "visit")
            return (Cell(player: player, row: row, round: UInt32(turn + 1)), .text(value))
        }
    }

    private static func rounds() -> [(cell: Cell, value: Value)] {
        (0..<turns).map { turn in
            let player = PlayerID(high: 1, low: UInt64(turn % 4))
            let row = Symbol(known: "round")
            let value = Value.integer(Int64(turn % 50))
            return (Cell(player: player, row: row, round: UInt32(turn / 4 + 1)), value)
        }
    }

    /// The live sets of a session of four players with these cells.
    private static func session(
        _ cells: [(cell: Cell, value: Value)],
        _ options: [String: Value]
    ) -> LiveSets {
        var map = StagedMap(CausalMap())
        var pen = Pen()
        let players = (0..<4).map { PlayerID(high: 1, low: $0) }
        for (player, name) in zip(players, SampleSession.names) {
            pen.write(Mutation.add(player, name: name), to: &map)
        }
        pen.write([.seats(players)], to: &map)
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            guard let field = Symbol(name).flatMap(Field.option) else { continue }
            pen.write([Mutation(.session(field), value)], to: &map)
        }
        for (cell, value) in cells { pen.write([Mutation(.cell(cell), value)], to: &map) }
        return map.headLive
    }
}
