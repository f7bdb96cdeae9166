/// A man page made of a page of the documentation: headings, paragraphs, lists, tables and code.
struct MarkdownManual {
    private let lines: [String]

    /// The page of a text in Markdown.
    init(_ lines: [String]) { self.lines = lines }

    /// Writes everything between the title and what else to read.
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
                // The title of the document is the name of the page.
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

    /// Each row of a table becomes a term with what the other columns say.
    private static func write(table: ArraySlice<String>, to page: inout Roff) {
        for row in table.dropFirst(2) {
            let cells = cells(of: row)
            guard let first = cells.first else { continue }
            let others = cells.dropFirst().filter { !$0.isEmpty }
            page.term(inline(first), inline(others.joined(separator: "; ")))
        }
    }

    /// The columns of a row, between bars that stand in no code and behind no backslash.
    private static func cells(of row: String) -> [String] {
        var cells = [""]
        var isCode = false
        var isHidden = false
        for character in row.dropFirst() {
            if character == "`" { isCode.toggle() }
            if character == "|", !isCode, !isHidden {
                cells.append("")
            } else {
                if isHidden, character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
            isHidden = character == "\\"
        }
        return cells.dropLast().map { cell in
            let left = cell.drop { $0 == " " }
            return String(left.reversed().drop { $0 == " " }.reversed())
        }
    }

    // MARK: Within a line

    /// A text without marks.
    private static func plain(_ text: some StringProtocol) -> String {
        String(text.filter { $0 != "`" && $0 != "*" })
    }

    /// A text with code and strong words in bold, and links by their words alone.
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

/// A man page as it grows: the macros of man(7), and texts in which nothing is taken for one.
///
/// Every character beyond ASCII is named by its number, so that the page reads the same by any
/// program and in any locale.
struct Roff {
    /// The lines of the page.
    private(set) var lines: [String]

    /// A page of a section; the date is one of ISO 8601.
    init(_ name: String, section: Int, date: String, source: String) {
        let title = Self.escaped(name.uppercased())
        lines = [
            ".\\\" Made from the program itself; do not change it here.",
            ".TH \(title) \(section) \(date) \"\(Self.escaped(source))\"",
        ]
    }

    /// Begins a section.
    mutating func section(_ title: String) {
        lines.append(".SH \"\(Self.escaped(title.uppercased()))\"")
    }

    /// Begins a part of a section.
    mutating func part(_ title: String) { lines.append(".SS \"\(Self.escaped(title))\"") }

    /// A paragraph of words that are roff already.
    mutating func paragraph(_ words: String) {
        // A paragraph right behind a heading is none to man(7).
        if lines.last.map({ !$0.hasPrefix(".S") }) ?? true { lines.append(".PP") }
        append(words)
    }

    /// A term, and what it means.
    mutating func term(_ term: String, _ meaning: String) {
        lines += [".TP", Self.guarded(term)]
        append(meaning)
    }

    /// One of several, with a dot before it.
    mutating func item(_ words: String) {
        lines.append(".IP \\(bu 2")
        append(words)
    }

    /// Lines that stay as they are.
    mutating func code(_ code: [String]) {
        if lines.last.map({ !$0.hasPrefix(".S") }) ?? true { lines.append(".PP") }
        lines += [".RS 4", ".EX"] + code.map { Self.guarded(Self.escaped($0)) }
        lines += [".EE", ".RE"]
    }

    /// Words that are roff already: a line for each sentence, and none longer than 78 bytes where
    /// a space lets it end.
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

    // MARK: Texts

    /// A text in which no character means anything to roff.
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

    /// A text in bold.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// The words of a line of help: in bold what is typed as it is, in italics what stands for
    /// something.
    static func usage(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let isMeant = word.contains { $0.isUppercase } && !word.contains("--")
            return isMeant ? "\\fI\(escaped(String(word)))\\fR" : bold(String(word))
        }.joined(separator: " ")
    }

    /// A line that is no macro though it begins as one.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
