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
