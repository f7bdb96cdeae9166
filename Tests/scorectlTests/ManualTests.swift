import FoundationEssentials
import SyncProtocol
import Synchronization
import TerminalText
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
            for option in command.options + CommandOption.global {
                guard let letter = option.letter else { continue }
                let both = Roff.bold("-\(letter)") + ", " + Roff.bold("--" + option.name)
                #expect(text.contains(both), "\(name) -\(letter)")
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
                   thing --once

            It runs,
            for long.

            Options:
              --home DIR    where it is,
                            and stays
              --fast        soon

            Exit status:
              0   done
              75  it is running
                  already
            """
        let lines = try page("scoresync-board", of: help)
        let name = #"thing \- does a thing (started by another)"#
        #expect(lines.contains(name))
        #expect(try page("scoresync-board", of: Terminal.ascii(help)).contains(name))
        #expect(lines.contains(#"\fBthing\fR \fB[\-\-home\fR \fIDIR]\fR \fB[\-\-fast]\fR"#))
        let usage = try #require(lines.firstIndex(of: ".br"))
        #expect(lines[usage + 1] == #"\fBthing\fR \fB\-\-once\fR"#)
        #expect(lines.contains("where it is, and stays"))
        #expect(lines.contains("It runs, for long."))
        let status = try #require(lines.firstIndex(of: #".SH "EXIT STATUS""#))
        #expect(
            lines[status...].dropFirst().prefix(6)
                == [".TP", #"\fB0\fR"#, "done", ".TP", #"\fB75\fR"#, "it is running already"]
        )
    }

    @Test("name the environment variables and files of each program, and scoresync(7) all of them")
    func facts() throws {
        let overview = try page("scoresync")
        for reader in Reference.Reader.allCases {
            let lines = try page(reader.rawValue, of: "\(reader.rawValue) – a program")
            for fact in Reference.variables + Reference.files {
                let terms = [Roff.bold(fact.name), Roff.italic(fact.name)]
                let isHere = lines.contains { terms.contains($0) }
                #expect(isHere == fact.readers.contains(reader), "\(reader) \(fact.name)")
                #expect(overview.contains { terms.contains($0) }, "\(fact.name)")
            }
        }
        for (word, _) in Reference.words { #expect(overview.contains(Roff.bold(word))) }
    }

    @Test("name exactly the environment variables that the programs read")
    func variables() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let known = Reference.variables.flatMap { $0.name.split(separator: ", ").map(String.init) }
        var unread = Set(known)
        // HOME needs no explanation; the others are of tests and packagers, or between programs.
        let unlisted = ["HOME", "SOURCE_DATE_EPOCH", "SCORESYNC_READY_FD"]
        let call = #/(?:[vV]ariable|isSet|platform_environment|getenv|number)\("([A-Z_]+)"/#
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        where [".swift", ".c"].contains(where: path.hasSuffix) && !path.contains("Reference.swift")
        {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for name in known where text.contains("\"\(name)\"") { unread.remove(name) }
            for match in text.matches(of: call) {
                let name = String(match.output.1)
                let isListed = known.contains(name) || unlisted.contains(name)
                #expect(isListed || name.hasPrefix("SCORESYNC_TEST_"), "\(name) in \(path)")
            }
        }
        #expect(unread.isEmpty)
    }

    @Test("have a short sister for tldr, whose commands exist")
    func tldr() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Documentation/tldr/scorectl.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "# scorectl")
        let commands = lines.filter { $0.hasPrefix("`") }
        #expect(commands.count == lines.count { $0.hasPrefix("- ") })
        // The guidelines of tldr-pages allow eight.
        #expect((1...8).contains(commands.count))
        for command in commands {
            let line = command.replacing("`", with: "").replacing("{{", with: "")
                .replacing("}}", with: "")
            let words = line.split(separator: " ").map(String.init)
            #expect(words.first == "scorectl")
            let parsed = try ParsedArguments(Array(words.dropFirst()), in: CommandTree.commands)
            #expect(parsed.command?.subcommands.isEmpty == true, "\(line)")
            try parsed.checkWords()
        }
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
