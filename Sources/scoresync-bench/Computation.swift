import ScoreSheets
import SessionCRDT

/// What one score costs a kept scoreboard, the standings included, by how many others there are.
///
/// The floor is the same change of a sheet whose rows are added up and nothing else. A formula that
/// goes on from the round before it has to work out every round behind a changed one.
enum ScoreChange {
    private static let players = (1...UInt64(4)).map { PlayerID(high: 0, low: $0) }

    /// A sheet, by what costs most in it.
    private struct Example {
        let title: String
        let rows: String
        /// The rows in which everybody has a cell for every round.
        let filled: [Symbol]
        /// Where in the column the score stands that changes.
        let changesFirst: Bool

        static let plain = Example(
            title: "added up",
            rows: #"{"id": "bid", "label": "Bid", "kind": "rounds"}"#,
            filled: [Symbol(known: "bid")],
            changesFirst: false
        )

        static let measured = [
            ("fields", fields(changesFirst: false)),
            ("fields-first", fields(changesFirst: true)),
            ("running", running(changesFirst: false)),
            ("running-first", running(changesFirst: true)),
        ]

        private static func fields(changesFirst: Bool) -> Example {
            Example(
                title: "a formula of two fields, ranked",
                rows: """
                    {"id": "round", "label": "Round", "kind": "rounds", "fields": [
                        {"id": "bid", "label": "Bid"}, {"id": "tricks", "label": "Tricks"}
                     ], "formula": "if(bid = tricks, 20 + 10 * tricks, -10 * abs(bid - tricks))",
                     "checks": [{"formula": "total(tricks) >= 0", "help": "Never less."}]},
                    {"id": "bonus", "label": "Bonus", "kind": "formula",
                     "formula": "if(rank(round) = 1, 10, 0) + count(round)"}
                    """,
                filled: [Symbol(known: "bid"), Symbol(known: "tricks")],
                changesFirst: changesFirst
            )
        }

        private static func running(changesFirst: Bool) -> Example {
            Example(
                title: "a formula that runs on",
                rows: """
                    {"id": "throw", "label": "Throw", "kind": "rounds",
                     "running": "if(before + entered > 1000, 25, before + entered)"}
                    """,
                filled: [Symbol(known: "throw")],
                changesFirst: changesFirst
            )
        }

        func sheet() throws -> Sheet {
            try Sheet(json: #"{"id": "example", "name": "Example", "rows": [\#(rows)]}"#)
        }
    }

    static func measure(on stage: Stage) throws -> [Measurement] {
        try [100, 1_000, 10_000].flatMap { cells in
            let plain = try timing(of: .plain, cells, stage)
            let floor = plain.floor("\(cells) cells that are \(Example.plain.title)")
            return try Example.measured.map { name, example in
                let place = example.changesFirst ? "first" : "last"
                // What runs on costs the rounds that it runs through.
                let isBound = name != "running-first"
                return try timing(of: example, cells, stage).measurement(
                    "score-\(name)-\(cells)",
                    "a \(place) score of \(cells): \(example.title)",
                    over: floor,
                    target: isBound ? .timesFloor(10) : nil
                )
            }
        }
    }

    private static func timing(of example: Example, _ cells: Int, _ stage: Stage) throws -> Timing {
        let sheet = try example.sheet()
        let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in sheet }
        var live: [Key: LiveSet] = [:]
        var clock: UInt64 = 0
        func entry(_ value: Value) -> LiveSet {
            clock += 1
            return LiveSet(
                Entry(
                    dot: Dot(actor: ActorID(high: 0, low: 1), sequence: clock),
                    stamp: Stamp(bits: clock),
                    author: DeviceID(high: 0, low: 1),
                    value: value
                )
            )
        }
        func write(_ mutation: Mutation) { live[mutation.key] = entry(mutation.value) }

        write(.game(sheet.id))
        for player in players {
            for mutation in Mutation.add(player, name: "P\(player.low)") { write(mutation) }
        }
        let rounds = UInt32(cells / players.count / example.filled.count)
        for round in 1...rounds {
            for player in players {
                for row in example.filled {
                    let cell = Cell(player: player, row: row, round: round)
                    write(Mutation(.cell(cell), .integer(Int64(clock % 7))))
                }
            }
        }
        var board = Scoreboard(live, findingSheet: finder)
        let cell = Cell(
            player: players[0],
            row: example.filled[example.filled.count - 1],
            round: example.changesFirst ? 1 : rounds
        )
        var before = live[.cell(cell)]
        return Timing(stage.samples(400)) {
            let after = entry(.integer(Int64(clock % 5)))
            let change = KeyChange(key: .cell(cell), before: before, after: after)
            before = after
            let differing = board.apply([change], findingSheet: finder)
            let standings = board.standings
            precondition(
                standings?.players.count == players.count && !differing.cells.isEmpty,
                "the score counts"
            )
        }
    }
}

/// How quick the bitboards of Reversi and its computer player are, in memory alone.
enum BoardSearch {
    /// The 60 moves of perfect play, as the game was solved in 2023: positions of every stage.
    private static let game = """
        f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1\
        f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6
        """

    static func measure(on stage: Stage) throws -> [Measurement] {
        let positions = positions()
        let usual = try search(to: 5, of: positions, stage.samples(5))
        let few = positions.filter { $0.number % 10 == 5 }
        let greatest = try search(to: 20, of: few, 1)
        return [perft(stage.samples(50))] + usual + greatest
    }

    private static func perft(_ count: Int) -> Measurement {
        let ways = 55_092
        var copies = 0
        let floors = (0..<count).map { _ in
            Stopwatch.time { copies += copyBoards(ways) }
        }
        precondition(copies == ways * count, "every board was copied")
        let times = (0..<count).map { _ in
            Stopwatch.time {
                precondition(ReversiPosition.start.perft(7) == ways, "as many ways as published")
            }
        }
        return Measurement(
            name: "perft-7",
            title: "Reversi, \(ways) ways to make 7 moves",
            series: Series(times),
            floor: Measurement.Floor(
                title: "copying a board of 64 bytes for each",
                series: Series(floors)
            )
        )
    }

    /// Copies a board so often, a disc put on each, and says how often.
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
        of positions: [(number: Int, position: ReversiPosition)],
        _ rounds: Int
    ) throws -> [Measurement] {
        var times: [Double] = []
        var floors: [Double] = []
        var each: [Double] = []
        for (_, position) in Array(repeating: positions, count: rounds).joined() {
            var search = ReversiSearch(depth: depth)
            let time = Stopwatch.time { _ = search.choice(in: position) }
            guard search.nodes > 0 else { throw BenchError("a search looked at nothing") }
            times.append(time)
            each.append(time / Double(search.nodes))
            floors.append(Stopwatch.time { generateMoves(search.nodes, position) })
        }
        let floor = "generating the moves of as many positions"
        return [
            Measurement(
                name: "search-\(depth)",
                title: "Reversi, a computer's move at depth \(depth)",
                series: Series(times),
                floor: Measurement.Floor(title: floor, series: Series(floors)),
                target: .atMost(2)
            ),
            Measurement(
                name: "search-\(depth)-position",
                title: "  for each position that it looks at",
                series: Series(each)
            ),
        ]
    }

    /// Generates the moves of so many positions, each another one.
    private static func generateMoves(_ count: Int, _ position: ReversiPosition) {
        var own = position.own
        for _ in 0..<count {
            let moves = ReversiPosition(own: own, other: position.other).moves
            own = own &* 3 &+ moves & ~position.other
        }
        precondition(own != 1, "what is computed is used")
    }

    /// The positions of the game, from the start to the last move.
    private static func positions() -> [(number: Int, position: ReversiPosition)] {
        var position = ReversiPosition.start
        var positions: [(number: Int, position: ReversiPosition)] = []
        for start in stride(from: 0, to: game.count, by: 2) {
            if position.moves == 0 { position = position.passed }
            positions.append((start / 2, position))
            guard let square = ReversiSquare(String(game.dropFirst(start).prefix(2))) else { break }
            let flips = position.flips(at: square.index)
            position = position.playing(at: square.index, turning: flips)
        }
        return positions
    }
}
