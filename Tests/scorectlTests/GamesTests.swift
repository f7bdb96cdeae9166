import ControlSocket
import FoundationEssentials
import ScoreSheets
import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite("Games", .timeLimit(.minutes(10)))
struct GamesTests {
    private let home: TemporaryHome
    private let harness: Harness

    init() throws {
        home = try TemporaryHome()
        harness = Harness(home)
    }

    /// A file in the home, and its path.
    private func file(_ text: String, named name: String = "game.json") throws -> String {
        let path = "\(home.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("are listed in their groups, the user's own at the end")
    func list() throws {
        let daemon = try FakeDaemon(home: home)
        #expect(
            harness.run(["games"]).output == """
                Cards
                  hearts  3–6  Tricks without hearts.

                Plain sheets
                  points  1+   One number for each player.

                Your games
                  tichu   2–4  Two teams, to a thousand points. · version 2

                Find one:    scorectl games search WORD
                Explain one: scorectl games show GAME
                Start one:   scorectl session new GAME

                """
        )
        let json = harness.run(["games", "--json"]).output
        #expect(
            json.hasPrefix(
                #"{"games":[{"group":"cards","id":"hearts","name":"Hearts","own":false,"#
                    + #""players":{"from":3,"to":6},"#
            )
        )
        #expect(json.contains(#"{"id":"tichu","name":"Tichu","own":true,"#))
        withExtendedLifetime(daemon) {}
    }

    @Test("of a group that this program does not know, or of none, have a heading, too")
    func otherGroups() {
        var (strange, none) = (Sample.points, Sample.hearts)
        strange.group = "puzzles"
        none.group = nil
        let lines = GameList.lines([none, strange, Sample.points], columns: 80).map(\.text)
        #expect(lines.prefix(2) == ["Plain sheets", "  points  1+   One number for each player."])
        #expect(lines[3] == "Other games" && lines[4].hasPrefix("  hearts  "))
        #expect(lines[5].hasPrefix("  points  ") && lines[6].isEmpty)
    }

    @Test("are found by words, with the matches")
    func search() throws {
        let daemon = try FakeDaemon(home: home)
        #expect(
            harness.run(["games", "search", "hearts", "round"]).output == """
                  hearts  3–6  Tricks without hearts.
                  tichu   2–4  Our Tichu – Two teams, to a thousand points. · version 2
                               → a row: Bombs
                               → its help: … the points of each round …

                """
        )
        #expect(daemon.calls == [#"game.search {"words":["hearts","round"]}"#])
        let json = harness.run(["games", "search", "round", "--json"]).output
        #expect(json.hasPrefix(#"{"games":[{"found":[],"group":"cards","id":"hearts","#))
        #expect(json.contains(#"{"place":"row","text":"Bombs"}"#))
    }

    @Test("that are not found are reported, with the exit status")
    func notFound() throws {
        let daemon = try FakeDaemon(home: home)
        let outcome = harness.run(["games", "search", "nothing"])
        #expect(outcome.status == 4 && outcome.output == "")
        #expect(
            outcome.errors
                == "scorectl: no game mentions “nothing”; to list all games: scorectl games\n"
        )
        let json = harness.run(["games", "search", "nothing", "--json"])
        #expect(json.status == 4 && json.errors.contains(#""kind":"not-found""#), "\(json)")
        for blank in [["games", "search"], ["games", "search", " "]] {
            #expect(harness.run(blank).status == 2)
        }
        withExtendedLifetime(daemon) {}
    }

    @Test("fit the terminal when they are listed, even many of them", arguments: [40, 60, 80, 120])
    func shelf(columns: Int) {
        let groups = GameGroup.allCases
        let games = (0..<45).map { number in
            GameSummary(
                id: "long-name-\(number)",
                name: "Long Name \(number)",
                version: 1,
                summary: "Fields, animals, rooms and people; too little of a thing costs a point.",
                players: PlayerCount(from: 1, to: 5)
            ).with {
                $0.group = groups[number % groups.count].rawValue
                $0.own = number % 11 == 0
            }
        }
        let lines = GameList.lines(games, columns: columns)
        #expect(lines.allSatisfy { $0.width <= columns })
        for game in games { #expect(lines.contains { $0.text.hasPrefix("  \(game.id) ") }) }
        let headings = lines.map(\.text).filter { groups.map(\.heading).contains($0) }
        #expect(headings == groups.map(\.heading))
    }

    @Test("are explained by their sheets")
    func page() throws {
        let daemon = try FakeDaemon(home: home)
        #expect(
            harness.run(["games", "show", "tichu"]).output == """
                Tichu (tichu) · 2 to 4 players · version 2 · yours
                Two teams, to a thousand points.

                Enter the points of each round, Tichus and double wins included.

                Commands
                  score Ann 65

                Rows
                  round  Round  A whole number from -500 to 400 for each round. Card points.
                  bombs  Bombs  A whole number; adds nothing to the total.

                Options
                  target  1000     Takes a whole number of at least 100.
                  wins    highest  Which total wins. Takes highest, lowest.

                Rules in short
                  The highest total wins, unless wins is set otherwise.
                  The game ends when a round is complete and a player has 1000, or what target \
                is set to.
                  Of equal totals the most in “Bombs” decides; else they share the place.

                """
        )
        withExtendedLifetime(daemon) {}
    }

    @Test("fit the terminal, however narrow", arguments: [40, 60, 80, 120])
    func widths(columns: Int) throws {
        let daemon = try FakeDaemon(home: home)
        for words in [
            ["games"], ["games", "search", "x"], ["games", "show", "tichu"], ["session", "option"],
        ] {
            let outcome = harness.run(words, columns: columns)
            #expect(outcome.status == 0)
            for line in outcome.output.split(separator: "\n") {
                let plain = line.replacing(/\u{1B}\[[0-9]*m/, with: "")
                #expect(TextWidth.of(String(plain)) <= columns, "\(plain)")
            }
        }
        withExtendedLifetime(daemon) {}
    }

    @Test("are exported so that the copy can be added again")
    func export() throws {
        let daemon = try FakeDaemon(home: home)
        let exported = harness.run(["games", "export", "tichu"]).output
        #expect(try Sheet(json: exported) == Sheet(json: Sample.tichuSheet))
        #expect(exported.contains(#"  "rows": ["#))
        let path = try file(exported)
        #expect(harness.run(["games", "check", path]).status == 0)
        let added = harness.run(["games", "add", path])
        #expect(added.output.hasPrefix("Added “Tichu” (tichu, version 2), replacing version 1.\n"))
        #expect(daemon.calls.count == 2 && daemon.calls[1].hasPrefix("game.add {"))
    }

    @Test("of ScoreSync are laid out when they are exported, with their keys in order")
    func layout() throws {
        for sheet in SheetLibrary.builtIn.sheets {
            let source = try #require(SheetLibrary.builtInSource(of: sheet.id))
            let lines = JSONLayout.lines(of: source)
            #expect(try Sheet(json: lines.joined(separator: "\n")) == sheet)
            #expect(JSONLayout.lines(of: lines.joined()) == lines)
            #expect(lines.first == "{" && lines.dropFirst().first == #"  "id": "\#(sheet.id)","#)
        }
        let tricky = #"{"a":[],"b":{ },"c" : "x\\\"}],:","d":[1,-2.5e3,null,{"e":true}]}"#
        #expect(
            JSONLayout.lines(of: tricky) == [
                #"{"a": [], "b": {}, "c": "x\\\"}],:", "d": [1, -2.5e3, null, {"e": true}]}"#
            ]
        )
        for text in ["", "{", "[[", "}", "\"", "]]]", "{\"a\":"] { _ = JSONLayout.lines(of: text) }
    }

    @Test("come from standard input, too")
    func standardInput() throws {
        let daemon = try FakeDaemon(home: home)
        var lines = Sample.tichuSheet.split(separator: "\n").map(String.init)
        let outcome = harness.run(
            ["games", "add", "-"],
            adjust: { $0.readLine = { lines.isEmpty ? nil : lines.removeFirst() } }
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(daemon.calls.count == 1)
    }

    @Test("are checked without a daemon, and errors are reported with their positions")
    func check() throws {
        let good = try file(Sample.tichuSheet)
        let fine = harness.run(["games", "check", good])
        let hint = "“tichu” is a built-in game; to add yours, give it another id\n"
        #expect(fine.status == 0 && fine.errors == hint)
        let badText = Sample.tichuSheet.replacing(#""kind": "number""#, with: #""kind": "dice""#)
        let bad = try file(badText, named: "bad.json")
        let found = harness.run(["games", "check", bad])
        #expect(found.status == 1)
        let place = "\(bad):12:47: rows[1].kind: “dice” is not one of: number, "
        #expect(found.output.hasPrefix(place), "\(found)")
        let advice = "1 error in \(bad); check again after fixing, since more may appear"
        #expect(found.errors == "scorectl: \(advice)\n")
        let json = harness.run(["games", "check", bad, "--json"])
        #expect(json.status == 1)
        #expect(json.output.hasPrefix(#"{"problems":[{"column":"#), "\(json)")
        #expect(json.output.contains(#""path":"rows[1].kind""#))
        // Invalid sheets are not sent to the daemon.
        let added = harness.run(["games", "add", bad])
        #expect(added.status == 1 && added.errors.hasPrefix("scorectl: " + place), "\(added)")
        let worse = try file(badText.replacing("label", with: "lable"), named: "worse.json")
        let refused = harness.run(["games", "add", worse])
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.hasSuffix("more: scorectl games check \(worse)\n"), "\(refused)")
        #expect(harness.launched == [])
    }

    @Test(
        "that cannot be read are refused with the reason",
        arguments: [
            (#"{"id": "a""#, "bad.json"),
            (String(repeating: "[", count: 600), "deep.json"),
            (String(repeating: " ", count: Sheet.maxBytes + 1), "long.json"),
        ]
    )
    func unreadable(text: String, name: String) throws {
        let outcome = harness.run(["games", "check", try file(text, named: name)])
        #expect(outcome.status == 1)
        #expect((outcome.output + outcome.errors).contains(name), "\(outcome)")
    }

    @Test("that are missing or no text are reported by path")
    func missing() throws {
        let nowhere = "\(home.path)/nowhere.json"
        let missing = harness.run(["games", "check", nowhere])
        #expect(missing.status == 4 && missing.errors.contains("no such file: \(nowhere)"))
        let sheet = try file("\u{FEFF}" + Sample.tichuSheet, named: "tichu.json")
        #expect(harness.run(["games", "check", sheet]).status == 0)
        let short = harness.run(["games", "check", String(sheet.dropLast(".json".count))])
        #expect(short.status == 4 && short.errors.contains("did you mean \(sheet)?"), "\(short)")
        try Data([0xFF, 0xFE, 0x00]).write(to: URL(filePath: nowhere))
        let noText = harness.run(["games", "check", nowhere])
        #expect(noText.status == 1 && noText.errors.contains("not valid UTF-8"))
    }

    @Test("have options that are listed with values and defaults")
    func options() throws {
        let daemon = try FakeDaemon(home: home)
        #expect(
            harness.run(["session", "option"], columns: 80).output
                .replacing(/\u{1B}\[[0-9]*m/, with: "") == """
                    target  off                        The total that ends the game as soon as
                                                       somebody reaches it. Takes a whole number of
                                                       at least 1.
                    wins    lowest  (default highest)  Which total wins. Takes highest, lowest.

                    """
        )
        withExtendedLifetime(daemon) {}
    }

    @Test("of a session are shown with the options that differ")
    func sessionOptions() {
        var session = Sample.session
        session.options = ["wins": .text("lowest"), "target": .integer(100)]
        let console = Console(
            write: { _ in },
            writeError: { _ in },
            readLine: { nil },
            now: { 0 },
            timeOfDay: { _ in "" },
            date: { _ in "" },
            paths: { (_) throws(ControlError) in throw ControlError(.failed, "") },
            launch: { (_, _) throws(ControlError) in }
        )
        let lines = SessionList.details(session, console).map(\.text)
        #expect(lines.contains("Options  target=100, wins=lowest"))
    }

    @Test("Set options are printed in one line, and all options without arguments")
    func setOptions() {
        let options = Sample.options.options
        func lines(_ words: [String]) -> [String] {
            OptionList.lines(options, named: words, columns: 80).map(\.text)
        }
        #expect(lines(["wi=low"]) == ["wins = lowest"])
        #expect(
            lines(["wins=low", "target=default"]) == ["wins = lowest, target = off (the default)"]
        )
        #expect(lines([]) == OptionList.lines(options, columns: 80).map(\.text))
    }
}
