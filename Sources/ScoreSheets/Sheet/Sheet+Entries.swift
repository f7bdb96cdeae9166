package import SessionCRDT

/// The rows as a sheet writes them down: fields of rounds within the row of the rounds.
extension Sheet {
    /// The rows, those with fields as one entry with them.
    var rowEntries: [RowEntry] {
        var entries: [RowEntry] = []
        var fields: [Row] = []
        for row in rows {
            fields.append(row)
            guard row.group == nil else { continue }
            entries.append(RowEntry(fields))
            fields = []
        }
        return entries
    }

    /// Where a row is written in the JSON.
    func path(ofRow index: Int) -> [AnyField] {
        let before = rows[..<index]
        let entry: AnyField = AnyField(before.count { $0.group == nil })
        guard rows[index].group != nil else { return ["rows", entry] }
        let place = before.reversed().prefix { $0.group != nil }.count
        return ["rows", entry, "fields", AnyField(place)]
    }

    /// What is entered in the place of a row that is worked out: rows that are, each once.
    func sources(of row: Row) -> [Symbol] {
        let fields = fields(of: row).map(\.id)
        guard fields.isEmpty else { return fields }
        var seen: Set<Symbol> = []
        return row.sources.flatMap { source -> [Symbol] in
            // Rows refer upwards, so that this ends.
            guard let place = rows.firstIndex(where: { $0.id == source }),
                place < rows.firstIndex(of: row) ?? 0
            else { return [] }
            return rows[place].isComputed ? sources(of: rows[place]) : [source]
        }
        .filter { seen.insert($0).inserted }
    }

    /// The fields of the rounds of a row, in order.
    package func fields(of row: Row) -> [Row] { rows.filter { $0.group?.row == row.id } }

    /// The rows in whose cells a round of a row can stand: itself and the fields of its rounds.
    package func rowAndFields(_ id: Symbol) -> [Symbol] {
        [id] + (row(id).map(fields) ?? []).map(\.id)
    }

    /// The rows by whose places the cells of a player are told, those of other rows behind them.
    ///
    /// Of games with one row of moves there are none: all cells stand by the ids of their rows, as
    /// the first release told them.
    package var placedRows: [Symbol] {
        switch gameEngine {
        case .rows, .smashup: rows.map(\.id)
        case .cricket, .darts, .ghost, .reversi, .match, .bowling: []
        }
    }
}
