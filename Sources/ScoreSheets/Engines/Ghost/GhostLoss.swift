import SessionCRDT

/// A round that somebody lost.
struct GhostLoss: TurnPart, Hashable {
    /// Its turns, by their place among all.
    let turns: Range<Int>
    /// Who lost it, by seat.
    let seat: Int
    /// The letter that lost it.
    let letter: GhostLetter
    /// How many lives the loser had left.
    let livesLeft: Int

    /// What is told of it, with the name of the loser, where words count from a length on.
    func note(_ name: String, minimum: Int64, leaving stakes: GhostNote.Stakes? = nil) -> GhostNote
    {
        let beginning = letter.beginning
        guard letter.verdict != .complete else { return .completed(beginning, by: name, stakes) }
        let isShort = beginning.utf8.count < minimum
        return .noWord(
            beginning: beginning,
            by: name,
            minimum: isShort ? minimum : nil,
            stakes
        )
    }
}
