import ScoreSheets
import SessionCRDT
import SyncProtocol

extension WrittenCell {
    /// How a score is reported: whose it is, unless the answer says it, what it says and what was
    /// live in its cell.
    init(
        _ score: Score,
        of player: String?,
        replacing live: LiveSet?,
        on sheet: Sheet,
        in gameWords: GameWords
    ) {
        let cell = score.cell
        let row = sheet.row(cell.row)
        let before = (live.map { [$0.winner] + $0.losers } ?? []).map(\.value)
            .filter { $0 != .null }
        self.init(
            player: player,
            row: cell.row.description,
            label: gameWords.label(of: cell, on: sheet),
            round: cell.round.map(Int.init),
            value: Scalar(gameWords.told(score)),
            text: gameWords.value(score)?.shown,
            count: row.flatMap { $0.isNumeric ? $0.count(of: score.value) : nil },
            replaced: before.map { Scalar(gameWords.told(Score(cell, $0))) },
            replacedTexts: gameWords.texts(of: before, in: cell)
        )
    }
}
