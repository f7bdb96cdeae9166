import ScoreSheets
import SessionCRDT
import SyncProtocol

extension GameWords {
    /// What people read in place of values; nil where they read the values.
    func texts(of values: [Value], in cell: Cell) -> [String]? {
        let texts = values.map { value(Score(cell, $0))?.shown }
        guard texts.contains(where: { $0 != nil }) else { return nil }
        return zip(values, texts).map { $1 ?? Scalar($0).description }
    }
}
