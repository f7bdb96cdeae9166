import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The cost of the standings of a session with the most expensive entries.
enum HostileGames {
    static func measure(on stage: Stage) throws -> [Measurement] {
        try HostileSession.games.flatMap { game in
            let session = try HostileSession(game)
            let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in
                session.sheet
            }
            let floor = Timing(stage.samples(3)) { sort(session.live) }
                .floor("sorting the cells")
            let timing = Timing(stage.samples(3)) {
                let standings = Scoreboard(session.live, findingSheet: finder).standings
                precondition(
                    standings?.players.count == Seating.maxPlayers,
                    "all players are seated"
                )
            }
            let derived = timing.measurement(
                "hostile-\(game)",
                "\(session.live.count) hostile entries of \(game), derived",
                over: floor,
                target: .atMost(0.5)
            )
            let board = Scoreboard(session.live, findingSheet: finder)
            return [derived] + results(of: board, game, stage)
        }
    }

    /// The cost of the results, if there are several games or legs.
    private static func results(
        of board: Scoreboard,
        _ game: String,
        _ stage: Stage
    ) -> [Measurement] {
        guard let standings = board.standings else { return [] }
        let count = standings.outcomes.count
        guard count > 1 else { return [] }
        let timing = Timing(stage.samples(3)) {
            precondition(standings.outcomes.count == count, "all results are there")
        }
        return [timing.measurement("hostile-\(game)-results", "\(count) results of it")]
    }

    private static func sort(_ live: [Key: LiveSet]) {
        var cells: [(PlayerID, Symbol, UInt32)] = []
        for case .cell(let cell) in live.keys {
            cells.append((cell.player, cell.row, cell.round ?? 0))
        }
        let sorted = cells.sorted { $0 < $1 }
        precondition(sorted.count == cells.count, "the result is used")
    }
}

/// A session of `Limits.sessionBytes`, with the entries of a game that are most expensive to derive.
struct HostileSession {
    let sheet: Sheet
    let live: [Key: LiveSet]

    /// The rows of most entries, by game; `largest` is a sheet at all of its limits.
    private static let rows = [
        "rounds": ["round"], "darts": ["visit"], "reversi": ["move"], "smash-up": ["points"],
        "ghost": ["letter"], "largest": LargestSheet.rounds,
    ]

    static let games = ["rounds", "darts", "reversi", "smash-up", "ghost", "largest"]

    init(_ game: String) throws {
        let isLargest = game == "largest"
        sheet =
            try isLargest ? LargestSheet.make() : SheetLibrary.builtIn.sheet(named: game)
        let rows = (HostileSession.rows[game] ?? []).compactMap { Symbol($0) }
        guard !rows.isEmpty else {
            throw BenchError("no entries for \(game)")
        }
        var session = Contents()
        session.write(.game(sheet.id))
        let players = (1...UInt64(Seating.maxPlayers)).map { PlayerID(high: 0, low: $0) }
        for player in players {
            for mutation in Mutation.add(player, name: "P\(player.low)") { session.write(mutation) }
        }
        for (name, value) in HostileSession.options(game) {
            guard let field = Symbol(name).flatMap(Field.option) else { continue }
            session.write(Mutation(.session(field), value))
        }
        for row in isLargest ? LargestSheet.numbers.compactMap({ Symbol($0) }) : [] {
            for (number, player) in players.enumerated() {
                let cell = Cell(player: player, row: row)
                session.write(Mutation(.cell(cell), .integer(Int64(number % 50))))
            }
        }
        var number = 0
        while !session.isFull {
            let (place, value) = HostileSession.entry(number, of: game, among: players.count)
            let row = rows[Int(place.round) % rows.count]
            let cell = Cell(player: players[place.player], row: row, round: place.round)
            session.write(Mutation(.cell(cell), value))
            if game == "smash-up", number < 999 {
                let mark = Cell(
                    player: players[number % 2],
                    row: Symbol(known: "turn"),
                    round: UInt32(number + 1)
                )
                session.write(Mutation(.cell(mark), .text(number % 2 == 0 ? "end" : "replay")))
            }
            number += 1
        }
        live = session.live
    }

    private static func options(_ game: String) -> [(String, Value)] {
        switch game {
        case "darts": [("start", .integer(2)), ("legs", .integer(999)), ("sets", .integer(99))]
        case "rounds": [("target", .integer(1))]
        case "smash-up": [("target", .integer(1))]
        default: []
        }
    }

    /// The entry of a number.
    private static func entry(
        _ number: Int,
        of game: String,
        among players: Int
    ) -> (place: (player: Int, round: UInt32), value: Value) {
        let (round, player) = number.quotientAndRemainder(dividingBy: players)
        switch game {
        case "darts":
            // The first player of each leg wins it with one dart, until a set is won.
            return ((player, UInt32(number + 1)), .text("2/1"))
        case "smash-up":
            // Games of one turn each, with points of all players.
            let place = UInt32(round % 999 + 1) * 1000 + UInt32(round / 999)
            return ((player, place), .integer(1))
        case "reversi": return ((player, UInt32(round + 1)), .text(player == 0 ? "d3" : "c3"))
        case "ghost":
            // A word fragment that grows up to the limit of texts, then the letters after it.
            guard number < 4000 else {
                return ((player, UInt32(round + 1)), .text("a open"))
            }
            let beginning = String(repeating: "a", count: number + 1)
            return ((player, UInt32(number + 1)), .text("\(beginning) open"))
        default: return ((player, UInt32(round + 1)), .integer(Int64(number % 50)))
        }
    }

    /// The entries so far, and their size.
    private struct Contents {
        private(set) var live: [Key: LiveSet] = [:]
        private var bytes = 0
        private var sequence: UInt64 = 0

        var isFull: Bool { bytes >= Limits.sessionBytes }

        mutating func write(_ mutation: Mutation) {
            sequence += 1
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: 1), sequence: sequence),
                stamp: Stamp(bits: sequence),
                author: DeviceID(high: 0, low: 1),
                value: mutation.value
            )
            bytes += entry.canonicalCount(under: mutation.key)
            live[mutation.key] = LiveSet(entry)
        }
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
