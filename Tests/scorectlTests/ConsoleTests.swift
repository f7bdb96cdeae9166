import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

/// The environment's effect on output.
@Suite(.timeLimit(.minutes(10)))
struct ConsoleTests {
    /// Whether colours are used, by option, terminal and environment.
    struct Case: Sendable {
        let isColored: Bool
        let words: [String]
        let isTerminal: Bool
        let variables: [String: String]

        init(
            _ isColored: Bool,
            _ words: [String] = [],
            terminal: Bool = true,
            in variables: [String: String] = [:]
        ) {
            self.isColored = isColored
            self.words = words
            isTerminal = terminal
            self.variables = variables
        }
    }

    @Test("Pages and messages are in ASCII for a terminal without more")
    func ascii() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        for words in [["show"], ["show", "--columns"], ["score", "Ann", "x…"], ["history"]] {
            let shown = Harness(home).run(words, columns: 80, variables: ["LC_ALL": "C"])
            let text = shown.output + shown.errors
            #expect(!text.isEmpty && !text.contains { "─★·→–“”’…".contains($0) }, "\(text)")
        }
        let plain = Harness(home).run(["show"], columns: 80)
        #expect(plain.output.contains("─"))
        withExtendedLifetime(daemon) {}
    }

    @Test(
        "Colours follow the option, then the environment",
        arguments: [
            Case(true), Case(false, terminal: false), Case(false, in: ["NO_COLOR": "1"]),
            Case(true, in: ["NO_COLOR": ""]), Case(false, in: ["TERM": "dumb"]),
            Case(false, ["--color", "never"]), Case(true, ["--color=always"], terminal: false),
            Case(false, ["--json", "--color=always"]),
            Case(true, terminal: false, in: ["FORCE_COLOR": "1"]),
            Case(false, terminal: false, in: ["FORCE_COLOR": ""]),
            Case(true, in: ["FORCE_COLOR": "1", "NO_COLOR": "1"]),
            Case(false, ["--color=never"], in: ["FORCE_COLOR": "1"]),
            Case(true, ["--color=always"], terminal: false, in: ["NO_COLOR": "1"]),
            Case(true, terminal: false, in: ["CLICOLOR_FORCE": "1"]),
            Case(false, terminal: false, in: ["CLICOLOR_FORCE": "0"]),
            Case(false, in: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]),
            Case(false, in: ["CLICOLOR": "0"]), Case(true, in: ["CLICOLOR": "1"]),
            Case(false, terminal: false, in: ["CLICOLOR": "1"]),
            Case(true, in: ["CLICOLOR": "0", "CLICOLOR_FORCE": "1"]),
        ]
    )
    func color(of one: Case) throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let shown = Harness(home).run(
            ["show"] + one.words,
            columns: one.isTerminal ? 80 : nil,
            variables: one.variables
        )
        #expect(shown.output.contains("\u{1B}[") == one.isColored, "\(one)")
        withExtendedLifetime(daemon) {}
    }

    @Test("Errors and questions are wrapped to the width of a terminal, and only there")
    func wrapped() throws {
        let home = try TemporaryHome()
        let text = "there is nobody called Zoe in this session, nor was there ever anybody"
        let hint = "add a player with: scorectl player add NAME"
        let daemon = try FakeDaemon(home: home, error: .notFound(text, hint: hint))
        let harness = Harness(home)
        let wide = harness.run(["score", "Zoe", "5"])
        #expect(wide.errors == "scorectl: \(text); \(hint)\n")
        let narrow = harness.run(
            ["score", "Zoe", "5"],
            columns: 40,
            adjust: { $0.isErrorTerminal = true }
        )
        #expect(
            narrow.errors == """
                scorectl: there is nobody called Zoe in
                this session, nor was there ever
                anybody; add a player with:
                scorectl player add NAME

                """
        )
        withExtendedLifetime(daemon) {}
    }

    @Test("Sentences on standard output are wrapped, tables and pipes are not")
    func sentences() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let started = harness.run(["session", "new", "rounds", "--color", "never"], columns: 40)
        #expect(
            started.output == """
                Started Friday (rounds, open, 3 players)
                To invite other laptops:
                scorectl session invite

                """
        )
        let words = ["peer", "list", "--color", "never"]
        #expect(harness.run(words, columns: 40).output == harness.run(words).output)
        withExtendedLifetime(daemon) {}
    }

    @Test("A question is wrapped, and its answer typed after it")
    func question() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let asked = Harness(home).run(
            ["session", "leave"],
            input: "n",
            columns: 40,
            adjust: { ($0.isErrorTerminal, $0.isInputTerminal) = (true, true) }
        )
        let lines = asked.errors.split(separator: "\n")
        #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 41 }, "\(asked)")
        #expect(asked.errors.contains("[y/N] "))
        withExtendedLifetime(daemon) {}
    }

    @Test("A terminal that can only print gets what a pipe gets, but is asked")
    func dumb() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let variables = ["TERM": "dumb"]
        for words in [["show"], ["help"], ["history"], ["score", "x", "-q", "-v"]] {
            let shown = harness.run(
                words,
                columns: 50,
                variables: variables,
                adjust: { console in
                    console.isErrorTerminal = true
                    console.showInPager = { _, _ in true }
                }
            )
            #expect(shown == harness.run(words))
        }
        let leave = harness.run(
            ["session", "leave"],
            input: "y",
            variables: variables,
            adjust: { $0.isInputTerminal = true }
        )
        #expect(leave.status == 0)
        withExtendedLifetime(daemon) {}
    }

    @Test("In a pipe a page is as wide as a valid COLUMNS")
    func columns() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        func widest(_ columns: String?) -> Int {
            let variables = columns.map { ["COLUMNS": $0] } ?? [:]
            let lines = harness.run(["games"], variables: variables).output.split(separator: "\n")
            return lines.map { TextWidth.of(String($0)) }.max() ?? 0
        }
        let usual = widest(nil)
        #expect(usual > 40)
        #expect(widest("40") <= 40)
        for nonsense in ["", "x", "0", "-5"] { #expect(widest(nonsense) == usual, "\(nonsense)") }
        withExtendedLifetime(daemon) {}
    }
}
