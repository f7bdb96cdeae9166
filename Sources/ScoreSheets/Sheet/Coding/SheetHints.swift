import JSONCoding

/// What only the whole sheet says of a flaw in one part: whose it is, and which row is meant.
struct SheetHints {
    /// In how many formulas labels are looked for: that takes a while, and nobody reads very many.
    private static let most = 20

    private let places: [String: JSONValue]
    /// The labels of several words, in small letters, with the ids of their rows.
    private let labels: [(label: String, id: String)]

    /// The hints of a sheet whose values stand at these paths.
    init(_ places: [String: JSONValue]) {
        self.places = places
        labels = places.compactMap { path, value in
            guard path.hasPrefix("rows["), path.hasSuffix(".label"),
                let label = value.string, label.contains(" "),
                let id = places[path.dropLast("label".count) + "id"]?.string
            else { return nil }
            return (label.lowercased(), id)
        }.sorted { $0.label < $1.label }
    }

    /// The flaws, in better words where there are any.
    func added(to flaws: [PlacedFlaw]) -> [PlacedFlaw] {
        flaws.enumerated().map { index, flaw in
            var flaw = flaw
            if flaw.reason == PlacedFlaw.missing {
                flaw.reason += owner(of: flaw)
            } else if index < SheetHints.most, let id = rowMeant(by: flaw) {
                flaw.reason = "formulas have the ids of rows, not their labels: write \(id)"
            }
            return flaw
        }
    }

    /// What lacks a field: ` in “coins”`; nothing where that has no name.
    private func owner(of flaw: PlacedFlaw) -> String {
        guard let dot = flaw.path.lastIndex(of: ".") else { return "" }
        let owner = flaw.path[..<dot]
        let name = places[owner + ".id"]?.string ?? places[owner + ".name"]?.string
        return name.map { " in \($0.quoted)" } ?? ""
    }

    /// The row of which a formula has the label, of several words, where it is wrong.
    private func rowMeant(by flaw: PlacedFlaw) -> String? {
        guard flaw.path.hasSuffix("formula") || flaw.path.hasSuffix("running"),
            let formula = places[flaw.path]?.string?.lowercased()
        else { return nil }
        let row = labels.first { row in
            guard let range = formula.firstRange(of: row.label) else { return false }
            let before = formula.utf8.distance(from: formula.startIndex, to: range.lowerBound)
            return (before..<(before + row.label.utf8.count)).contains(flaw.offset)
        }
        return row?.id
    }
}
