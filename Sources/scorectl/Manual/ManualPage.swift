import ControlSocket
import SyncProtocol

/// `scorectl __man PAGE`: man pages, of `scorectl` itself from its commands, of other programs from
/// their `--help` on standard input, and of sheets from a Markdown page.
enum ManualPage {
    private static let pages = [
        ("scorectl", 1), ("scoresyncd", 1), ("scoresync-board", 1), ("scoresync-sheet", 5),
    ]

    /// The lines of a page; nil for an unknown one.
    static func lines(_ words: [String], _ console: Console) -> [String]? {
        guard words.count == 1, let (name, section) = pages.first(where: { $0.0 == words[0] })
        else { return nil }
        let given = console.variable("SOURCE_DATE_EPOCH").flatMap { UInt64($0) }
        let time = given.map { $0 * 1000 } ?? UInt64(clamping: console.now())
        var page = Roff(
            name,
            section: section,
            date: String(Timestamp(milliseconds: time).description.prefix(10)),
            source: "ScoreSync \(Versions.program)"
        )
        switch name {
        case "scorectl": CommandManual(commands: CommandTree.commands).write(to: &page)
        case "scoresync-sheet": MarkdownManual(lines: input(console)).write(to: &page)
        default: ProgramManual(lines: input(console)).write(to: &page)
        }
        page.section("See also")
        let others = pages.filter { $0.0 != name }
        page.append(others.map { "\(Roff.bold($0.0))(\($0.1))" }.joined(separator: ", "))
        return page.lines
    }

    private static func input(_ console: Console) -> [String] {
        var lines: [String] = []
        while let line = console.readLine() { lines.append(line) }
        return lines
    }
}

/// The man page of `scorectl`.
struct CommandManual {
    let commands: [Command]

    func write(to page: inout Roff) {
        page.section("Name")
        page.append("scorectl \\- one score sheet on many laptops")
        page.section("Synopsis")
        page.append(Roff.usage("scorectl COMMAND [WORD...] [OPTION...]"))
        page.section("Description")
        page.append(
            Roff.escaped(
                "scorectl calls the daemon of this laptop, scoresyncd, and starts it if none runs."
                    + " Options may appear anywhere; -- ends them. Negative numbers are not taken"
                    + " for options."
            )
        )
        page.section("Commands")
        for command in commands { write(command, [], to: &page) }
        page.section("Options of every command")
        write(CommandOption.global, to: &page)
        page.section("Exit status")
        for (code, meaning) in ExitStatus.all {
            page.term(Roff.bold("\(code)"), Roff.escaped(meaning))
        }
        page.section("Environment")
        for (name, meaning) in Self.variables {
            page.term(Roff.bold(name), Roff.escaped(meaning))
        }
        page.section("Files")
        for (path, meaning) in Self.files {
            page.term("\\fI\(Roff.escaped(path))\\fR", Roff.escaped(meaning))
        }
    }

    private func write(_ command: Command, _ path: [String], to page: inout Roff) {
        let path = path + [command.name]
        guard command.subcommands.isEmpty else {
            page.part("scorectl " + path.joined(separator: " "))
            write(command.summary, command.paragraphs, to: &page)
            for inner in command.subcommands { write(inner, path, to: &page) }
            return
        }
        page.part(
            (["scorectl"] + path + [command.words]).filter { $0 != "" }.joined(separator: " ")
        )
        write(command.summary, command.paragraphs, to: &page)
        write(command.options, to: &page)
        guard !command.examples.isEmpty else { return }
        let lines = command.examples.flatMap { ["# \($0.does)", "scorectl \($0.line)"] }
        page.code(lines)
    }

    private func write(_ summary: String, _ details: [String], to page: inout Roff) {
        let first = summary.prefix(1).uppercased() + summary.dropFirst() + "."
        page.append(Roff.escaped(first))
        for paragraph in details { page.paragraph(Roff.escaped(paragraph)) }
    }

    private func write(_ options: [CommandOption], to page: inout Roff) {
        for option in options {
            let value = option.value.map { " \\fI\(Roff.escaped($0))\\fR" } ?? ""
            page.term(Roff.bold("--" + option.name) + value, Roff.escaped(option.summary))
        }
    }

    private static let variables = [
        ("SCORESYNC_HOME", "the state directory, as --home chooses it"),
        ("XDG_STATE_HOME", "the parent of the default state directory (~/.local/state)"),
        ("XDG_RUNTIME_DIR", "the directory of the control socket, unless a home was chosen"),
        ("NO_COLOR", "disables colours"),
        ("LC_ALL, LC_CTYPE, LANG", "whether the terminal can show more than ASCII"),
    ]

    private static let files = [
        ("~/.local/state/scoresync", "the sessions, keys and settings of this laptop"),
        ("~/.local/state/scoresync/daemon.log", "the log of a daemon that scorectl has started"),
    ]
}

/// The man page of a program, from the output of `--help`: a line with its name, its usage, its
/// options, indented by two spaces, and further paragraphs.
struct ProgramManual {
    let lines: [String]

    func write(to page: inout Roff) {
        let blocks = self.lines.split(separator: "").map(Array.init)
        guard let head = blocks.first?.first else { return }
        let halves = head.split(separator: " – ", maxSplits: 1).map(String.init)
        page.section("Name")
        page.append("\(Roff.escaped(halves[0])) \\- \(Roff.escaped(halves.dropFirst().joined()))")
        var hasOptions = false
        var isDescribed = false
        for block in blocks.dropFirst() {
            if block[0].hasPrefix("Usage: ") {
                page.section("Synopsis")
                let usage = block.map { $0.drop { $0 == " " } }.joined(separator: " ")
                page.append(Roff.usage(String(usage.dropFirst("Usage: ".count))))
            } else if block[0].hasPrefix("  -") {
                if !hasOptions { page.section("Options") }
                hasOptions = true
                for (name, meaning) in Self.pairs(block) {
                    page.term(Roff.usage(name), Roff.escaped(meaning))
                }
            } else {
                if !isDescribed { page.section("Notes") }
                isDescribed = true
                for line in block { page.paragraph(Roff.escaped(line)) }
            }
        }
    }

    /// The options of a block with their descriptions, which continue in indented lines.
    private static func pairs(_ block: [String]) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for line in block {
            let text = line.drop { $0 == " " }
            guard line.hasPrefix("  -") else {
                if let last = pairs.last {
                    pairs[pairs.count - 1] = (last.0, last.1 + " " + text)
                }
                continue
            }
            guard let gap = text.firstRange(of: "  ") else {
                pairs.append((String(text), ""))
                continue
            }
            let meaning = text[gap.upperBound...].drop { $0 == " " }
            pairs.append((String(text[..<gap.lowerBound]), String(meaning)))
        }
        return pairs
    }
}
