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

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        BowlingTally.statistics(of: outcomes)
    }

    package func start(_ book: Book) -> any GameState { BowlingGame(self, book) }

    /// The frame that a value is, or why it is none; nil of nothing.
    func reading(
        _ value: Value,
        in cell: Cell
    ) -> Result<(number: Int, frame: BowlingFrame)?, RuleViolation> {
        if let violation = sheet.violation(of: value, in: cell) { return .failure(violation) }
        if value == .null { return .success(nil) }
        guard cell.row == BowlingRules.row else {
            return .failure(.unknownRow(cell.row.description, candidates: [BowlingRules.row]))
        }
        guard let round = cell.round, round > 0 else {
            return .failure(.roundMissing(row: BowlingRules.row))
        }
        guard let number = Int(exactly: round), number <= BowlingFrame.most else {
            return .failure(BowlingRule.noSuchFrame(round).violation)
        }
        let text = value.string ?? value.integer.map(String.init) ?? ""
        if value.string != nil, let frame = BowlingFrame(spelling: text, number: number) {
            return .success((number, frame))
        }
        let meant = try? BowlingFrame(typed: [text], number: number)
        return .failure(
            BowlingRule.misspelled(value.words, canonical: meant?.spelling).violation
        )
    }
}
