import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// The live view as people play on it: keys into a real terminal, with a real daemon behind.
@Suite(
    "Played on a terminal",
    .enabled(if: TerminalWindow.isPossible, Comment(rawValue: TerminalWindow.need)),
    .timeLimit(.minutes(10))
)
struct PlayedTerminalTests {
    /// A laptop with a session, and a window in which it is watched.
    private final class Stage {
        let laptop: Laptop
        let window: TerminalWindow

        init(_ game: String, columns: Int, rows: Int = 24, options: [String] = []) throws {
            laptop = try Laptop("Ann")
            try laptop.start("--no-discovery")
            let players = ["--player", "Ann", "--player", "Bob"]
            let named = ["session", "new", game, "--title", "Friday"]
            try laptop.run(named + players + options.flatMap { ["--option", $0] })
            window = try TerminalWindow(columns: columns, rows: rows)
            try watch()
        }

        /// Watches, and waits for a text; the screen that has it.
        @discardableResult
        func watch(_ words: String = "", expecting text: String = "›") throws -> [String] {
            let program = try Programs.path(of: "scorectl")
            try window.type("clear; \(program) --no-spawn --home \(laptop.home) watch \(words)")
            try window.press("Enter")
            return try window.awaitText(text)
        }

        /// Ends watching.
        func quit() throws {
            try window.type("q")
            try window.awaitText("shell:")
        }

        /// Types a line and waits for its answer.
        func enter(_ line: String, expecting answer: String) throws {
            try window.type(line)
            try window.press("Enter")
            try window.awaitText(answer)
        }

        var show: ShowDocument {
            get throws { try laptop.read(ShowDocument.self, "show", "Friday") }
        }
    }

    @Test(
        "A leg of darts, with a typing error and an undone visit",
        arguments: [40, 80, 160]
    )
    func darts(columns: Int) throws {
        let stage = try Stage("darts", columns: columns, options: ["start=301"])
        try stage.enter("100", expecting: "Ann: 100 – Bob to move")
        try stage.enter("60", expecting: "Bob: 60 – Ann to move")
        try stage.enter("200", expecting: "200 cannot be scored with three darts")
        // The line is still there, to be mended.
        try stage.window.press("C-a", "Delete", "End", "BSpace")
        try stage.window.type("40")
        try stage.window.awaitText("› 040")
        try stage.window.press("C-u")
        try stage.enter("140", expecting: "Ann: 140 – Bob to move")
        try stage.enter("54", expecting: "Bob: 54 – Ann to move")
        try stage.window.type("u")
        try stage.window.awaitText("Bob to throw, 241 left")
        try stage.enter("45", expecting: "Bob: 45 – Ann to move")
        try stage.enter("T15 D8", expecting: "Ann has won")
        let show = try stage.show
        #expect(show.finished && show.winners == [show.players[0].id])
        try stage.quit()
    }

    @Test("A sheet of Wingspan, with Tab for players and rows", arguments: [40, 80, 160])
    func wingspan(columns: Int) throws {
        let stage = try Stage("wingspan", columns: columns)
        let sheets = [
            ("An", ["bi": 50, "bo": 10, "g": 15, "e": 8, "f": 3, "t": 5]),
            ("Bob", ["bi": 45, "bo": 12, "g": 18, "e": 7, "f": 4, "t": 3]),
        ]
        for (player, scores) in sheets {
            for (row, points) in scores.sorted(by: { $0.key < $1.key }) {
                try stage.window.type(player)
                try stage.window.press("Tab")
                try stage.window.type(row)
                try stage.window.press("Tab")
                try stage.enter("\(points)", expecting: "= \(points) – total")
            }
        }
        #expect(try stage.show.players.map(\.total) == [91, 89])
        #expect(try stage.window.screen.contains { $0.contains("Total") && $0.contains("91★") })
    }

    @Test("The terminal is given back for a pause, at the end and by a signal")
    func givenBack() throws {
        let stage = try Stage("points", columns: 80)
        let window = stage.window
        try window.type("half a li")
        try window.awaitText("› half a li")
        #expect(try window.isSecondScreen)
        try window.press("C-z")
        try window.awaitText("Stopped")
        #expect(try !window.isSecondScreen)
        try window.type("stty -a | grep -c ' echo '; echo is $((40 + 2))")
        try window.press("Enter")
        let usual = try window.awaitText("is 42")
        #expect(usual.contains("1"))
        try window.type("fg")
        try window.press("Enter")
        try window.awaitText("› half a li")
        try window.resize(columns: 40, rows: 10)
        try window.awaitScreen("the prompt in the last row") { $0.prefix(10).last == "› half a li" }
        // While the daemon is away, typing goes on.
        try stage.laptop.stop()
        try window.awaitText("The daemon has stopped")
        try window.type("ne")
        try window.awaitText("› half a line")
        try stage.laptop.start("--no-discovery")
        try window.awaitScreen("the daemon is back") { lines in
            !lines.contains { $0.contains("The daemon has stopped") }
        }
        try window.awaitText("› half a line")
        try window.press("C-c")
        try window.awaitText("shell:")
        #expect(try !window.isSecondScreen)
    }

    @Test("Pasted text triggers no keys, and a line of it is entered by Enter only")
    func pasted() throws {
        let stage = try Stage("points", columns: 80)
        try stage.enter("Ann 5", expecting: "total 5")
        try stage.window.paste("u\nq\n")
        try stage.window.awaitText("› u q")
        #expect(try stage.show.players[0].total == 5)
        try stage.window.press("C-u")
        try stage.window.paste("Bob 7\n")
        try stage.window.awaitText("› Bob 7")
        #expect(try stage.show.players[1].total == 0)
        try stage.window.press("Enter")
        try stage.window.awaitText("total 7")
    }

    @Test("The view follows to the next game, and switches to another session by a key")
    func evening() throws {
        let stage = try Stage("points", columns: 60)
        try stage.enter("Ann 5", expecting: "total 5")
        try stage.laptop.run("session", "new", "--again", "--title", "Second", "--yes")
        try stage.window.awaitText("“Second” has started")
        try stage.enter("Ann 6", expecting: "total 6")
        #expect(try stage.show.players[0].total == 5)
        try stage.laptop.run("session", "new", "rounds", "--title", "Chess", "--player", "Ann")
        try stage.window.awaitText("“Chess” has started. Press n to switch to it.")
        try stage.window.type("n")
        try stage.window.awaitText("Chess · Rounds")
        try stage.window.press("Tab")
        try stage.window.awaitText("No scores yet")
    }

    @Test("Lines of JSON go on to the next game, too")
    func json() throws {
        let stage = try Stage("points", columns: 200)
        try stage.quit()
        try stage.watch("--json", expecting: "Friday")
        try stage.laptop.run("score", "Ann", "5")
        try stage.laptop.run("session", "new", "--again", "--title", "Second", "--yes")
        try stage.window.awaitText("Second")
        try stage.window.press("C-c")
    }

    @Test("SIGTERM and the end of the session give the terminal back, too")
    func ended() throws {
        let stage = try Stage("points", columns: 80)
        try stage.window.press("C-z")
        try stage.window.awaitText("Stopped")
        try stage.window.type("kill -TERM %1; fg")
        try stage.window.press("Enter")
        try stage.window.awaitText("Terminated")
        #expect(try !stage.window.isSecondScreen)
        try stage.watch()
        try stage.laptop.run("session", "leave", "--yes")
        try stage.window.awaitText("the session was left")
        #expect(try !stage.window.isSecondScreen)
        try stage.window.type("stty -a | grep -c ' -echo '; echo is $((40 + 2))")
        try stage.window.press("Enter")
        #expect(try stage.window.awaitText("is 42").contains("0"))
    }

    @Test("A read-only view accepts no keys")
    func readOnly() throws {
        let stage = try Stage("points", columns: 80)
        try stage.quit()
        let screen = try stage.watch("--read-only", expecting: "Live as of")
        #expect(!screen.contains { $0.contains("›") })
        try stage.window.press("C-c")
        try stage.window.awaitText("shell:")
        #expect(try !stage.window.isSecondScreen)
    }
}
