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
