import SessionCRDT

/// A round that somebody lost.
struct GhostLoss: Hashable {
    /// The place of the loser in the circle.
    let place: Int
    /// The letter that lost it.
    let letter: GhostLetter
    /// How many lives the loser had left.
    let livesLeft: Int

    /// The reason, with the name of the loser, where words count from a length on: `Bob completed
    /// DONUT`.
    func words(_ name: String, minimum: Int64) -> String {
        let beginning = letter.beginning.uppercased()
        guard letter.verdict != .complete else { return "\(name) completed \(beginning)" }
        let isShort = letter.beginning.utf8.count < minimum
        let word = isShort ? "no word of \(minimum) letters or more" : "no word"
        return "\(word) begins with \(beginning), which \(name) made"
    }
}
