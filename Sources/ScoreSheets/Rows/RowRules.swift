import SessionCRDT

/// The rules of every game whose total is the sum of its rows.
///
/// A player is ranked from the first score that counts: a zero that nobody entered would lead where
/// the lowest wins, or where others are below zero. A player with fewer rounds than the others is
/// ranked by what there is. Players of one team are ranked together by what they have together. The
/// target ends the game as soon as a side that takes part has reached it and the round is complete,
/// or at once where the sheet says so; corrections count, so an end can be taken back. The same
/// holds for a row that wins at once, which goes before every total and waits for nobody; a row
/// that only goes before the total ends nothing.
package struct RowRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func start(_ book: Book) -> any GameState { RowState(self, book) }
}
