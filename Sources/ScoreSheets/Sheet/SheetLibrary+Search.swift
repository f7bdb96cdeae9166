extension SheetLibrary {
    /// The sheets in which each of the words stands, those first in whose names they all stand, and
    /// then by what else it took; each with where the words are that are not in its name.
    ///
    /// No word means nothing.
    package func search(_ words: [String]) -> [(sheet: Sheet, findings: [SheetFinding])] {
        guard !words.isEmpty else { return [] }
        let found = sheets.compactMap { sheet in
            SheetFinding.all(of: words, in: sheet).map { (sheet: sheet, findings: $0) }
        }
        // Sorting keeps no order of its own among equals.
        return SheetFinding.Place.allCases.flatMap { place in
            found.filter { ($0.findings.map(\.place).max() ?? .name) == place }
        }
    }
}
