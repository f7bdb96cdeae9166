import ScoreSheets
import SessionCRDT

/// What an answer says of entries that do not count, so that nobody has to look for it.
extension Scoreboard {
    /// What a device entered and what does not count, in sentences: somebody else's entry is shown
    /// in its place, or the rules do not allow it.
    ///
    /// Of the cells that the command wrote each is told with the reason, of the others their
    /// number, without those of which the answer says already that it changes them.
    func losses(
        of device: DeviceID,
        telling cells: [Cell],
        besides consequences: Consequences,
        _ standings: Standings?
    ) -> [String] {
        let lost = conflicts.count { cell in
            guard let set = self[cell] else { return false }
            return set.losers.contains { $0.author == device && $0.value != set.winner.value }
        }
        let told = Set(cells)
        var reasons: [String] = []
        var vain: Set<Cell> = []
        for flag in standings?.flags ?? [] {
            guard case .cell(let cell) = flag.subject else { continue }
            if told.contains(cell) {
                let gameWords = game?.words(in: book) ?? GameWords()
                reasons.append("does not count: \(flag.words(in: book, by: gameWords))")
            } else if self[cell]?.winner.author == device, !consequences.cells.contains(cell) {
                vain.insert(cell)
            }
        }
        return reasons
            + [
                Scoreboard.sentence(
                    lost,
                    "of this laptop lost to another laptop's: scorectl conflicts"
                ),
                Scoreboard.sentence(vain.count, "of this laptop cannot count: scorectl show"),
            ].compactMap(\.self)
    }

    private static func sentence(_ count: Int, _ what: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? "entry" : "entries") \(what)"
    }
}
