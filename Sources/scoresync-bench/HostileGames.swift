import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The cost of the standings of a session with the most expensive entries.
enum HostileGames {
    static func measure(on stage: Stage) throws -> [Measurement] {
        try HostileGame.all.flatMap { game in
            let sheet = try game.sheet()
            let live = try game.session(of: sheet)
            let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in sheet }
            let floor = Timing(stage.samples(3)) { sort(live) }.floor("sorting the cells")
            let timing = Timing(stage.samples(3)) {
                let standings = Scoreboard(live, findingSheet: finder).standings
                precondition(standings?.players.count == Seating.maxPlayers, "all are seated")
                // As many as a daemon shows.
                let reasons = Set(standings?.flags.prefix(1000).map(\.reason) ?? [])
                precondition(reasons.count <= 1000, "the reasons are used")
            }
            let title = "\(live.count) hostile entries of \(game.name), derived"
            let derived = timing.line("hostile-\(game.name)", title)
                .over(floor).targeting(.atMost(0.5))
            // Several games or legs have results.
            guard let standings = Scoreboard(live, findingSheet: finder).standings,
                standings.outcomes.count > 1
            else { return [derived] }
            let count = standings.outcomes.count
            let results = Timing(stage.samples(3)) {
                precondition(standings.outcomes.count == count, "all results are there")
            }
            return [
                derived,
                results.line("hostile-\(game.name)-results", "\(count) results of it"),
            ]
        }
    }

    private static func sort(_ live: LiveSets) {
        var cells: [(PlayerID, Symbol, UInt32)] = []
        for case .cell(let cell) in live.lazy.map(\.key) {
            cells.append((cell.player, cell.row, cell.round ?? 0))
        }
        let sorted = cells.sorted { $0 < $1 }
        precondition(sorted.count == cells.count, "the result is used")
    }
}

/// The entries of a game that are most expensive to derive.
private struct HostileGame: Sendable {
    typealias Entry = (player: Int, round: UInt32, value: Value)

    let name: String
    /// The rows of the entries, used in turn.
    let rows: [Symbol]
    var options: KeyValuePairs<StaticString, Int64> = [:]
    var entry: @Sendable (Int, Int) -> Entry = { number, players in
        (number % players, UInt32(number / players + 1), .integer(Int64(number % 50)))
    }

    static let all = [
        HostileGame(name: "rounds", rows: [Symbol(known: "round")], options: ["target": 1]),
        // The first player of each leg wins it with one dart, until a set is won.
        HostileGame(
            name: "darts",
            rows: [Symbol(known: "visit")],
            options: ["start": 2, "legs": 999, "sets": 99],
            entry: { number, players in (number % players, UInt32(number + 1), .text("2/1")) }
        ),
        HostileGame(name: "reversi", rows: [Symbol(known: "move")]) { number, players in
            let player = number % players
            return (player, UInt32(number / players + 1), .text(player == 0 ? "d3" : "c3"))
        },
        // Games of one turn each, with points of all players.
        HostileGame(name: "smash-up", rows: [Symbol(known: "points")], options: ["target": 1]) {
            number,
            players in
            let (round, player) = number.quotientAndRemainder(dividingBy: players)
            return (player, UInt32(round % 999 + 1) * 1000 + UInt32(round / 999), .integer(1))
        },
        // A word fragment that grows up to the limit of texts, then the letters after it.
        HostileGame(name: "ghost", rows: [Symbol(known: "letter")]) { number, players in
            let (round, player) = number.quotientAndRemainder(dividingBy: players)
            guard number < 4000 else { return (player, UInt32(round + 1), .text("a open")) }
            let fragment = String(repeating: "a", count: number + 1)
            return (player, UInt32(number + 1), .text("\(fragment) open"))
        },
        HostileGame(name: "largest", rows: LargestSheet.rounds.compactMap { Symbol($0) }),
    ]

    func sheet() throws -> Sheet {
        try name == "largest" ? LargestSheet.make() : SheetLibrary.builtIn.sheet(named: name)
    }

    /// Returns the live entries of a session of `Limits.sessionBytes`.
    func session(of sheet: Sheet) throws -> LiveSets {
        let players = (1...UInt64(Seating.maxPlayers)).map { PlayerID(high: 0, low: $0) }
        var session = LiveCells(of: sheet, players)
        for (name, value) in options {
            guard let field = Field.option(Symbol(known: name)) else { continue }
            session.write([Mutation(.session(field), .integer(value))])
        }
        func write(_ row: Symbol, _ player: Int, _ round: UInt32?, _ value: Value) {
            let cell = Cell(player: players[player], row: row, round: round)
            session.write([Mutation(.cell(cell), value)])
        }
        for row in name == "largest" ? LargestSheet.numbers.compactMap({ Symbol($0) }) : [] {
            for player in players.indices {
                write(row, player, nil, .integer(Int64(player % 50)))
            }
        }
        var number = 0
        while session.bytes < Limits.sessionBytes {
            let (player, round, value) = entry(number, players.count)
            write(rows[Int(round) % rows.count], player, round, value)
            if name == "smash-up", number < 999 {
                let mark = number % 2 == 0 ? "end" : "replay"
                write(Symbol(known: "turn"), number % 2, UInt32(number + 1), .text(mark))
            }
            number += 1
        }
        return try session.live
    }
}

/// A sheet at all limits, of rows that depend on others: each is ranked, and the maximum number of
/// rows is computed from the maximum number of sources.
enum LargestSheet {
    /// The rows of rounds from which others are computed; they have most entries.
    static let rounds = (0..<Sheet.Limits.sources).map { "round-\($0)" }
    static let numbers = (0..<Sheet.Limits.rows - rounds.count - sums.count).map { "number-\($0)" }
    private static let sums =
        (0..<Sheet.Limits.allSources / Sheet.Limits.sources).map { "sum-\($0)" }

    static func make() throws -> Sheet {
        let places = (1...Sheet.Limits.table).reversed().map(String.init).joined(separator: ", ")
        let worth = #""per": 2, "factor": 3, "places": [\#(places)]"#
        let of = rounds.map { #""\#($0)""# }.joined(separator: ", ")
        func row(_ id: String, _ kind: String, _ more: String = "") -> String {
            #"{"id": "\#(id)", "label": "\#(id)", "kind": "\#(kind)", \#(more)\#(worth)}"#
        }
        let rows =
            rounds.map { row($0, "rounds") } + numbers.map { row($0, "number", #""empty": 1, "#) }
            + sums.map { row($0, "sum", #""of": [\#(of)], "#) }
        let ties = numbers.prefix(Sheet.Limits.tieBreakers).map { #"{"row": "\#($0)"}"# }
        return try Sheet(
            json: """
                {"id": "largest", "name": "Largest", "target": 1,
                 "rows": [\(rows.joined(separator: ", "))],
                 "tieBreakers": [\(ties.joined(separator: ", "))]}
                """
        )
    }
}
