import ScoreSheets
import SessionCRDT
import SyncProtocol

/// What a session of the worst entries costs until everybody sees how all stand.
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
                precondition(standings?.players.count == Seating.maxPlayers, "the crowd is seated")
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

    /// What it costs to tell how the games and legs ended, where there are several.
    private static func results(
        of board: Scoreboard,
        _ game: String,
        _ stage: Stage
    ) -> [Measurement] {
        guard let standings = board.standings else { return [] }
        let count = standings.outcomes.count
        guard count > 1 else { return [] }
        let timing = Timing(stage.samples(3)) {
            precondition(standings.outcomes.count == count, "what ended is told")
        }
        return [timing.measurement("hostile-\(game)-results", "\(count) results of it, told")]
    }

    private static func sort(_ live: [Key: LiveSet]) {
        var cells: [(PlayerID, Symbol, UInt32)] = []
        for case .cell(let cell) in live.keys {
            cells.append((cell.player, cell.row, cell.round ?? 0))
        }
        let sorted = cells.sorted { $0 < $1 }
        precondition(sorted.count == cells.count, "what is sorted is used")
    }
}

/// A session as full as members can make it, of the entries of a game that cost most to derive.
struct HostileSession {
    /// The sheet by which it is played.
    let sheet: Sheet
    /// What is live in it: `Limits.sessionBytes` together.
    let live: [Key: LiveSet]

    /// The rows in which most is written, by game; of `largest` those of the sheet at its limits.
    private static let rows = [
        "rounds": ["round"], "darts": ["visit"], "reversi": ["move"], "smash-up": ["points"],
        "ghost": ["letter"], "largest": LargestSheet.rounds,
    ]

    /// The games, and the sheet at its limits.
    static let games = ["rounds", "darts", "reversi", "smash-up", "ghost", "largest"]

    /// The session of a game.
    init(_ game: String) throws {
        let isLargest = game == "largest"
        sheet =
            try isLargest ? LargestSheet.make() : SheetLibrary.builtIn.sheet(named: game)
        let rows = (HostileSession.rows[game] ?? []).compactMap { Symbol($0) }
        guard !rows.isEmpty else {
            throw BenchError("nobody knows what costs most in \(game)")
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

    /// The n-th entry.
    private static func entry(
        _ number: Int,
        of game: String,
        among players: Int
    ) -> (place: (player: Int, round: UInt32), value: Value) {
        let (round, player) = number.quotientAndRemainder(dividingBy: players)
        switch game {
        case "darts":
            // Whoever begins a leg wins it with the first dart, as long as nobody has won a set.
            return ((player, UInt32(number + 1)), .text("2/1"))
        case "smash-up":
            // Games of one turn each, with points of everybody in all of them.
            let place = UInt32(round % 999 + 1) * 1000 + UInt32(round / 999)
            return ((player, place), .integer(1))
        case "reversi": return ((player, UInt32(round + 1)), .text(player == 0 ? "d3" : "c3"))
        case "ghost":
            // A beginning that grows as long as a text may be, then what comes behind it.
            guard number < 4000 else {
                return ((player, UInt32(round + 1)), .text("a open"))
            }
            let beginning = String(repeating: "a", count: number + 1)
            return ((player, UInt32(number + 1)), .text("\(beginning) open"))
        default: return ((player, UInt32(round + 1)), .integer(Int64(number % 50)))
        }
    }

    /// What is live so far, and what it weighs.
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

/// A sheet as large as any can be, of the rows that look at others: each is ranked, and as many as
/// there can be are worked out from as many as they can read.
enum LargestSheet {
    /// The rows of rounds from which others are worked out, and which hold most of what is written.
    static let rounds = (0..<Sheet.Limits.sources).map { "round-\($0)" }
    /// The rows without rounds.
    static let numbers = (0..<Sheet.Limits.rows - rounds.count - sums.count).map { "number-\($0)" }
    /// The rows that are worked out.
    private static let sums =
        (0..<Sheet.Limits.allSources / Sheet.Limits.sources).map { "sum-\($0)" }

    /// The sheet.
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
