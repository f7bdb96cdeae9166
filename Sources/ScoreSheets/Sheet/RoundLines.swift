import SessionCRDT

/// The rounds of one row that have lines in a table: those in use, and the short gaps between them.
package struct RoundLines: Hashable, Sendable {
    /// How many rounds in a row may be empty and still have lines.
    ///
    /// Somebody who typed round 900000 by mistake must not make every table that long.
    package static let longestGap: UInt32 = 10
    /// With more rounds than this no gap is filled: nobody plays so many, and ten lines for each
    /// that a stranger wrote would be a million.
    package static let mostFilled = 1000

    /// The rounds in use, sorted.
    private var used: [UInt32]
    /// Whether rounds that nobody has used have lines in short gaps.
    private let fillsGaps: Bool

    /// The lines where these rounds are in use; fields of a round have none where they are empty.
    package init(_ used: Set<UInt32> = [], of row: Row? = nil) {
        self.used = used.sorted()
        fillsGaps = row?.group == nil
    }

    /// The rounds that have lines, in order.
    package var rounds: [UInt32] { lines(of: used[...], after: 0) }

    /// Notes whether a round is in use.
    ///
    /// It costs a gap, but where so many rounds are in use that gaps begin or cease to be filled.
    ///
    /// - Returns: the rounds that have a line now and had none, and the reverse.
    package mutating func note(
        _ round: UInt32,
        isUsed: Bool
    ) -> (new: [UInt32], gone: [UInt32]) {
        let place = place(of: round)
        let wasUsed = place < used.count && used[place] == round
        guard wasUsed != isUsed else { return ([], []) }
        let changesAll = used.count == RoundLines.mostFilled + (isUsed ? 0 : 1)
        let before = changesAll ? rounds : lines(near: place, isUsed: wasUsed)
        if isUsed { used.insert(round, at: place) } else { used.remove(at: place) }
        let after = changesAll ? rounds : lines(near: place, isUsed: isUsed)
        let (had, has) = (Set(before), Set(after))
        return (after.filter { !had.contains($0) }, before.filter { !has.contains($0) })
    }

    /// The first place whose round does not come before this one.
    private func place(of round: UInt32) -> Int {
        used.partitioningIndex { $0 >= round }
    }

    /// The lines from the round in use before a place to the next one after a round there.
    private func lines(near place: Int, isUsed: Bool) -> [UInt32] {
        let end = min(used.count, place + (isUsed ? 2 : 1))
        return lines(of: used[place..<end], after: place > 0 ? used[place - 1] : 0)
    }

    /// The lines of these rounds in use, without the long gaps between them.
    private func lines(of rounds: ArraySlice<UInt32>, after start: UInt32) -> [UInt32] {
        guard fillsGaps, used.count <= RoundLines.mostFilled else { return Array(rounds) }
        var last = start
        return rounds.flatMap { round in
            let isNear = round - last <= RoundLines.longestGap + 1
            let lines = isNear ? (last..<round).map { $0 + 1 } : [round]
            last = round
            return lines
        }
    }
}
