import SessionCRDT

/// The rules of ten-pin bowling, for one player or more.
///
/// A frame is an entry in the row `frame`; its round is the frame of its player, so that frames
/// entered on disconnected devices never collide. Source: the playing rules of the USBC, 2 and 4.
/// Deliberate choices: the player with the fewest frames bowls next, the first seat of equals, so
/// that a latecomer catches up; players who come after another has bowled the last frame take no
/// part in the game.
package struct BowlingRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [.moves(row)] }

    package let sheet: Sheet

    /// The row of the frames.
    static let row = Symbol(known: "frame")

    static let words = TurnWords(game: "game", turn: "frame", verb: "bowl", part: "game")

    package init(sheet: Sheet) { self.sheet = sheet }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        BowlingStatistics.all(of: outcomes)
    }

    package func game(of book: Book) -> any Game { BowlingGame(self, book) }

    /// Reads a value of a cell as a frame; nil for an empty cell, refuses what is no frame.
    func frame(
        of value: Value,
        in cell: Cell
    ) throws(RuleViolation) -> (number: Int, frame: BowlingFrame)? {
        guard let round = try sheet.round(ofMove: value, in: cell, BowlingRules.row) else {
            return nil
        }
        guard let number = Int(exactly: round), number <= BowlingFrame.count else {
            throw RuleViolation("a game has frames 1 to \(BowlingFrame.count), not \(round)")
        }
        let text = value.string ?? value.integer.map(String.init) ?? ""
        if value.string != nil, let frame = BowlingFrame(spelling: text, number: number) {
            return (number, frame)
        }
        let meant = try? BowlingFrame(typed: [text], number: number)
        throw RuleViolation(
            meant.map { "a frame is written in one way: \($0.spelling), not \(value.words)" }
                ?? "\(value.words) is no such frame: \(BowlingFrame.examples)"
        )
    }
}
