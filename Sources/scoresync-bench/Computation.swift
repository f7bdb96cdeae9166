import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The cost of applying one score to a scoreboard and its standings, by the number of cells.
///
/// The floor is the same change of a sheet that only sums its rows. A running formula must be
/// evaluated for every round after the changed one.
enum ScoreChange {
    private static let players = (1...UInt64(4)).map { PlayerID(high: 0, low: $0) }

    /// A sheet, by its most expensive part.
    private struct Example {
        let name: String
        let title: String
        let rows: String
        /// The rows in which every player has a cell for every round.
        let filled: [Symbol]

        static let plain = Example(
            name: "plain",
            title: "added up",
            rows: #"{"id": "bid", "label": "Bid", "kind": "rounds"}"#,
            filled: [Symbol(known: "bid")]
        )
        static let fields = Example(
            name: "fields",
            title: "a formula of two fields, ranked",
            rows: """
                {"id": "round", "label": "Round", "kind": "rounds", "fields": [
                    {"id": "bid", "label": "Bid"}, {"id": "tricks", "label": "Tricks"}
                 ], "formula": "if(bid = tricks, 20 + 10 * tricks, -10 * abs(bid - tricks))",
                 "checks": [{"formula": "total(tricks) >= 0", "help": "Never less."}]},
                {"id": "bonus", "label": "Bonus", "kind": "formula",
                 "formula": "if(rank(round) = 1, 10, 0) + count(round)"}
                """,
            filled: [Symbol(known: "bid"), Symbol(known: "tricks")]
        )
        static let running = Example(
            name: "running",
            title: "a running formula",
            rows: """
                {"id": "throw", "label": "Throw", "kind": "rounds",
                 "running": "if(before + entered > 1000, 25, before + entered)"}
                """,
            filled: [Symbol(known: "throw")]
        )

        /// Returns the timing of one score more, in the first round or in the last.
        func timing(_ cells: Int, changesFirst: Bool, _ stage: Stage) throws -> Timing {
            let json = #"{"id": "example", "name": "Example", "rows": [\#(rows)]}"#
            let sheet = try Sheet(json: json)
            let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in sheet }
            var session = LiveCells(of: sheet, players)
            let rounds = UInt32(cells / players.count / filled.count)
            for round in 1...rounds {
                for player in players {
                    for row in filled {
                        let cell = Cell(player: player, row: row, round: round)
                        session.write([Mutation(.cell(cell), .integer(Int64(session.count % 7)))])
                    }
                }
            }
            let live = try session.live
            var board = Scoreboard(live, findingSheet: finder)
            let round = changesFirst ? 1 : rounds
            let cell = Cell(player: players[0], row: filled[filled.count - 1], round: round)
            var before = live[.cell(cell)]
            return Timing(stage.samples(400)) {
                let after = LiveSet(session.nextEntry(.integer(Int64(session.count % 5))))
                let change = KeyChange(key: .cell(cell), before: before, after: after)
                before = after
                let differing = board.apply([change], findingSheet: finder)
                let count = board.standings?.players.count
                precondition(count == players.count && !differing.cells.isEmpty, "the score counts")
            }
        }
    }

    static func measure(on stage: Stage) throws -> [Measurement] {
        try [100, 1_000, 10_000].flatMap { cells in
            let plain = try Example.plain.timing(cells, changesFirst: false, stage)
            let floor = plain.floor("\(cells) cells that are \(Example.plain.title)")
            let cases = [Example.fields, .running].flatMap { [($0, false), ($0, true)] }
            return try cases.map { example, changesFirst in
                // A running formula costs the rounds after the changed one.
                let isLimited = example.name != "running" || !changesFirst
                return try example.timing(cells, changesFirst: changesFirst, stage)
                    .line(
                        "score-\(example.name)\(changesFirst ? "-first" : "")-\(cells)",
                        "a \(changesFirst ? "first" : "last") score of \(cells): \(example.title)"
                    )
                    .over(floor).targeting(isLimited ? .timesFloor(10) : nil)
            }
        }
    }
}

/// The speed of the bitboards of Reversi and of its computer player.
enum ReversiBenchmark {
    /// The 60 moves of perfect play, as Reversi was solved in 2023.
    private static let game = """
        f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1\
        f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6
        """

    static func measure(on stage: Stage) throws -> [Measurement] {
        let positions = positions()
        let common = Array(repeating: positions, count: stage.samples(5)).flatMap(\.self)
        let deep = stride(from: 5, to: positions.count, by: 10).map { positions[$0] }
        return try [perft(stage.samples(50))] + search(to: 5, of: common) + search(to: 20, of: deep)
    }

    private static func perft(_ count: Int) -> Measurement {
        let ways = 55_092
        var copies = 0
        let floor = Timing(count) { copies += copyBoards(ways) }
        precondition(copies == ways * count, "every board was copied")
        return Timing(count) {
            precondition(ReversiPosition.start.perft(7) == ways, "not the published number")
        }
        .line("perft-7", "Reversi, \(ways) ways to make 7 moves")
        .over(floor.floor("copying a board of 64 bytes for each"))
    }

    private static func copyBoards(_ count: Int) -> Int {
        var board = [UInt8](repeating: 0, count: 64)
        var discs = 0
        for number in 0..<count {
            var copy = board
            copy[number % 64] ^= 1
            discs += copy[number % 64] == board[number % 64] ? 0 : 1
            board = copy
        }
        return discs
    }

    private static func search(
        to depth: Int,
        of positions: [ReversiPosition]
    ) throws -> [Measurement] {
        var (times, each, floors) = (Timing { nil }, Timing { nil }, Timing { nil })
        for position in positions {
            var search = ReversiSearch(depth: depth)
            let time = Stopwatch.time { _ = search.search(position) }
            guard search.nodes > 0 else { throw BenchError("a search visited no position") }
            times.add(1) { _ in time }
            each.add(1) { _ in time / Double(search.nodes) }
            floors.add(1) { _ in Stopwatch.time { generateMoves(search.nodes, position) } }
        }
        return [
            times.line("search-\(depth)", "Reversi, a computer's move at depth \(depth)")
                .over(floors.floor("generating the moves of as many positions"))
                .targeting(.atMost(2)),
            each.line("search-\(depth)-position", "  for each position that it looks at"),
        ]
    }

    private static func generateMoves(_ count: Int, _ position: ReversiPosition) {
        var own = position.own
        for _ in 0..<count {
            let moves = ReversiPosition(own: own, other: position.other).moves
            own = own &* 3 &+ moves & ~position.other
        }
        precondition(own != 1, "the result is used")
    }

    /// Returns the positions of the game, from the start to the last move.
    private static func positions() -> [ReversiPosition] {
        var position = ReversiPosition.start
        var positions: [ReversiPosition] = []
        for start in stride(from: 0, to: game.count, by: 2) {
            if position.moves == 0 { position = position.passed }
            positions.append(position)
            guard let square = ReversiSquare(String(game.dropFirst(start).prefix(2))) else { break }
            position = position.playing(at: square.index)
        }
        return positions
    }
}

/// The cost of encoding 100,000 cells, and of decoding and merging them.
struct Merging {
    private let delta: Delta
    private let frames: [[UInt8]]
    private let newer: [[UInt8]]

    static func measure(on stage: Stage) throws -> [Measurement] {
        Merging().measure(stage.samples(9))
    }

    private init() {
        let session = SampleSession(cells: 100_000)
        var map = Self.settled(StagedMap(CausalMap()), session.write)
        delta = map.committed.delta(since: VersionVector()) ?? map.committed.union
        let before = map.committed.vector
        map = Self.settled(map) { map in
            var pen = Pen()
            session.score(session.cellCount, with: &pen, in: &map)
        }
        frames = Array(PeerMessageEncoder(.delta(delta)))
        newer = Array(PeerMessageEncoder(.delta(map.committed.delta(since: before) ?? delta)))
    }

    private func measure(_ count: Int) -> [Measurement] {
        let base = Self.settled(StagedMap(CausalMap())) { _ = $0.merge(delta) }
        let filling = Timing(count, fill).floor("putting the same cells into a Dictionary")
        let bytes = frames.reduce(0) { $0 + $1.count }
        return [
            Timing(count) { merge(frames, into: StagedMap(CausalMap())) }
                .line("merge-new", "merge of 100000 cells, decoding included")
                .over(filling).targeting(.atMost(0.15)),
            Timing(count) { merge(newer, into: base) }
                .line("merge-over", "  all replaced").over(filling),
            Timing(count) { _ = Array(PeerMessageEncoder(.delta(delta))) }
                .line("encode", "  encoding them").over(filling),
            .line("delta-bytes", "  bytes of the delta", .bytes, [Double(bytes)]),
        ]
    }

    private func merge(_ frames: [[UInt8]], into map: StagedMap) {
        var decoder = PeerMessageDecoder()
        let merged = Self.settled(map) { map in
            for case .delta(let delta)? in frames.map({ try? decoder.receive($0) }) {
                let fits = map.merge(delta)
                precondition(fits, "the delta fits this map")
            }
        }
        precondition(merged.committed.vector != map.committed.vector, "the delta is merged")
    }

    private func fill() {
        var live: [Key: LiveSet] = [:]
        for change in delta.changes { live[change.key] = change.live }
        precondition(live.count == delta.changes.count, "every key is unique")
    }

    /// Returns the map after a change that was persisted.
    private static func settled(_ map: StagedMap, _ body: (inout StagedMap) -> Void) -> StagedMap {
        var map = map
        body(&map)
        _ = map.seal()
        _ = map.settle()
        return map
    }
}
