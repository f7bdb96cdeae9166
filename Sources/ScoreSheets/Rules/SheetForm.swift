import SessionCRDT

/// A sheet as it is with the options of one book, made ready for reading many cells.
struct SheetForm {
    /// The sheet.
    let sheet: Sheet
    /// The options as they hold.
    let settings: Settings
    /// Which rows are there, by place.
    let isOn: [Bool]
    /// Which rows points come from, by place: those that score or win, and those that such a row is
    /// worked out from.
    let matters: [Bool]
    /// The rows that count as something once anything else of a player's counts, by place.
    let implied: [Int]

    private let places: [Symbol: Int]
    /// The ids of the rows, once for all flags: there may be as many of these as cells.
    private let candidates: [Symbol]

    /// The form of a sheet with these settings.
    init(_ sheet: Sheet, _ settings: Settings) {
        self.sheet = sheet
        self.settings = settings
        let isOn = sheet.rows.map { settings.isOn($0.condition) }
        self.isOn = isOn
        implied = sheet.rows.indices.filter { isOn[$0] && sheet.rows[$0].empty != nil }
        var places: [Symbol: Int] = [:]
        for (index, row) in sheet.rows.enumerated() { places[row.id] = index }
        self.places = places
        candidates = sheet.rows.map(\.id)
        matters = SheetForm.matters(sheet.rows, places, isOn)
    }

    /// The rows.
    var rows: [Row] { sheet.rows }

    /// The place of a row; nil of a row that the sheet does not know.
    func place(of row: Symbol) -> Int? { places[row] }

    /// The cells with the places of their rows, by these, then by round; unknown rows last.
    func inOrder(_ cells: [BookCell]) -> [(entry: BookCell, place: Int?)] {
        let placed = cells.map { (entry: $0, place: places[$0.cell.row]) }
        // The cells come by row and round, so that only the rows have to be put in order.
        let order = placed.indices.sorted { left, right in
            let (mine, theirs) = (placed[left].place ?? .max, placed[right].place ?? .max)
            return (mine, left) < (theirs, right)
        }
        return order.map { placed[$0] }
    }

    /// What a cell counts as, nil of nothing and of a text, or why it does not count.
    func reading(of entry: BookCell, at place: Int?) -> Result<Int64?, RuleViolation> {
        guard let place else {
            return .failure(.unknownRow(entry.cell.row.description, candidates: candidates))
        }
        let row = rows[place]
        if let violation = row.violation(ofRound: entry.cell.round) { return .failure(violation) }
        let reading = row.reading(of: entry.value)
        guard case .success = reading, let condition = row.condition, !isOn[place],
            entry.value != .null
        else { return reading }
        return .failure(.rowOff(row: row.id, needs: condition))
    }

    private static func matters(
        _ rows: [Row],
        _ places: [Symbol: Int],
        _ isOn: [Bool]
    ) -> [Bool] {
        var matters = rows.map { row in
            if case .flag(_, true) = row.content { true } else { row.scores }
        }
        // From below, since rows refer upwards only.
        for (index, row) in rows.enumerated().reversed() where matters[index] && isOn[index] {
            for source in row.sources {
                if let place = places[source] { matters[place] = true }
            }
        }
        return matters
    }
}
