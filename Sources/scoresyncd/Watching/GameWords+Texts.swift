import ScoreSheets
import SessionCRDT
import SyncProtocol

extension GameWords {
    /// What people call a cell: `Visit 8`.
    func label(of cell: Cell, on sheet: Sheet) -> String {
        let name = sheet.row(cell.row)?.label ?? cell.row.description
        return self.cell(cell) ?? cell.round.map { "\(name) \($0)" } ?? name
    }

    /// What people read in place of values; nil where they read the values.
    func texts(of values: [Value], in cell: Cell) -> [String]? {
        let texts = values.map { value(Score(cell, $0))?.shown }
        guard texts.contains(where: { $0 != nil }) else { return nil }
        return zip(values, texts).map { $1 ?? Scalar($0).description }
    }
}
