import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Sessions that go into a file and come back.
@Suite(.timeLimit(.minutes(10)))
struct ExportTests {
    /// Two laptops with an evening behind them: a conflict, corrections, something undone, a
    /// removed player, teams, a game of the user's own, one that is finished and the next after it.
    private struct Evening {
        let table: Companions
        let file: String
        private let scratch: ScratchDirectory

        init() throws {
            table = try Companions("Ann", "Bob")
            scratch = try ScratchDirectory()
            file = "\(scratch.path)/scores.json"
            let (ann, bob) = (table[0], table[1])
            try ann.run("score", "round.1=12")
            try bob.run("score", "round.1=5")
            try ann.run("score", "round.1=13")
            try ann.run("undo")
            try ann.run("player", "add", "Cem")
            try ann.run("score", "Cem", "round.1=4+5")
            try ann.run("player", "remove", "Cem")
            try ann.run("player", "team", "Reds", "Ann", "Bob")
            try table.settle()
            try bob.run("daemon", "offline")
            try ann.run("score", "Bob", "round.2=7")
            try bob.run("score", "Bob", "round.2=8")
            try bob.run("daemon", "online")
            try bob.call(ann)
            try table.settle()
            try ann.run("session", "new", "--again", "--yes")
            try ann.run("score", "round.1=20")
            try ann.run("games", "add", try sheet())
            try ann.run("session", "new", "herzeln", "--title", "Ours", "--player", "Ann")
            try ann.run("score", "Ann", "3")
        }

        private func sheet() throws -> String {
            let path = "\(scratch.path)/herzeln.json"
            let text = try table[0].run("games", "export", "rounds")
            let own = text.replacing("\"id\": \"rounds\"", with: "\"id\": \"herzeln\"")
                .replacing("\"name\": \"Rounds\"", with: "\"name\": \"Herzeln\"")
            try Data(own.utf8).write(to: URL(filePath: path))
            return path
        }
    }

    private func file(_ text: String, in scratch: ScratchDirectory) throws -> String {
        let path = "\(scratch.path)/file.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func text(of path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }

    private func fresh(_ name: String = "new-laptop") throws -> Laptop {
        let laptop = try Laptop(name)
        try laptop.start("--no-discovery")
        return laptop
    }

    /// The ends of the sessions in a file, which say all that is in it.
    private func ends(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").map(String.init).filter { $0.contains("session-end") })
    }

    @Test(
        "After an import, an empty laptop shows all sessions and their history byte for byte",
        arguments: [[String](), ["--with-key"]]
    )
    func roundTrip(options: [String]) throws {
        let evening = try Evening()
        let ann = evening.table[0]
        try ann.run(["export", "--all", evening.file] + options)
        let cem = try fresh()
        try cem.run("import", evening.file)
        let titles = try ann.sessions.map(\.title)
        #expect(titles == ["Ours", "Friday 2", "Friday"])
        #expect(try cem.sessions.map(\.title) == titles)
        #expect(try cem.current?.title == "Ours")
        for title in titles {
            for command in ["show", "history", "conflicts", "chart"] {
                let words = [command] + (command == "show" ? [title] : ["--session", title])
                #expect(
                    try ann.run(words + ["--json"]) == cem.run(words + ["--json"]),
                    "\(command) \(title)"
                )
            }
        }
        #expect(try ann.run("results", "--json") == cem.run("results", "--json"))
        let again = "\(evening.file).again.json"
        try cem.run(["export", "--all", again] + options)
        let lines = (try text(of: evening.file), try text(of: again))
        #expect(ends(lines.0).count == 3)
        let (first, second) = (lines.0.split(separator: "\n"), lines.1.split(separator: "\n"))
        #expect(first.dropFirst() == second.dropFirst(), "all but the header is the same")
        let attributes = try FileManager.default.attributesOfItem(atPath: evening.file)
        let mode = "\(attributes[.posixPermissions] ?? 0)"
        if !options.isEmpty { #expect(mode == "\(0o600)") }
        #expect(lines.0.contains("\"key\"") == !options.isEmpty)
    }

    @Test("A file without keys has no key of a next game; joining a member restores the key")
    func withoutKeys() throws {
        let evening = try Evening()
        let (ann, bob) = (evening.table[0], evening.table[1])
        try ann.run("export", "Friday", evening.file)
        let exported = try text(of: evening.file)
        let next = try #require(try ann.sessions.first { $0.title == "Friday 2" }?.id)
        #expect(exported.contains("\"\(next)\""))
        #expect(!exported.contains("\(next) "))
        let cem = try fresh()
        try cem.run("import", evening.file)
        #expect(try cem.sessions.map(\.title) == ["Friday"])
        try bob.run("session", "use", "Friday")
        let code = try #require(try bob.read(InviteReply.self, "session", "invite").code)
        let port = try bob.read(StatusReply.self, "status").daemon.port
        try cem.run("join", code, "--peer", "127.0.0.1:\(port)")
        try eventually(within: .seconds(15), "the next game has come") {
            try cem.sessions.contains { $0.title == "Friday 2" }
        }
    }

    @Test("Newer local data stays, missing data is imported, and importing twice changes nothing")
    func heldSession() throws {
        let table = try Companions("Ann", "Bob")
        let scratch = try ScratchDirectory()
        let (ann, bob) = (table[0], table[1])
        try ann.run("score", "round.1=1")
        try table.settle()
        let old = "\(scratch.path)/old.json"
        try ann.run("export", old)
        try bob.run("daemon", "offline")
        try ann.run("score", "round.1=2")
        try bob.run("score", "round.1=5")
        try bob.run("score", "round.2=6")
        let (shown, told) = (try ann.run("show", "--json"), try ann.run("history", "--json"))
        #expect(try ann.run("import", old).contains("already up to date"))
        #expect(try ann.run("show", "--json") == shown)
        #expect(try ann.run("history", "--json") == told)
        let newer = "\(scratch.path)/newer.json"
        try bob.run("export", newer)
        try ann.run("daemon", "offline")
        #expect(try ann.run("import", "--dry-run", newer).contains("would get"))
        #expect(try ann.run("show", "--json") == shown, "a dry run writes nothing")
        #expect(try ann.run("import", newer).contains("added"))
        let merged = try ann.read(ShowDocument.self, "show")
        #expect(merged.players.map(\.total) == [2, 11])
        #expect(try ann.run("import", newer).contains("already up to date"))
        // Nothing is told twice, and the last command can still be undone.
        let lines = try ann.read(HistoryReply.self, "history").items
        #expect(lines.count == 4, "\(lines)")
        try ann.run("undo")
        #expect(try ann.read(ShowDocument.self, "show").players.map(\.total) == [1, 11])
        for laptop in [ann, bob] { try laptop.run("daemon", "online") }
        try ann.call(bob)
        try table.settle()
        #expect(try ann.read(StatusReply.self, "status").alarms.isEmpty)
    }

    @Test("A truncated, damaged, foreign or newer file is rejected, and nothing of it is written")
    func refused() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "A", "--player", "Ann")
        try ann.run("session", "new", "rounds", "--title", "B", "--player", "Ann")
        try ann.run("score", "Ann", "77")
        let scratch = try ScratchDirectory()
        let whole = try ann.run("export", "--all")
        let lines = whole.split(separator: "\n").map { $0 + "\n" }
        let bob = try fresh("bob-laptop")
        for (content, word) in [
            (lines.dropLast().joined(), "it ends after line"),
            (String(whole.dropLast(40)), "the file is incomplete"),
            (whole.replacing(",77]", with: ",78]"), "damaged: line"),
            (whole.replacing("\"version\":1", with: "\"version\":9"), "later ScoreSync"),
            (try ann.run("export", "--format", "csv"), "not a ScoreSync export"),
            ("\u{0}\u{1}", "not a ScoreSync export"), ("", "not a ScoreSync export"),
        ] {
            let path = try file(content, in: scratch)
            for words in [["import", path], ["import", "--dry-run", path]] {
                let outcome = try bob.begin(words).outcome()
                #expect(outcome.status == 1 && outcome.errors.contains(word), "\(outcome)")
            }
            #expect(try bob.sessions.isEmpty, "\(word)")
        }
        #expect(try bob.attempt("import", "/nowhere").status == 4)
        try bob.run("import", try file(whole, in: scratch))
        #expect(try bob.sessions.map(\.title) == ["B", "A"])
    }

    @Test("A file with another key for a session is rejected, one with a lost key restores it")
    func keys() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "A", "--player", "Ann")
        let scratch = try ScratchDirectory()
        let text = try ann.run("export", "--with-key")
        #expect(try ann.run("import", try file(text, in: scratch)).contains("already up to date"))
        let forged = try ann.attempt("import", try file(rekeyed(text), in: scratch))
        #expect(forged.status == 5 && forged.errors.contains("with another key"), "\(forged)")
        let bob = try fresh("bob-laptop")
        try bob.run("import", try file(try ann.run("export"), in: scratch))
        #expect(try !bob.read(StatusReply.self, "status").alarms.isEmpty)
        try bob.run("import", try file(text, in: scratch))
        #expect(try bob.read(StatusReply.self, "status").alarms.isEmpty, "it has its key now")
    }

    /// The file with another key, and a check that fits.
    private func rekeyed(_ text: String) -> String {
        let zeros = String(repeating: "0", count: 64)
        let other = text.replacing(/"key":"[0-9a-f]*"/, with: "\"key\":\"\(zeros)\"")
        let lines = other.split(separator: "\n").map(String.init)
        var hash = SipHash()
        for line in lines.dropFirst().dropLast(2) { hash.add(Array((line + "\n").utf8)) }
        var check = Digest()
        check.add(hash.result)
        return other.replacing(/"check":"[0-9a-f]*"/, with: "\"check\":\"\(check)\"")
    }

    @Test("A daemon that is killed in the middle of an import has each session whole or not at all")
    func killed() throws {
        let ann = try fresh("ann-laptop")
        for number in 1...8 {
            try ann.run("session", "new", "rounds", "--title", "Game \(number)", "--player", "Ann")
            let scores = (1...200).map { "round.\($0)=\($0 * number)" }
            try ann.run(["score", "Ann"] + scores)
        }
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/all.json"
        try ann.run("export", "--all", path)
        let whole = ends(try text(of: path))
        let bob = try fresh("bob-laptop")
        for count in [1, 3, 6] {
            let importing = try bob.begin(["import", path])
            try eventually(within: .seconds(20), "\(count) sessions are there") {
                try bob.sessions.count >= count
            }
            bob.kill()
            _ = try importing.outcome()
            try bob.start("--no-discovery")
            let here = ends(try bob.run("export", "--all"))
            #expect(here.count >= count && here.isSubset(of: whole), "\(here)")
        }
        try bob.run("import", path)
        #expect(ends(try bob.run("export", "--all")) == whole)
    }

    @Test("A spreadsheet is given a line for each cell, and computes nothing of what people wrote")
    func spreadsheet() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "+Friday", "--player", "@SUM(A1)")
        try ann.run("player", "add", "Ann, \"the\" 1st")
        for (player, score) in [("@SUM(A1)", "-5"), ("Ann, \"the\" 1st", "12+9")] {
            try ann.run("score", player, "round.1=\(score)")
        }
        let lines = try ann.run("export", "--format", "csv").split(separator: "\r\n")
        #expect(lines.count == 3)
        #expect(
            lines[0]
                == "title,game,status,name,team,removed,row,round,value,counts,points,by,at,"
                + "conflicts,session,player"
        )
        #expect(lines[1].hasPrefix("'+Friday,rounds,open,'@SUM(A1),,no,round,1,-5,-5,-5,"))
        #expect(lines[2].contains(",\"Ann, \"\"the\"\" 1st\",,no,round,1,12+9,21,21,"))
    }

    /// Returns the lines of an export for spreadsheets, without the byte order mark of a file.
    private func table(_ laptop: Laptop, _ options: String...) throws -> [String] {
        let text = try laptop.run(["export", "--format", "csv"] + options)
        return text.split(separator: "\r\n").map(String.init)
    }

    @Test("A quote with a combining mark is doubled like any other")
    func quotes() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "A")
        try ann.run("player", "add", "B\"\u{346}, C")
        let lines = try table(ann, "--table")
        #expect(Array(lines[0].utf8) == Array("A,\"B\"\"\u{346}, C\"".utf8))
    }

    @Test("A table also has the column of a player who was removed")
    func removedColumn() throws {
        let ann = try Laptop("ann-laptop")
        try ann.start("--no-discovery")
        try ann.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann,Bob,Cem")
        try ann.run("score", "Ann", "5")
        try ann.run("score", "Bob", "7")
        try ann.run("player", "remove", "Bob", "--yes")
        try ann.run("player", "remove", "Cem", "--yes")
        #expect(
            try table(ann, "--table") == ["Friday,Ann,Bob (removed)", "Round 1,5,7", "Total,5,7"]
        )
    }

    @Test("A table has a line for each round, and a column for each player or side")
    func table() throws {
        let ann = try fresh("ann-laptop")
        let names = ["Ann", "Bob; Jr"].flatMap { ["--player", $0] }
        try ann.run(["session", "new", "azul", "--title", "Friday"] + names)
        try ann.run("score", "Ann", "points.1=7", "floor.1=2", "lines=2")
        try ann.run("score", "Bob; Jr", "points.1=3", "floor.1=0", "points.2=4")
        #expect(
            try table(ann, "--table") == [
                "Friday,Ann,Bob; Jr", "Points 1,7,3", "Floor 1,2,0", "Round 1,5,3",
                "Points 2,,4", "Round 2,,4", "Lines,4,", "Columns,,", "Colours,,",
                "Total,9,7",
            ]
        )
        let semicolons = try table(ann, "--table", "--separator", "semicolon")
        #expect(semicolons[0] == "Friday;Ann;\"Bob; Jr\"" && semicolons[1] == "Points 1;7;3")
        #expect(try table(ann, "--table", "--separator", ";") == semicolons)
        #expect(try table(ann, "--separator", "tab")[0].hasPrefix("title\tgame\t"))
    }

    @Test("A game of darts has a line for each visit, in the order of play")
    func visits() throws {
        let ann = try fresh("ann-laptop")
        let names = ["Ann", "Bob"].flatMap { ["--player", $0] }
        try ann.run(["session", "new", "darts", "--title", "Darts"] + names)
        for visit in ["T20 20 1", "60", "26"] {
            try ann.run(["play"] + visit.split(separator: " ").map(String.init))
        }
        let lines = try table(ann).dropFirst().map { $0.split(separator: ",")[3...7] }
        #expect(
            lines.map { $0.joined(separator: " ") } == [
                "Ann no visit 1 T20 S20 S1", "Bob no visit 2 60", "Ann no visit 3 26",
            ]
        )
        #expect(
            try table(ann, "--table") == [
                "Darts,Ann,Bob", "visit.1,81,", "visit.2,,60", "visit.3,26,", "Legs,0,0",
            ]
        )
    }

    @Test("The name of a file says its format, and a name that says another one is refused")
    func suffixes() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
        try ann.run("score", "Ann", "5")
        try ann.run("session", "finish", "--yes")
        let scratch = try ScratchDirectory()
        for (name, start) in [
            ("a.csv", "\u{FEFF}title,game,"), ("b.CSV", "\u{FEFF}title,game,"),
            ("c.json", "{\"at\""), ("d.jsonl", "{\"comments\""), ("e", "{\"at\""),
        ] {
            let path = "\(scratch.path)/\(name)"
            try ann.run("export", path)
            #expect(try Array(text(of: path).utf8).starts(with: start.utf8), "\(name)")
        }
        let other = "\(scratch.path)/f.txt"
        try ann.run("export", "--format", "csv", other)
        #expect(try text(of: other).hasPrefix("title,game,"))
        let refused = try ann.attempt("export", "\(scratch.path)/x.pdf")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("json (.json), csv (.csv), bgstats (.jsonl)"))
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/x.pdf"))
        for words in [
            ["--table"], ["--separator", "tab"], ["--separator", "dot", "--format", "csv"],
            ["--table", "x.json"], ["--with-key", "x.csv"],
        ] { #expect(try ann.begin(["export"] + words).outcome().status == 2, "\(words)") }
    }

    @Test("Without a finished play, an export for BG Stats is empty and says so")
    func noPlays() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
        let none = try ann.attempt("export", "--format", "bgstats")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(none.errors.contains("No finished plays"))
    }

    @Test("An export of version 0.1.0 is imported completely")
    func ofFirstVersion() throws {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = parts.joined(separator: "/") + "/Fixtures/Exports/0.1.0.json"
        let laptop = try fresh()
        try laptop.run("import", path)
        #expect(try laptop.sessions.map(\.title) == ["Friday 2", "Friday"])
        #expect(try laptop.current?.title == "Friday 2")
        let friday = try laptop.read(ShowDocument.self, "show", "Friday")
        #expect(friday.players.map(\.name) == ["Ann", "Bob", "Cem"])
        #expect(friday.players.map(\.total) == [12, 13, 9])
        #expect(friday.players.map(\.removed) == [false, false, true])
        #expect(friday.players[1].cells.last?.conflict.map(\.value) == [.integer(7)])
        #expect(friday.session.status == "finished")
        let told = try laptop.read(HistoryReply.self, "history", "--session", "Friday").items
        #expect(told.map(\.value).last == .integer(12) && told.count == 7, "\(told)")
        let written = try laptop.run("export", "--all", "--with-key")
        #expect(digests(written) == digests(try text(of: path)) && digests(written).count == 2)
    }

    private func digests(_ text: String) -> Set<String> {
        Set(text.matches(of: /"digest":"[0-9a-f]*"/).map { String($0.output) })
    }

    @Test("An argument is a session or a file, and contradictory options are rejected")
    func words() throws {
        let ann = try fresh("ann-laptop")
        try ann.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
        for words in [
            ["export", "--format", "xml"], ["export", "--with-key", "--format", "csv"],
            ["export", "--all", "--session", "Friday"], ["export", "--json"],
            ["export", "/dev/null"], ["export", "--all", "Friday", "a.json"],
        ] {
            #expect(try ann.begin(words).outcome().status == 2, "\(words)")
        }
        #expect(try ann.attempt("export", "Monday").status == 4)
        #expect(try ann.run("export", "Friday").contains("\"type\":\"end\""))
        let warned = try ann.attempt("export", "--with-key")
        #expect(warned.errors.contains("is a member"))
    }
}
