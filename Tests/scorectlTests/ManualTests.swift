import SyncProtocol
import Synchronization
import Testing

@testable import scorectl

@Suite("Man pages")
struct ManualTests {
    /// The page that is made of some lines.
    private func page(_ name: String, of text: String = "") throws -> [String] {
        let input = Mutex(text.split(separator: "\n", omittingEmptySubsequences: false)[...])
        let outcome = Harness(try TemporaryHome()).run(
            ["__man", name],
            variables: ["SOURCE_DATE_EPOCH": "1795000000"],
            adjust: { console in
                console.readLine = { input.withLock { $0.popFirst().map(String.init) } }
            }
        )
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("escape everything in a text that roff would read as a command")
    func escaping() {
        #expect(
            Roff.escaped(#"a\b -c 'd' "e" ~^`"#) == #"a\eb \-c \(aqd\(aq \(dqe\(dq \(ti\(ha\(ga"#
        )
        #expect(Roff.escaped("1–2 张") == #"1\[u2013]2 \[u5F20]"#)
        #expect(Roff.escaped("\u{1B}[2J") == "[2J")
        var roff = Roff("x", section: 1, date: "2026-01-01", source: "X")
        roff.append(".TH of nothing")
        roff.append("'no macro")
        #expect(roff.lines.suffix(2) == [#"\&.TH of nothing"#, #"\&'no macro"#])
    }

    @Test("list every command, option and exit status of scorectl, with the given date")
    func commands() throws {
        let lines = try page("scorectl")
        #expect(lines[1] == #".TH SCORECTL 1 2026-11-18 "ScoreSync \#(Versions.program)""#)
        let text = lines.joined(separator: "\n")
        func visit(_ command: Command, _ path: [String]) {
            let name = (["scorectl"] + path + [command.name]).joined(separator: " ")
            #expect(text.contains(".SS \"" + Roff.escaped(name)), "\(name)")
            for option in command.options {
                #expect(text.contains(Roff.bold("--" + option.name)), "\(name) --\(option.name)")
            }
            for inner in command.subcommands { visit(inner, path + [command.name]) }
        }
        for command in CommandTree.commands { visit(command, []) }
        for (code, _) in ExitStatus.all { #expect(lines.contains(#"\fB\#(code)\fR"#)) }
        let macros = ["TH", "SH", "SS", "PP", "TP", "IP", "RS", "RE", "EX", "EE", "\\\""]
        for line in lines where line.hasPrefix(".") {
            #expect(macros.contains { line.hasPrefix("." + $0) }, "\(line)")
        }
    }

    @Test("of programs are made from their help")
    func programs() throws {
        let help = """
            thing – does a thing (started by another)

            Usage: thing [--home DIR]
                         [--fast]

              --home DIR    where it is,
                            and stays
              --fast        soon

            It runs.
            """
        let lines = try page("scoresync-board", of: help)
        #expect(lines.contains(#"thing \- does a thing (started by another)"#))
        #expect(lines.contains(#"\fBthing\fR \fB[\-\-home\fR \fIDIR]\fR \fB[\-\-fast]\fR"#))
        #expect(lines.contains("where it is, and stays"))
        #expect(lines.suffix(3).first == "It runs.")
    }

    @Test("are made of a page of the documentation")
    func documents() throws {
        let text = """
            # Title

            One `a|b` and **two** in
            [words](elsewhere.md).

            ## Part

            - first
              goes on

            | a | b |
            |---|---|
            | `x` | `{"p": "a|b"}` |

            ```
            .code 'as' it is
            ```
            """
        let lines = try page("scoresync-sheet", of: text)
        #expect(lines.contains(#"One \fBa|b\fR and \fBtwo\fR in words."#))
        #expect(lines.contains(#".SH "PART""#))
        #expect(lines.contains("first goes on"))
        #expect(lines.contains(#"\fB{\(dqp\(dq: \(dqa|b\(dq}\fR"#))
        #expect(lines.contains(#"\&.code \(aqas\(aq it is"#))
    }

    @Test("do not exist for other names")
    func unknown() throws {
        let harness = Harness(try TemporaryHome())
        #expect(harness.run(["__man", "ls"]).status == 2)
        #expect(harness.run(["__man"]).status == 2)
    }
}
