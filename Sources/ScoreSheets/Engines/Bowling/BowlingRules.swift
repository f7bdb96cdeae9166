import SessionCRDT

/// The rules of ten-pin bowling, for one player or more.
///
/// A frame is a fact in the row `frame`, its round is the frame of its player: so frames that were
/// entered on devices that were apart never stand in each other's way. Source: the playing rules of
/// the USBC, 2 and 4. Deliberate choices: whoever has the fewest frames bowls next, the first seat
/// of equals, so that somebody who came late catches up; who comes after somebody has bowled the
/// last frame has no part in the game.
package struct BowlingRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The row of the frames.
    static let row = Symbol(known: "frame")

    /// What the game calls its frames.
    static let words = TurnWords(game: "game", turn: "frame", verb: "bowl", part: "game")

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        BowlingTally.statistics(of: outcomes)
    }

    package func start(_ book: Book) -> any GameState { BowlingGame(self, book) }

    /// The frame that a value is; nil of nothing, refused where it is none.
    func frame(
        of value: Value,
        in cell: Cell
    ) throws(RuleViolation) -> (number: Int, frame: BowlingFrame)? {
        guard let round = try sheet.round(ofMove: value, in: cell, BowlingRules.row) else {
            return nil
        }
        guard let number = Int(exactly: round), number <= BowlingFrame.most else {
            throw BowlingRule.noSuchFrame(round).violation
        }
        let text = value.string ?? value.integer.map(String.init) ?? ""
        if value.string != nil, let frame = BowlingFrame(spelling: text, number: number) {
            return (number, frame)
        }
        let meant = try? BowlingFrame(typed: [text], number: number)
        throw BowlingRule.misspelled(value.words, canonical: meant?.spelling).violation
    }
}
