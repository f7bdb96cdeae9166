import SessionCRDT

/// Where a word that somebody looks for stands in a sheet.
package struct SheetFinding: Hashable, Sendable {
    /// The parts of a sheet that are searched, the most telling first.
    package enum Place: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Its id or its name.
        case name
        /// What it is, in a line.
        case summary
        /// The heading that it is listed under.
        case group
        /// The label of a row.
        case row
        /// How to enter scores.
        case help

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The part in which it stands.
    package let place: Place
    /// What stands there: all of a short text, some words around it of a long one.
    package let text: String

    /// Where the words stand that are not in the name of a sheet, each place once; nil where one of
    /// them stands nowhere.
    ///
    /// Case does not count, nor does an accent; a word may be a part of one, or several.
    static func all(of words: [String], in sheet: Sheet) -> [SheetFinding]? {
        let parts = parts(of: sheet)
        var findings: [SheetFinding] = []
        for word in words.map(Words.init) {
            let place = parts.lazy.compactMap { place, text in
                text.excerpt(around: word).map { SheetFinding(place: place, text: $0) }
            }.first
            guard let finding = place else { return nil }
            if finding.place != .name, !findings.contains(finding) { findings.append(finding) }
        }
        return findings
    }

    private static func parts(of sheet: Sheet) -> [(place: Place, text: Words)] {
        [(.name, Words(sheet.id.description)), (.name, Words(sheet.name))]
            + [(.summary, Words(sheet.summary))]
            + (sheet.group.map { [(.group, Words($0.heading))] } ?? [])
            + sheet.rows.map { (.row, Words($0.label)) }
            + [(.help, Words(sheet.help))]
    }
}

/// A text by its words, as it stands and as it is compared.
private struct Words {
    /// How many words are shown before and after what was looked for.
    private static let around = 5

    private let words: [Substring]
    private let folded: [String]
    private let whole: String

    init(_ text: String) {
        words = text.split { $0.isWhitespace }
        folded = words.map { Alphabet.folded(String($0)) }
        whole = folded.joined(separator: " ")
    }

    /// The words around what is looked for; nil where it is not there.
    func excerpt(around wanted: Words) -> String? {
        guard !wanted.words.isEmpty, whole.contains(wanted.whole) else { return nil }
        let last = max(0, words.count - wanted.words.count)
        let start = (0...last).first { start in
            folded[start..<start + wanted.words.count].joined(separator: " ")
                .contains(wanted.whole)
        }
        guard let start else { return nil }
        let from = max(0, start - Self.around)
        let end = min(words.count, start + wanted.words.count + Self.around)
        return (from > 0 ? "… " : "") + words[from..<end].joined(separator: " ")
            + (end < words.count ? " …" : "")
    }
}
