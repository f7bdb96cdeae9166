import SessionCRDT

/// A round that somebody lost.
struct GhostLoss: Hashable {
    /// The place of the loser in the circle.
    let place: Int
    /// The letter that lost it.
    let letter: GhostLetter
    /// How many lives the loser had left.
    let livesLeft: Int

    /// The reason, with the name of the loser: `Bob completed DONUT`.
    func words(_ name: String) -> String {
        let beginning = letter.beginning.uppercased()
        return letter.verdict == .complete
            ? "\(name) completed \(beginning)"
            : "no word begins with \(beginning), which \(name) made"
    }
}
