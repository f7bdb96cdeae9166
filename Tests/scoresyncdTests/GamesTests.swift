import ControlSocket
import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Games of one's own, the sheets that travel in sessions, and their options.
struct GamesTests {
    /// The sheet of a game of rounds that ends at a total.
    private func sheet(id: String = "tarok", version: Int = 1, target: Int = 50) -> String {
        """
        {"id": "\(id)", "name": "Tarok", "version": \(version), "summary": "Rounds to \(target).",
         "rows": [{"id": "round", "label": "Round", "kind": "rounds"}],
         "options": [{"name": "wins", "kind": "choice", "choices": ["highest", "lowest"],
                      "default": "highest", "help": "Which total wins."}],
         "wins": {"option": "wins"}, "target": \(target)}
        """
    }

    /// A file in the home of a laptop, and its path.
    private func file(_ text: String, on laptop: Laptop) throws -> String {
        let path = "\(laptop.home)/game.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("A game that one laptop has is played on another, and a later version changes nothing")
    func travels() throws {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("games", "add", try file(sheet(), on: ann))
        try ann.run(
            "session",
            "new",
            "tar",
            "--title",
            "Friday",
            "--player",
            "Ann",
            "--player",
            "Bob"
        )
        let code = try #require(try ann.read(InviteReply.self, "session", "invite").code)
        let port = try ann.read(StatusReply.self, "status").daemon.port
        try bob.run("join", code, "--peer", "127.0.0.1:\(port)")
        for laptop in [ann, bob] { try laptop.run("wait", "--for", "synced", "--timeout", "10") }
        let known = try bob.read(GameListReply.self, "games").items
        #expect(!known.contains { $0.id == "tarok" || $0.own })
        try ann.run("score", "Ann", "0")
        try bob.run("score", "Bob", "60")
        try eventually(within: .seconds(5), "Ann's laptop shows that Bob has won") {
            try ann.read(ShowDocument.self, "show").finished
        }
        let shown = try ann.run("show", "--json")
        #expect(try bob.run("show", "--json") == shown)
        // A changed file is a new version, for new sessions only.
        try ann.run("games", "add", try file(sheet(version: 2, target: 100), on: ann))
        #expect(try ann.run("show", "--json") == shown)
        for laptop in [ann, bob] {
            let played = try laptop.read(GameReplyOnPaper.self, "games", "show").game
            #expect(played.version == 1 && played.summary == "Rounds to 50.")
        }
        // The laptop that has the newer one goes on by the older one, over a restart, too.
        try ann.stop()
        try ann.start("--no-discovery")
        #expect(try ann.run("show", "--json") == shown)
        try ann.run("session", "new", "tarok", "--player", "Ann")
        try ann.run("score", "Ann", "60")
        #expect(try !ann.read(ShowDocument.self, "show").finished)
        #expect(try ann.read(GameReplyOnPaper.self, "games", "show").game.version == 2)
    }

    /// The fields of `games show --json` that matter here.
    private struct GameReplyOnPaper: Decodable {
        let game: GameSummary
    }

    @Test("A user game is replaced only by a newer version, and a built-in game never")
    func versions() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        func add(_ text: String) throws -> Outcome {
            try laptop.attempt("games", "add", try file(text, on: laptop))
        }
        #expect(try add(sheet(version: 2)).status == 0)
        // Spaces are no other content.
        #expect(try add(sheet(version: 2).replacing(",", with: " , ")).output.contains("already"))
        let changed = try add(sheet(version: 2, target: 70))
        #expect(changed.status == 5 && changed.errors.contains("raise \"version\""), "\(changed)")
        let older = try add(sheet(version: 1))
        #expect(older.status == 5 && older.errors.contains("games remove tarok"), "\(older)")
        #expect(try add(sheet(version: 3, target: 70)).status == 0)
        let builtIn = try add(sheet(id: "points"))
        #expect(builtIn.status == 5 && builtIn.errors.contains("another id"), "\(builtIn)")
        #expect(try laptop.attempt("games", "remove", "points").status == 5)
        try laptop.stop()
        try laptop.start("--no-discovery")
        let own = try laptop.read(GameListReply.self, "games").items.filter(\.own)
        #expect(own.map(\.version) == [3])
        #expect(try laptop.run("games", "export", "tarok") == sheet(version: 3, target: 70) + "\n")
        try laptop.run("games", "remove", "tarok", "--yes")
        #expect(try laptop.read(GameListReply.self, "games").items.allSatisfy { !$0.own })
        let gone = try laptop.attempt("session", "new", "tarok")
        #expect(gone.status == 4 && gone.errors.contains("Available: "), "\(gone)")
    }

    @Test("A game is explained with the options of the next game, and a sheet checked on its own")
    func explained() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let client = try ControlClient(path: laptop.home + "/control.sock", client: "test")
        try laptop.run("session", "new", "darts", "--option", "legs=3")
        let darts = try client.call(.game, .init(game: "darts"))
        let options = try #require(darts.options)
        #expect(options.map(\.name) == ["start", "out", "in", "legs", "sets", "all-legs"])
        #expect(options[3].value == .integer(3) && options[3].default == .integer(1))
        #expect(darts.computer == false)
        #expect(try client.call(.game, .init(game: "reversi")).computer == true)
        var wish = SheetParameters(sheet: sheet())
        wish.check = true
        let checked = try client.call(.addGame, wish)
        #expect(checked.game.name == "Tarok" && checked.before == nil)
        #expect(throws: ControlError.self) { try client.call(.game, .init(game: "tarok")) }
        wish.check = nil
        _ = try client.call(.addGame, wish)
        let added = try client.call(.game, .init(game: "tarok"))
        #expect(added.rules?.first == "The highest total wins, unless wins is set otherwise.")
        #expect(added.rows?.map(\.label) == ["Round"])
    }

    @Test("A game is found by the text of its sheet, and sessions do not carry groups")
    func groups() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        let grouped = sheet().replacing("\"rows\"", with: "\"group\": \"cards\", \"rows\"")
        try laptop.run("games", "add", try file(grouped, on: laptop))
        let list = try laptop.read(GameListReply.self, "games").items
        #expect(list.first { $0.id == "tarok" }?.group == "cards")
        #expect(list.first { $0.id == "darts" }?.group == "sport")
        #expect(list.allSatisfy { $0.found == nil })
        let found = try laptop.read(GameListReply.self, "games", "search", "round", "CARD").items
        #expect(found.map(\.id).contains("tarok"))
        #expect(
            found.first { $0.id == "tarok" }?.found == [
                GameFinding(place: "summary", text: "Rounds to 50."),
                GameFinding(place: "group", text: "Cards"),
            ]
        )
        let none = try laptop.attempt("games", "search", "round", "xyzzy")
        #expect(none.status == 4 && none.errors.contains("“round” and “xyzzy”"), "\(none)")
        // The session has it without, and is still said to be played by the user's own game.
        try laptop.run("session", "new", "tarok", "--title", "Friday", "--player", "Ann")
        let played = try laptop.read(GameReplyOnPaper.self, "games", "show").game
        #expect(played.own && played.group == "cards")
        #expect(try laptop.run("games", "export") == grouped + "\n")
        try laptop.run("export", "--yes", "\(laptop.home)/export.json")
        let text = try String(contentsOfFile: "\(laptop.home)/export.json", encoding: .utf8)
        #expect(text.contains("Rounds to 50.") && !text.contains("cards"))
    }

    @Test("A game is found by a part of its name, and a miss suggests similar names")
    func names() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        #expect(try laptop.run("games", "show", "duel").contains("(7-wonders-duel)"))
        #expect(try laptop.run("games", "show", "7-wonders").contains("(7-wonders)"))
        let near = try laptop.attempt("games", "show", "wonders")
        #expect(near.status == 4, "\(near)")
        #expect(near.errors.contains("Did you mean: 7-wonders, 7-wonders-duel?"), "\(near)")
        let unknown = try laptop.attempt("session", "new", "chess")
        #expect(unknown.status == 4 && unknown.errors.contains("there is no game “chess”"))
    }

    @Test("A sheet that cannot be played is reported, and stops neither the daemon nor the others")
    func strangeSheets() throws {
        let laptop = try Laptop("ann-laptop")
        let deep = String(repeating: "[", count: 100_000)
        try StoredSession.write(
            [
                "Broken": [Field.game: "tarok", Field.sheet: "{"],
                "Deep": [Field.game: "tarok", Field.sheet: deep],
                "Engine": [
                    Field.game: "tarok",
                    Field.sheet: #"{"engine": "telepathy", "#
                        + sheet().dropFirst(),
                ],
                "Field": [
                    Field.game: "tarok", Field.sheet: #"{"colour": "red", "# + sheet().dropFirst(),
                ],
                "Nothing": [:],
                "Other": [Field.game: "points", Field.sheet: sheet()],
                "Sound": [Field.game: "tarok", Field.sheet: sheet()],
            ],
            into: laptop.home
        )
        try laptop.start("--no-discovery")
        #expect(try laptop.read(SessionListReply.self, "session", "list").items.count == 7)
        func expect(_ title: String, _ status: Int32, _ words: String) throws {
            for command in [["show"], ["score", "Ann", "5"], ["session", "option"]] {
                let outcome = try laptop.begin(command + ["--session", title]).outcome()
                #expect(outcome.status == status, "\(outcome)")
                #expect(outcome.errors.contains(words), "\(outcome)")
                #expect(outcome.errors.contains("“\(title)”"), "\(outcome)")
            }
            try laptop.run("session", "show", title)
        }
        try expect("Broken", 1, "is broken")
        try expect("Deep", 1, "is broken")
        try expect("Engine", 8, "a newer ScoreSync; update this laptop")
        try expect("Field", 8, "a newer ScoreSync; update this laptop")
        try expect("Nothing", 4, "not known here yet")
        // A sheet of another game is none of this one.
        try laptop.run("score", "Ann", "5", "--session", "Other")
        let sound = ["score", "Ann", "60", "--session", "Sound"]
        try laptop.run(sound)
        #expect(try laptop.read(ShowDocument.self, "show", "Sound").finished)
        #expect(laptop.isRunning)
    }

    @Test("A session without a sheet, from an early version, uses the games of the laptop")
    func withoutSheet() throws {
        let laptop = try Laptop("ann-laptop")
        try StoredSession.write(
            ["Old": [Field.game: "points"], "Strange": [Field.game: "tarok"]],
            into: laptop.home
        )
        try laptop.start("--no-discovery")
        try laptop.run("score", "Ann", "5", "--session", "Old")
        let refused = try laptop.attempt("show", "Strange")
        #expect(refused.status == 4 && refused.errors.contains("games add FILE"), "\(refused)")
        try laptop.run("games", "add", try file(sheet(), on: laptop))
        try laptop.run("score", "Ann", "60", "--session", "Strange")
        #expect(try laptop.read(ShowDocument.self, "show", "Strange").finished)
        // Without a sheet of its own it goes with the laptop's.
        try laptop.run("games", "add", try file(sheet(version: 2, target: 90), on: laptop))
        #expect(try !laptop.read(ShowDocument.self, "show", "Strange").finished)
    }

    @Test("Options are listed, changed by the rules, and seen by what they change")
    func options() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann", "--player", "Bob")
        try laptop.run("score", "Ann", "5")
        try laptop.run("score", "Bob", "9")
        func ranks() throws -> [Int?] {
            try laptop.read(ShowDocument.self, "show").players.map(\.rank)
        }
        #expect(try ranks() == [2, 1])
        try laptop.run("session", "option", "w=low", "target=100")
        #expect(try ranks() == [1, 2])
        let options = try laptop.read(SessionOptionReply.self, "session", "option").options
        #expect(options.map(\.name) == ["wins", "target", "halves"])
        #expect(options.map(\.value) == [.text("lowest"), .integer(100), .boolean(false)])
        #expect(options.map(\.default) == [.text("highest"), .null, .boolean(false)])
        let session = try laptop.read(SessionReply.self, "session", "show").session
        #expect(session.options == ["target": .integer(100), "wins": .text("lowest")])
        try laptop.run("session", "option", "wins=default")
        #expect(try ranks() == [2, 1])
        for (words, status) in [
            ("target=0", 5), ("nonsense=1", 5), ("target", 2), ("target=1 tar=2", 2),
        ] as [(String, Int32)] {
            let typed = ["session", "option"] + words.split(separator: " ").map(String.init)
            let outcome = try laptop.begin(typed).outcome()
            #expect(outcome.status == status, "\(outcome)")
        }
        try laptop.run("session", "finish")
        let late = try laptop.attempt("session", "option", "target=7")
        #expect(late.status == 5 && late.errors.contains("finished"), "\(late)")
    }
}
