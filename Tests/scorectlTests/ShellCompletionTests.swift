import SyncProtocol
import Testing

@testable import scorectl

@Suite("Completion in shells")
struct ShellCompletionTests {
    /// A source of a few candidates.
    private struct Known: CandidateSource {
        var players = ["Ann", "Bob the Great", "O'Neil", "Zoë: \"Q\" $x", "张伟"]

        func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
            switch kind {
            case .player, .removedPlayer: players.map { Candidate(text: $0) }
            case .score: [Candidate(text: "birds="), Candidate(text: "eggs=")]
            case .session: [Candidate(text: "Friday night", summary: "rounds")]
            case .game: [Candidate(text: "rounds", summary: "Rounds")]
            case .address: [Candidate(text: "10.0.0.9:47615")]
            default: []
            }
        }
    }

    /// The default break characters of bash.
    private static let breaks = " \t\n\"'><=;|&(:"

    private func lines(
        _ line: String,
        _ shell: String = "bash",
        _ known: Known = Known()
    ) -> [String] {
        ShellCompletion(commands: CommandTree.commands)
            .lines(for: shell, ShellWords(line), breakingAt: Self.breaks, known)
    }

    @Test("completes commands, options, their values and names from the daemon")
    func offers() {
        #expect(lines("scorectl sco") == ["words", "score"])
        #expect(lines("scorectl player ren") == ["words", "rename"])
        #expect(lines("scorectl score A") == ["words", "Ann"])
        #expect(lines("scorectl score Ann e") == ["open", "eggs="])
        #expect(lines("scorectl history --pl") == ["words", "--player"])
        #expect(lines("scorectl history --player A") == ["words", "Ann"])
        #expect(lines("scorectl --color n") == ["words", "never"])
        #expect(lines("scorectl show --json --j") == ["words"])
        #expect(lines("scorectl --session X sco") == ["words", "score"])
        #expect(lines("scorectl games add ") == ["files"])
        #expect(lines("scorectl games s") == ["words", "search", "show"])
        #expect(lines("scorectl --home ") == ["directories"])
        #expect(lines("scorectl help session ne") == ["words", "new"])
        #expect(lines("scorectl nonsense ") == ["words"])
        #expect(lines("scorectl score -- --") == ["words"])
        #expect(lines("scorec") == [])
        #expect(lines("") == [])
    }

    @Test("gives zsh and fish unquoted words with summaries")
    func summaries() {
        #expect(lines("scorectl show ", "zsh") == ["words", "Friday night\trounds"])
        #expect(
            lines("scorectl --session=F", "fish") == ["words", "--session=Friday night\trounds"]
        )
        #expect(lines("scorectl score bo", "fish") == ["words", "Bob the Great"])
    }

    @Test("gives bash the text after the last break character")
    func breaking() {
        #expect(lines("scorectl --session=Fr") == ["words", #"Friday\ night"#])
        #expect(lines("scorectl peer add 10.0.0.9:4") == ["words", "47615"])
        #expect(lines("scorectl score Zoë:") == ["words", #"\ \"Q\"\ \$x"#])
    }

    @Test("The text for bash results in the name, for any beginning")
    func quoting() {
        for name in Known().players + ["a\\b", "`x`", "*", "~", "#1", "!", "a;b&c|d", "x=y:z=w"] {
            for count in 0...name.count {
                let begun = String(name.prefix(count))
                for quote in ["", "'", "\""] {
                    expect(name, begunBy: begun, in: quote)
                }
            }
        }
    }

    private func expect(_ name: String, begunBy begun: String, in quote: String) {
        // Typed by the same rules, and then replaced as bash does it.
        let head = "scorectl score "
        let typed: String
        switch quote {
        case "'":
            typed = quote + begun.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
        case "\"":
            typed = quote + begun.map { "\\\"$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        default:
            typed = begun.map { $0.isLetter || "=:".contains($0) ? "\($0)" : "\\\($0)" }.joined()
        }
        let words = ShellWords(head + typed)
        guard words.last ?? "" == begun else {
            Issue.record("\(typed) is \(words)")
            return
        }
        let word = BashQuoting(words, breakingAt: Self.breaks)
        var kept = ""
        if quote.isEmpty {
            let broken = typed.lastIndex { "=:".contains($0) }
            kept = broken.map { String(typed[...$0]) } ?? ""
        } else if quote == "'" {
            // Behind the last quote that opens.
            kept = typed.lastIndex(of: "'").map { String(typed[...$0]) } ?? "'"
        } else {
            kept = quote
        }
        let line = head + kept + word.replacement(by: name) + quote
        #expect(ShellWords(line).all == ["scorectl", "score", name], "\(typed) became \(line)")
    }

    @Test("passes on no name that could move a cursor")
    func harmless() {
        let known = Known(players: ["A\u{1B}[2J", "A\nB", "A\u{202E}C", "Abe"])
        for shell in ShellCompletion.shells {
            #expect(lines("scorectl score A", shell, known) == ["words", "Abe"])
        }
    }

    @Test("returns nothing without a daemon, starts none, and never fails")
    func alone() throws {
        let harness = Harness(try TemporaryHome())
        let outcome = harness.run(["__complete", "bash", "scorectl score A", Self.breaks])
        #expect(outcome == Harness.Outcome(status: 0, output: "words\n", errors: ""))
        for line in ["", "'", "scorectl '", "scorectl --", "scorectl --home", "\\", "a \"b\\"] {
            let outcome = harness.run(["__complete", "zsh", line])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(line)")
        }
        #expect(harness.launched.isEmpty)
    }

    @Test("asks the running daemon")
    func asking() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        defer { withExtendedLifetime(daemon) {} }
        let harness = Harness(home)
        let outcome = harness.run(["__complete", "zsh", "scorectl score A"])
        #expect(outcome.output == "words\nAnn\n")
        #expect(harness.run(["__complete", "zsh", "scorectl show F"]).output.contains("Friday"))
        // Removed players are candidates only for 'restore'.
        #expect(
            harness.run(["__complete", "zsh", "scorectl player restore "]).output.contains("Dan")
        )
        #expect(!harness.run(["__complete", "zsh", "scorectl score D"]).output.contains("Dan"))
    }
}
