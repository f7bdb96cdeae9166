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
