import SyncProtocol

/// The journal as a table.
enum HistoryList {
    /// The lines of the journal; what a cell shows now is marked.
    static func lines(_ entries: [HistoryEntry], now: Int64) -> [Line] {
        guard !entries.isEmpty else { return [Line("Nothing was written yet.")] }
        var table = Table([
            Table.Column("When"), Table.Column("Player"), Table.Column("Row"),
            Table.Column("Value", .right), Table.Column(""), Table.Column("By"),
            Table.Column("Replaced"),
        ])
        for entry in entries {
            let value = TextWidth.truncated(entry.text ?? entry.value.description, to: 20)
            let texts = entry.replacedTexts ?? entry.replaced.map(\.description)
            let replaced = texts.joined(separator: ", ")
            table.add([
                Line(Ago.text(entry.at, now: now), .faint),
                Line(TextWidth.truncated(entry.player, to: 20)),
                Line(entry.label ?? CellAddress.text(entry.row, entry.round)),
                Line(value, entry.winner ? .strong : .faint), Line(entry.winner ? "✓" : "", .good),
                Line(entry.by + (entry.phone == true ? ", by phone" : "")), Line(replaced, .faint),
            ])
        }
        return table.lines + [Line("✓ shown now", .faint)]
    }
}
