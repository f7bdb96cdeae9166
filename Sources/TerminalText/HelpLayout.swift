internal import SessionCRDT

/// The layout of pages of help, by their width.
package struct HelpLayout {
    /// The minimum width of a second column.
    private static let minTextWidth = 24

    private let columns: Int

    package init(columns: Int) { self.columns = columns }

    package func title(_ name: String, _ summary: String) -> [Line] {
        let line = Line(name, .strong) + Line(" – " + summary)
        guard line.width > columns else { return [line, Line()] }
        let texts = TextWidth.wrapped(summary, to: columns - 2).map { Line("  " + $0) }
        return [Line(name, .strong)] + texts + [Line()]
    }

    /// Renders the forms of a command, each of which hangs below its first word.
    package func usage(_ forms: [String]) -> [Line] {
        forms.enumerated().flatMap { index, form -> [Line] in
            let texts = TextWidth.wrapped(HelpLayout.joined(form), to: columns - 9)
            return texts.enumerated().map { number, text in
                let head = index + number == 0 ? "Usage: " : number == 0 ? "       " : "         "
                return Line(head + String(text.map { $0 == "\u{A0}" ? " " : $0 }))
            }
        }
    }

    /// Replaces the spaces in brackets, such as those of `[--port N]`, by spaces that do not break.
    private static func joined(_ form: String) -> String {
        var depth = 0
        return String(
            form.map { character in
                if character == "[" { depth += 1 }
                if character == "]" { depth -= 1 }
                return character == " " && depth > 0 ? "\u{A0}" : character
            }
        )
    }

    package func paragraph(_ text: String, _ style: Style = .plain) -> [Line] {
        TextWidth.wrapped(text, to: columns).map { Line($0, style) }
    }

    package func section(_ title: String, _ content: [Line]) -> [Line] {
        [Line(), Line(title + ":", .strong)] + content
    }

    /// Renders two columns and wraps the second; an entry of the first that is longer than the limit,
    /// or leaves the second too little room, has a line of its own.
    package func pairs(_ rows: [(String, String)], limit: Int = 28) -> [Line] {
        let limit = min(limit, columns - 4 - HelpLayout.minTextWidth)
        let widest = rows.map { TextWidth.of($0.0) }.filter { $0 <= limit }.max() ?? 0
        return rows.flatMap { left, right -> [Line] in
            let texts = TextWidth.wrapped(right, to: columns - widest - 4)
            let isLong = TextWidth.of(left) > widest
            var lines = isLong ? [Line("  " + left)] : []
            for (index, text) in texts.enumerated() {
                let isFirst = index == 0 && !isLong
                let head = Line("  " + (isFirst ? left : "")).padded(to: widest + 4, .left)
                lines.append(head + Line(text))
            }
            return lines
        }
    }
}

/// The help of a program that has options but no commands.
///
/// It is read from its text: a line with name and summary; the usage; paragraphs; and lists with a
/// title such as `Options:`, whose terms are indented by two spaces.
package struct ProgramHelp: Equatable {
    package struct List: Equatable {
        package let title: String
        package var terms: [Term]
    }

    package struct Term: Equatable {
        package let name: String
        package var meaning: String
    }

    package private(set) var name = ""
    package private(set) var summary = ""
    package private(set) var usage: [String] = []
    package private(set) var paragraphs: [String] = []
    package private(set) var lists: [List] = []

    package init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for block in lines.split(separator: "") {
            let words = block.joined(separator: " ").split(separator: " ")
            guard let first = block.first, let head = words.first else { continue }
            if name.isEmpty {
                name = String(head)
                // In ASCII the dash is another one.
                let rest = words.dropFirst().drop { ["–", "-"].contains($0) }
                summary = rest.joined(separator: " ")
            } else if head == "Usage:" {
                let forms = words.dropFirst().split(separator: name[...])
                usage = forms.map { ([name[...]] + $0).joined(separator: " ") }
            } else if !first.hasPrefix(" "), first.hasSuffix(":") {
                lists.append(List(title: String(first.dropLast()), terms: []))
                for line in block.dropFirst() { add(line) }
            } else {
                paragraphs.append(words.joined(separator: " "))
            }
        }
    }

    /// Adds a line to the last list: a term and its description, or more of the description, which is
    /// indented further.
    private mutating func add(_ line: Substring) {
        let (list, text) = (lists.count - 1, line.drop { $0 == " " })
        let last = lists[list].terms.count - 1
        if line.prefix(3).count(where: { $0 == " " }) == 2 {
            let gap = text.firstRange(of: "  ") ?? text.endIndex..<text.endIndex
            let meaning = text[gap.upperBound...].drop { $0 == " " }
            lists[list].terms.append(
                Term(name: String(text[..<gap.lowerBound]), meaning: String(meaning))
            )
        } else if last >= 0 {
            let begun = lists[list].terms[last].meaning
            lists[list].terms[last].meaning = begun + (begun.isEmpty ? "" : " ") + text
        }
    }

    package func lines(columns: Int) -> [Line] {
        let layout = HelpLayout(columns: columns)
        var lines = layout.title(name, summary) + layout.usage(usage)
        for text in paragraphs { lines += [Line()] + layout.paragraph(text) }
        for list in lists {
            let pairs = list.terms.map { ($0.name, $0.meaning) }
            lines += layout.section(list.title, layout.pairs(pairs, limit: 46))
        }
        return lines
    }
}
