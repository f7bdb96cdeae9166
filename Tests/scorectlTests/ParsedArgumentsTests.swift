import ScoreSheets
import SyncProtocol
import Testing

@testable import scorectl

@Suite("Parsed arguments")
struct TypedLineTests {
    private func parse(_ text: String) throws(ControlError) -> ParsedArguments {
        try ParsedArguments(text.split(separator: " ").map(String.init), in: CommandTree.commands)
    }

    @Test(
        "are split into command, words and options",
        arguments: [
            ("score Ann 42", "score", ["Ann", "42"], [:]),
            ("score Ann points=-3", "score", ["Ann", "points=-3"], [:]),
            ("score -5", "score", ["-5"], [:]),
            ("score Ann -.5 -0", "score", ["Ann", "-.5", "-0"], [:]),
            ("--json show", "show", [], ["json": [""]]),
            ("show --json", "show", [], ["json": [""]]),
            ("show --home=/x --session S", "show", [], ["home": ["/x"], "session": ["S"]]),
            ("session --title T new rounds", "session new", ["rounds"], ["title": ["T"]]),
            (
                "session new rounds --player A --player=B", "session new", ["rounds"],
                ["player": ["A", "B"]]
            ),
            ("history --limit -5", "history", [], ["limit": ["-5"]]),
            ("history --row=a=b", "history", [], ["row": ["a=b"]]),
            ("history --row=", "history", [], ["row": [""]]),
            ("join -", "join", ["-"], [:]),
            ("player add -- --json -x", "player add", ["--json", "-x"], [:]),
            ("-h score", "score", [], ["help": [""]]),
            ("", "", [], [:]),
        ] as [(String, String, [String], [String: [String]])]
    )
    func good(text: String, path: String, words: [String], options: [String: [String]]) throws {
        let line = try parse(text)
        #expect(line.path.joined(separator: " ") == path)
        #expect(line.words == words)
        #expect(line.options == options)
    }

    @Test(
        "Invalid arguments are refused, with suggestions",
        arguments: [
            ("shwo", "unknown command 'shwo'", ["show"]),
            ("sess list", "unknown command 'sess'", ["session"]),
            ("session lst", "unknown command 'session lst'", ["list"]),
            ("xyzzy", "unknown command 'xyzzy'", nil),
            ("show --jsn", "unknown option '--jsn'", ["--json"]),
            ("show -json", "unknown option '-json'", ["--json"]),
            ("show --title T", "unknown option '--title'", nil),
            ("version --for 5", "unknown option '--for'", nil),
            (
                "session new points -n 5", "unknown option '-n'", ["--no-pager", "--no-spawn"]
            ),
            ("show --json=yes", "--json takes no value", nil),
            ("show --home", "--home needs DIR", nil),
            ("show --home a --home b", "--home given more than once", nil),
            ("show --color red", "--color is always, auto or never, not 'red'", nil),
        ] as [(String, String, [String]?)]
    )
    func bad(text: String, message: String, candidates: [String]?) {
        let error = #expect(throws: ControlError.self) { try parse(text) }
        #expect(error == ControlError(.usage, message, candidates: candidates))
    }

    @Test(
        "The number of words is checked",
        arguments: [
            ("score", "missing argument: [PLAYER] ROW[.ROUND]=VALUE..."),
            ("undo it", "unexpected argument 'it'"),
            ("player rename Ann", "missing argument: PLAYER NAME"),
        ]
    )
    func count(text: String, message: String) throws {
        let line = try parse(text)
        #expect(throws: ControlError(.usage, message)) { try line.checkWords() }
    }

    @Test(
        "Commands that are called otherwise are named",
        arguments: [
            ("ls", "session list"), ("SHOW", "show"), ("invite", "session invite"),
            ("session ls", "session list"), ("delete", "session leave"),
        ]
    )
    func otherNames(text: String, path: String) {
        let error = #expect(throws: ControlError.self) { try parse(text) }
        #expect(error?.hint?.contains("scorectl " + path) == true)
    }

    @Test("Names may have commas between them, and none is lost")
    func names() {
        #expect(TypedNames.names("Ann, Bob Lee,Cem") == ["Ann", "Bob Lee", "Cem"])
        #expect(TypedNames.names("Ann") == ["Ann"])
        #expect(TypedNames.names(",") == [","])
    }

    @Test("is compared with swaps, additions and omissions as one mistake each")
    func distance() {
        #expect(Spelling.distance("", "abc") == 3)
        #expect(Spelling.distance("abc", "abc") == 0)
        #expect(Spelling.distance("acb", "abc") == 1)
        #expect(Spelling.distance("ab", "abc") == 1)
        #expect(Spelling.distance("xbc", "abc") == 1)
        #expect(Spelling.distance("score", "show") == 3)
    }

    @Test(
        "Suggestions look like a typed word, or are the first names",
        arguments: [
            (["contaner"], "Did you mean: container?"),
            (["CONTAINR"], "Did you mean: container?"),
            (["Ann", "pionts=5"], "Did you mean: points?"),
            (["tain"], "Did you mean: container?"),
            (["r"], "Available: agricola, container, darts, ghost, points, reversi and 1 more"),
            (["chess"], "Available: agricola, container, darts, ghost, points, reversi and 1 more"),
            (["7"], "Available: agricola, container, darts, ghost, points, reversi and 1 more"),
        ]
    )
    func proposals(words: [String], text: String) {
        let games = ["agricola", "container", "darts", "ghost", "points", "reversi", "rounds"]
        #expect(Suggestion.text(games, near: words) == text)
        #expect(Suggestion.text(["Ann"], near: ["Zoe"]) == "Available: Ann")
    }
}
