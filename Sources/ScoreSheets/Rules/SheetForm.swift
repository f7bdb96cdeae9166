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

    private let places: [Symbol: Int]
    /// The ids of the rows, once for all flags: there may be as many of these as cells.
    private let candidates: [Symbol]

    /// The form of a sheet with these settings.
    init(_ sheet: Sheet, _ settings: Settings) {
        self.sheet = sheet
        self.settings = settings
        isOn = sheet.rows.map { settings.isOn($0.condition) }
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

    /// Why a cell does not count; nil when it does.
    func violation(of entry: BookCell, at place: Int?) -> RuleViolation? {
        guard let place else {
            return .unknownRow(entry.cell.row.description, candidates: candidates)
        }
        let row = rows[place]
        if let violation = row.violation(ofRound: entry.cell.round)
            ?? row.violation(of: entry.value)
        {
            return violation
        }
        guard let condition = row.condition, !isOn[place], entry.value != .null else { return nil }
        return .rowOff(row: row.id, needs: condition)
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
