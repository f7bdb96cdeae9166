import ControlSocket
import SessionCRDT
import SyncProtocol
import TerminalText

/// `scorectl __man PAGE`: man pages, of `scorectl` itself from its commands, of other programs from
/// their `--help` on standard input, of sheets from a Markdown page, and an overview of all.
enum ManualPage {
    private static let pages = [
        ("scorectl", 1), ("scoresyncd", 1), ("scoresync-board", 1), ("scoresync-sheet", 5),
        ("scoresync", 7),
    ]

    static func lines(_ words: [String], _ console: Console) -> [String]? {
        guard words.count == 1, let (name, section) = pages.first(where: { $0.0 == words[0] })
        else { return nil }
        let given = console.environmentVariable("SOURCE_DATE_EPOCH").flatMap { UInt64($0) }
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
        case "scoresync": writeOverview(to: &page)
        default:
            let help = ProgramHelp(input(console).joined(separator: "\n"))
            ProgramManual(help: help).write(to: &page)
        }
        if let reader = Reference.Reader(rawValue: name) {
            write(Reference.variables.filter { $0.readers.contains(reader) }, "Environment", &page)
            write(Reference.files.filter { $0.readers.contains(reader) }, "Files", &page)
        }
        page.section("See also")
        let others = pages.filter { $0.0 != name }
        page.append(others.map { "\(Roff.bold($0.0))(\($0.1))" }.joined(separator: ", "))
        return page.lines
    }

    private static func writeOverview(to page: inout Roff) {
        page.section("Name")
        page.append("scoresync \\- one score sheet on many laptops")
        page.section("Description")
        for paragraph in [
            "Friends play a board game, darts or cards; everyone enters their own scores on their"
                + " own laptop, and all laptops show the same totals a moment later. There is no"
                + " server: a daemon on each laptop finds the others on the local network, and a"
                + " laptop that was away comes back with nothing lost.",
            "scorectl(1) is the command line: 'scorectl help' lists its commands, and 'scorectl"
                + " app' opens everything in the browser. It starts scoresyncd(1), the daemon, and"
                + " scoresync-board(1), which serves pages. A game is a sheet, described in"
                + " scoresync-sheet(5).",
        ] { page.paragraph(Roff.escaped(paragraph)) }
        page.section("Words")
        for (word, meaning) in Reference.words {
            page.term(Roff.bold(word), Roff.escaped(meaning))
        }
        page.section("First steps")
        page.code(HelpPage.firstSteps)
        CommandManual.writeExitStatus(to: &page)
        write(Reference.variables, "Environment", &page, naming: true)
        write(Reference.files, "Files", &page)
    }

    private static func write(
        _ facts: [Reference.Fact],
        _ title: String,
        _ page: inout Roff,
        naming: Bool = false
    ) {
        page.section(title)
        for fact in facts {
            let isForAll = fact.readers == Reference.Reader.allCases
            let readers = fact.readers.map(\.rawValue).joined(separator: ", ")
            let meaning = naming && !isForAll ? "\(fact.meaning) (\(readers))" : fact.meaning
            let isFile = fact.name.contains("/")
            page.term(isFile ? Roff.italic(fact.name) : Roff.bold(fact.name), Roff.escaped(meaning))
        }
    }

    private static func input(_ console: Console) -> [String] {
        var lines: [String] = []
        while let line = console.readLine() { lines.append(line) }
        return lines
    }
}

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
                "scorectl calls the daemon of this laptop, scoresyncd, and starts it if necessary."
                    + " Options may appear anywhere; -- ends them. Negative numbers are not"
                    + " options."
            )
        )
        page.section("Commands")
        for command in commands { write(command, [], to: &page) }
        page.section("Options of every command")
        write(CommandOption.global, to: &page)
        Self.writeExitStatus(to: &page)
    }

    static func writeExitStatus(to page: inout Roff) {
        page.section("Exit status")
        for (code, meaning) in ExitStatus.all {
            page.term(Roff.bold("\(code)"), Roff.escaped(meaning))
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
            let value = option.value.map { " " + Roff.italic($0) } ?? ""
            let letter = option.letter.map { Roff.bold("-\($0)") + ", " } ?? ""
            page.term(letter + Roff.bold("--" + option.name) + value, Roff.escaped(option.summary))
        }
    }
}

/// The man page of a program, from the output of `--help`.
struct ProgramManual {
    let help: ProgramHelp

    func write(to page: inout Roff) {
        page.section("Name")
        page.append("\(Roff.escaped(help.name)) \\- \(Roff.escaped(help.summary))")
        page.section("Synopsis")
        for (index, form) in help.usage.enumerated() {
            if index > 0 { page.breakLine() }
            page.append(Roff.usage(form))
        }
        page.section("Description")
        for text in help.paragraphs { page.paragraph(Roff.escaped(text)) }
        for list in help.lists {
            page.section(list.title)
            for term in list.terms {
                let isOption = term.name.hasPrefix("-")
                let name = isOption ? Roff.usage(term.name) : Roff.bold(term.name)
                page.term(name, Roff.escaped(term.meaning))
            }
        }
    }
}

/// A man page from Markdown: headings, paragraphs, lists, tables and code.
struct MarkdownManual {
    let lines: [String]

    func write(to page: inout Roff) {
        page.section("Name")
        page.append("scoresync\\-sheet \\- a game of ScoreSync as a file")
        page.section("Description")
        var rest = lines[...]
        while let line = rest.first {
            if line.hasPrefix("```") {
                let code = rest.dropFirst().prefix { !$0.hasPrefix("```") }
                rest = rest.dropFirst(code.count + 2)
                page.code(Array(code))
            } else if line.hasPrefix("#") {
                let title = line.drop { $0 == "#" }.drop { $0 == " " }
                // The document's title was already written as the name of the page.
                if line.hasPrefix("###") {
                    page.part(Self.plain(title))
                } else if line.hasPrefix("##") {
                    page.section(Self.plain(title))
                }
                rest = rest.dropFirst()
            } else if line.hasPrefix("|") {
                let table = rest.prefix { $0.hasPrefix("|") }
                rest = rest.dropFirst(table.count)
                Self.write(table: table, to: &page)
            } else if line.hasPrefix("- ") {
                let more = rest.dropFirst().prefix { $0.hasPrefix("  ") }
                rest = rest.dropFirst(more.count + 1)
                let text = ([line.dropFirst(2)] + more.map { $0.drop { $0 == " " } })
                page.item(Self.inline(text.joined(separator: " ")))
            } else if line.allSatisfy(\.isWhitespace) {
                rest = rest.dropFirst()
            } else {
                let text = rest.prefix { Self.isProse($0) }
                rest = rest.dropFirst(max(1, text.count))
                page.paragraph(Self.inline(text.joined(separator: " ")))
            }
        }
    }

    private static func isProse(_ line: String) -> Bool {
        !line.isEmpty && !["#", "|", "- ", "```"].contains { line.hasPrefix($0) }
    }

    /// Writes each row of a table as a term, described by the other columns.
    private static func write(table: ArraySlice<String>, to page: inout Roff) {
        for row in table.dropFirst(2) {
            let cells = cells(of: row)
            guard let first = cells.first else { continue }
            let others = cells.dropFirst().filter { !$0.isEmpty }
            page.term(inline(first), inline(others.joined(separator: "; ")))
        }
    }

    /// Splits a row into its columns, separated by bars that are neither in code nor escaped.
    private static func cells(of row: String) -> [String] {
        var cells = [""]
        var isCode = false
        var isEscaped = false
        for character in row.dropFirst() {
            if character == "`" { isCode.toggle() }
            if character == "|", !isCode, !isEscaped {
                cells.append("")
            } else {
                if isEscaped, character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        return cells.dropLast().map { cell in
            let left = cell.drop { $0 == " " }
            return String(left.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func plain(_ text: some StringProtocol) -> String {
        String(text.filter { $0 != "`" && $0 != "*" })
    }

    /// Converts a text: code and strong words become bold, links plain text.
    static func inline(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "`", let end = rest.firstIndex(of: "`") {
                result += Roff.bold(String(rest[..<end]))
                rest = rest[rest.index(after: end)...]
            } else if character == "*", rest.hasPrefix("*"), let end = rest.firstRange(of: "**") {
                result += Roff.bold(String(rest[..<end.lowerBound].dropFirst()))
                rest = rest[end.upperBound...]
            } else if character == "[", let end = rest.firstRange(of: "]("),
                let close = rest[end.upperBound...].firstIndex(of: ")")
            {
                result += inline(String(rest[..<end.lowerBound]))
                rest = rest[rest.index(after: close)...]
            } else {
                result += Roff.escaped(String(character))
            }
        }
        return result
    }
}

/// A man page under construction: macros of man(7), and escaped texts.
///
/// Characters beyond ASCII are escaped by number, so that every program in every locale shows them.
struct Roff {
    private(set) var lines: [String]

    /// Creates a page with a date in ISO 8601.
    init(_ name: String, section: Int, date: String, source: String) {
        let title = Self.escaped(name.uppercased())
        lines = [
            ".\\\" Generated from the program; do not edit.",
            ".TH \(title) \(section) \(date) \"\(Self.escaped(source))\"",
        ]
    }

    mutating func section(_ title: String) {
        lines.append(".SH \"\(Self.escaped(title.uppercased()))\"")
    }

    mutating func part(_ title: String) { lines.append(".SS \"\(Self.escaped(title))\"") }

    mutating func paragraph(_ words: String) {
        // man(7) needs no paragraph after a heading.
        if lines.last.map({ !$0.hasPrefix(".S") }) ?? true { lines.append(".PP") }
        append(words)
    }

    mutating func breakLine() { lines.append(".br") }

    mutating func term(_ term: String, _ meaning: String) {
        lines += [".TP", Self.guarded(term)]
        append(meaning)
    }

    mutating func item(_ words: String) {
        lines.append(".IP \\(bu 2")
        append(words)
    }

    mutating func code(_ code: [String]) {
        if lines.last.map({ !$0.hasPrefix(".S") }) ?? true { lines.append(".PP") }
        lines += [".RS 4", ".EX"] + code.map { Self.guarded(Self.escaped($0)) }
        lines += [".EE", ".RE"]
    }

    /// Appends roff: a line for each sentence, wrapped at 78 bytes.
    mutating func append(_ words: String) {
        var line = ""
        for word in words.split(separator: " ") {
            let last = line.split(separator: " ").last ?? ""
            let endsSentence = last.count > 1 && [".", "?", "!"].contains(last.suffix(1))
            let isLong = line.utf8.count + word.utf8.count >= 78
            if !line.isEmpty, isLong || endsSentence && !line.hasSuffix("...") {
                lines.append(Self.guarded(line))
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(line.isEmpty ? "\\&" : Self.guarded(line))
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case "\t": result += "    "
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20: break
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                result += "\\[u\(zeros)\(digits)]"
            }
        }
        return result
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Formats a usage line: literal words in bold, placeholders in italics.
    static func usage(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let isPlaceholder = word.contains { $0.isUppercase } && !word.contains("--")
            return isPlaceholder ? italic(String(word)) : bold(String(word))
        }.joined(separator: " ")
    }

    /// Returns the line, escaped if roff would read it as a macro.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
