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
                // The title of the document was written as the name of the page.
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

    /// The columns of a row, separated by bars that are neither in code nor escaped.
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

    /// A text without markup.
    private static func plain(_ text: some StringProtocol) -> String {
        String(text.filter { $0 != "`" && $0 != "*" })
    }

    /// A text with code and strong words in bold, and links as plain text.
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

    /// A page with a date in ISO 8601.
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

    /// Appends a paragraph of roff.
    mutating func paragraph(_ words: String) {
        // man(7) needs no paragraph after a heading.
        if lines.last.map({ !$0.hasPrefix(".S") }) ?? true { lines.append(".PP") }
        append(words)
    }

    mutating func term(_ term: String, _ meaning: String) {
        lines += [".TP", Self.guarded(term)]
        append(meaning)
    }

    /// Appends an item of a list.
    mutating func item(_ words: String) {
        lines.append(".IP \\(bu 2")
        append(words)
    }

    /// Appends preformatted lines.
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

    /// A text in which no character has a meaning for roff.
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

    /// A usage line: literal words in bold, placeholders in italics.
    static func usage(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let isPlaceholder = word.contains { $0.isUppercase } && !word.contains("--")
            return isPlaceholder ? "\\fI\(escaped(String(word)))\\fR" : bold(String(word))
        }.joined(separator: " ")
    }

    /// A line that is not taken for a macro.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
