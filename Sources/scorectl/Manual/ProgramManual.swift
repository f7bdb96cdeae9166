/// The man page of a program that says by `--help` what it is: a line with its name, its usage,
/// its options two spaces from the margin with what they do, and further paragraphs.
struct ProgramManual {
    private let lines: [String]

    /// The page of a help text.
    init(_ lines: [String]) { self.lines = lines }

    /// Writes everything between the title and what else to read.
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

    /// The options of a block with what they do, which goes on in lines that begin far to the
    /// right.
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
