import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Sheets that are replaced in the middle of a game, by a newer member or by a hostile one.
@Suite(.timeLimit(.minutes(10)))
struct ReplacedSheetTests {
    /// A change of a running session.
    struct Replacement: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The moves before it.
        let game: String
        /// The concurrent writes of two members, or those of one.
        let values: [Value]
        /// The subject of the writes.
        var field = Field.sheet
        /// The end of `show` afterwards.
        var status: Int32 = 0
        /// The text of the page, or the error.
        let words: String

        init(
            _ name: String,
            of game: String,
            _ texts: [String],
            status: Int32 = 0,
            _ words: String
        ) {
            self.init(name, of: game, texts.map(Value.text), status: status, words)
        }

        init(
            _ name: String,
            of game: String,
            _ values: [Value],
            status: Int32 = 0,
            _ words: String
        ) {
            testDescription = name
            self.game = game
            self.values = values
            self.status = status
            self.words = words
        }
    }

    /// The text of a sheet whose rows are of these kinds, by their ids.
    private static func sheet(
        _ id: String,
        _ name: String,
        engine: String = "rows",
        _ rows: KeyValuePairs<String, String>
    ) -> String {
        let rows = rows.map { #"{"id": "\#($0)", "label": "Row", "kind": "\#($1)"}"# }
        return #"{"id": "\#(id)", "name": "\#(name)", "engine": "\#(engine)", "#
            + #""rows": [\#(rows.joined(separator: ","))]}"#
    }

    private static let garbage = String(repeating: "[\u{1b}[2J", count: 900)

    private static let ofDarts = [
        Replacement(
            "darts without options",
            of: "darts",
            [sheet("darts", "Bare", engine: "darts", ["visit": "moves"])],
            "Bare"
        ),
        Replacement(
            "darts turned into Reversi",
            of: "darts",
            [sheet("darts", "Board", engine: "reversi", ["move": "moves"])],
            "Board"
        ),
        Replacement(
            "darts turned into Ghost",
            of: "darts",
            [sheet("darts", "Letters", engine: "ghost", ["letter": "moves"])],
            "Letters"
        ),
        Replacement(
            "darts turned into rows",
            of: "darts",
            [sheet("darts", "Sums", ["visit": "rounds", "extra": "number"])],
            "Sums"
        ),
        Replacement("darts with garbage", of: "darts", [garbage], status: 1, "is broken"),
        Replacement(
            "darts of a later version",
            of: "darts",
            [sheet("darts", "Later", engine: "telepathy", ["visit": "moves"])],
            status: 8,
            "update this laptop"
        ),
        Replacement("darts with no text for a sheet", of: "darts", [.integer(-7)], "Darts"),
        Replacement(
            "darts with two sheets at once",
            of: "darts",
            [
                sheet("darts", "Bare", engine: "darts", ["visit": "moves"]),
                sheet("darts", "Board", engine: "reversi", ["move": "moves"]),
            ],
            "Board"
        ),
        Replacement(
            "darts with a sheet and garbage at once",
            of: "darts",
            [sheet("darts", "Sums", ["visit": "rounds"]), garbage],
            status: 1,
            "is broken"
        ),
    ]

    private static let ofRounds = [
        Replacement(
            "rounds with other rows",
            of: "rounds",
            [sheet("rounds", "Others", ["points": "number", "text": "text"])],
            "Others"
        ),
        Replacement(
            "rounds turned into darts",
            of: "rounds",
            [sheet("rounds", "Oche", engine: "darts", ["visit": "moves"])],
            "Oche"
        ),
        Replacement("rounds with garbage", of: "rounds", ["{"], status: 1, "is broken"),
        Replacement(
            "rounds with another game's sheet",
            of: "rounds",
            [sheet("tarok", "Tarok", ["hand": "number"])],
            "Rounds"
        ),
        Replacement(
            "rounds with garbage and a sheet at once",
            of: "rounds",
            [garbage, sheet("rounds", "Sums", ["round": "rounds", "extra": "number"])],
            "Sums"
        ),
    ]

    /// The field that says which game it is, in place of the sheet.
    private static let ofNames =
        [
            Replacement("darts called Reversi", of: "darts", ["reversi"], "Reversi"),
            Replacement(
                "darts called what nobody has",
                of: "darts",
                ["telepathy"],
                status: 4,
                "which this laptop does not have"
            ),
            Replacement("rounds called nothing", of: "rounds", [.null], status: 4, "not known"),
        ]
        .map { replacement in
            var replacement = replacement
            replacement.field = Field.game
            return replacement
        }

    @Test(
        "A sheet that is replaced in the middle of a game is used, or reported, on all laptops",
        arguments: ofDarts + ofRounds + ofNames
    )
    func replaced(by replacement: Replacement) throws {
        let table = try Companions("Ann", "Bob", game: replacement.game)
        for laptop in table.laptops { try play(replacement.game, on: laptop) }
        try table.settle()
        let session = try #require(try table[0].current.flatMap { SessionID($0.id) })
        for laptop in table.laptops { try laptop.stop() }
        for (place, value) in replacement.values.enumerated() {
            try StoredSession.rewrite(
                .session(replacement.field),
                of: session,
                to: value,
                byMember: UInt64(place + 1),
                into: table[place].home
            )
        }
        for laptop in table.laptops { try laptop.start("--no-discovery") }
        try table[1].call(table[0])
        for laptop in table.laptops {
            try laptop.run("wait", "--for", "peers=1", "--timeout", "10")
            try laptop.run("wait", "--for", "synced", "--timeout", "10")
        }
        for laptop in table.laptops { try check(replacement, on: laptop) }
        try expectSame(on: table)
        for laptop in table.laptops { try write(on: laptop) }
        try eventually(within: .seconds(15), "both have the same again") {
            try Self.shown(on: table).count == 1
        }
        try goOn(replacement, on: table)
    }

    @Test("A watcher of a replaced sheet sees the new one, or the reason why there is none")
    func watched() throws {
        let table = try Companions("Ann", "Bob", game: "darts")
        let session = try #require(try table[0].current.flatMap { SessionID($0.id) })
        let client = try ControlClient(path: "\(table[0].home)/control.sock", client: "tests 0")
        _ = try client.call(.watch, .init())
        #expect(try nextPage(client).context.gameName == "Darts")
        let page = try table[0].begin(["watch"])
        #expect(try page.firstLine().contains("Friday"))
        let wait = try table[0].begin(["wait", "--for", "turn", "--player", "Bob"])
        // Each by somebody who has seen the one before.
        let board = Self.sheet("darts", "Board", engine: "reversi", ["move": "moves"])
        try replace(by: board, session, byMember: 1, at: table)
        var name = ""
        repeat { name = try nextPage(client).context.gameName } while name == "Darts"
        #expect(name == "Board")
        try replace(by: Self.garbage, session, byMember: 2, at: table)
        let told = #expect(throws: ControlError.self) {
            while true { _ = try nextPage(client) }
        }
        #expect(told?.kind == .failed && told?.message.contains("is broken") == true)
        for running in [page, wait] {
            let outcome = try running.outcome(within: .seconds(20))
            #expect(outcome.status == 1 && outcome.errors.contains("is broken"), "\(outcome)")
            #expect(!outcome.errors.contains("daemon"), "\(outcome)")
        }
        try replace(by: board, session, byMember: 3, at: table)
        try eventually(within: .seconds(15), "there is a page again") {
            try table[0].attempt("show").status == 0
        }
    }

    /// Lets Bob's laptop come back with another sheet.
    private func replace(
        by text: String,
        _ session: SessionID,
        byMember number: UInt64,
        at table: Companions
    ) throws {
        try table[1].stop()
        try StoredSession.rewrite(
            .session(Field.sheet),
            of: session,
            to: .text(text),
            byMember: number,
            into: table[1].home
        )
        try table[1].start("--no-discovery")
        try table[1].call(table[0])
    }

    /// The whole sheet that a watcher is shown next.
    private func nextPage(_ client: ControlClient) throws -> ShowReply {
        while true {
            if let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                if case .snapshot(let show) = event.content { return show }
                continue
            }
            try #require(client.wait(orFor: [-1], milliseconds: 15_000) == .message)
        }
    }

    /// Begins a game.
    private func play(_ game: String, on laptop: Laptop) throws {
        guard game == "darts" else {
            try laptop.run("score", "15", "20")
            return
        }
        try laptop.run("wait", "--for", "turn", "--timeout", "10")
        try laptop.run("play", "60")
    }

    /// Everything that only looks answers with a page, or with the one reason why there is none.
    private func check(_ replacement: Replacement, on laptop: Laptop) throws {
        for words in [["show"], ["show", "--json"], ["conflicts"], ["games", "show"]] {
            let outcome = try answer(words, on: laptop)
            #expect(outcome.status == replacement.status, "\(outcome)")
            let isReason = replacement.status != 0
            let said = isReason ? outcome.errors : outcome.output
            #expect(said.contains(replacement.words) || words != ["show"], "\(outcome)")
        }
        for words in [
            ["history"], ["history", "--json"], ["results"], ["stats"], ["leaders"],
            ["session", "list"], ["session", "show"], ["player", "list"], ["status"],
        ] {
            #expect(try answer(words, on: laptop).status == 0)
        }
        let watch = try laptop.begin(["watch"])
        guard replacement.status == 0 else {
            let outcome = try watch.outcome(within: .seconds(10))
            #expect(outcome.status == replacement.status, "\(outcome)")
            return #expect(outcome.errors.contains(replacement.words), "\(outcome)")
        }
        #expect(try watch.firstLine().contains("Friday"))
    }

    /// Any input is accepted or rejected with a message.
    private func write(on laptop: Laptop) throws {
        for words in [
            ["play", "60"], ["play", "d3"], ["play", "e"], ["score", "15"], ["score", "points=4"],
            ["score", "visit.9=60"], ["clear", "visit.1"], ["clear", "round.1"], ["undo"], ["undo"],
            ["session", "option", "start=301"], ["session", "option"], ["play", "reset"],
            ["player", "add", "Cem"], ["player", "remove", "Cem"],
        ] {
            _ = try answer(words, on: laptop)
        }
    }

    /// The next game is begun by the sheet that holds now; without one, nothing is.
    private func goOn(_ replacement: Replacement, on table: Companions) throws {
        let again = try answer(["session", "new", "--again", "--yes"], on: table[0])
        #expect(again.status == replacement.status, "\(again)")
        if replacement.status == 0 {
            for laptop in table.laptops { try table.awaitCurrent("Friday 2", on: laptop) }
            try table.settle("Friday 2")
        }
        for laptop in table.laptops {
            for words in [["results"], ["stats"], ["leaders"], ["session", "list"]] {
                #expect(try answer(words, on: laptop).status == 0)
            }
            try laptop.run("session", "leave", "Friday", "--yes")
            #expect(laptop.isRunning)
            let complaints = laptop.log.split(separator: "\n").filter { $0.contains(" error ") }
            #expect(complaints == [])
        }
    }

    /// The reply of a command: output or an error, and never a crash or neither.
    private func answer(_ words: [String], on laptop: Laptop) throws -> Outcome {
        let outcome = try laptop.begin(words).outcome()
        let isTold = outcome.status == 0 || !outcome.errors.isEmpty
        #expect([0, 1, 2, 4, 5, 8].contains(outcome.status) && isTold, "\(outcome)")
        #expect(!(outcome.output + outcome.errors).contains("\u{1b}"), "\(outcome)")
        return outcome
    }

    private func expectSame(on table: Companions) throws {
        #expect(try Self.shown(on: table).count == 1)
    }

    /// The sheets that the laptops show; one text if they are equal.
    private static func shown(on table: Companions) throws -> Set<String> {
        Set(
            try table.laptops.map { laptop in
                let outcome = try laptop.attempt("show", "--json")
                return outcome.output + outcome.errors
            }
        )
    }
}
