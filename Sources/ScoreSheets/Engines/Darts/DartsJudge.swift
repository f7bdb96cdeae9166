/// What a visit comes to.
struct DartsResult: Hashable {
    /// How it ended.
    let end: End
    /// What it took off; 0 for a bust.
    let scored: Int
    /// How many darts were thrown.
    let darts: Int
    /// What is left after it.
    let left: Int
    /// Whether the player has opened the leg after it.
    let isIn: Bool
    /// Darts thrown while one dart could have finished; nil where the darts are not known.
    let chances: Int?

    /// How a visit can end.
    enum End: Hashable {
        /// There is something left.
        case open
        /// It took off too much.
        case bust
        /// It won the leg.
        case finish
    }
}

/// Judges one visit by what was left before it.
struct DartsJudge {
    /// How the match is set.
    let mode: DartsMode
    /// What is left.
    let left: Int
    /// Whether the player has opened the leg.
    let isIn: Bool

    /// What the visit comes to; refused where it cannot have happened.
    func result(of visit: DartsVisit) throws(DartsRule) -> DartsResult {
        switch visit {
        case .total(let total, let darts): try result(total, darts)
        case .darts(let darts): try result(darts)
        case .bust(let darts): try bust(darts)
        }
    }

    private func result(_ total: Int, _ darts: Int) throws(DartsRule) -> DartsResult {
        // Which rule is broken: the board's, or that of the double that opens.
        for isOpening in isIn ? [false] : [false, true] {
            guard DartsTotals.isPossible(total, darts: darts, isOpening: isOpening) else {
                throw .impossible("\(total)", darts: darts, isOpening: isOpening)
            }
        }
        let isFinish =
            total == left
            && DartsTotals.canFinish(left, darts: darts, out: mode.out, isOpening: !isIn)
        if isFinish { return end(.finish, darts) }
        if left - total < mode.out.least { return end(.bust, darts) }
        return DartsResult(
            end: .open,
            scored: total,
            darts: darts,
            left: left - total,
            isIn: isIn || total > 0,
            chances: nil
        )
    }

    private func bust(_ darts: Int) throws(DartsRule) -> DartsResult {
        guard DartsTotals.canBust(left, darts: darts, out: mode.out, isOpening: !isIn) else {
            throw .cannotBust(left: left, darts: darts)
        }
        return end(.bust, darts)
    }

    /// Dart by dart: nothing counts before the visit is opened, nor after it is over.
    private func result(_ darts: [Dart]) throws(DartsRule) -> DartsResult {
        var rest = left
        var isOpen = isIn
        var chances = 0
        for (index, dart) in darts.enumerated() {
            if isChance(rest, isOpen) { chances += 1 }
            isOpen = isOpen || dart.ring == .double
            guard isOpen else { continue }
            rest -= dart.points
            let isFinish = rest == 0 && mode.out.allows(dart)
            guard isFinish || rest < mode.out.least else { continue }
            guard index == darts.count - 1 else {
                throw .dartsAfterEnd(dart, isBust: !isFinish)
            }
            return end(isFinish ? .finish : .bust, darts.count, chances)
        }
        return DartsResult(
            end: .open,
            scored: left - rest,
            darts: darts.count,
            left: rest,
            isIn: isOpen,
            chances: chances
        )
    }

    private func isChance(_ rest: Int, _ isOpen: Bool) -> Bool {
        DartsTotals.canFinish(rest, darts: 1, out: mode.out, isOpening: !isOpen)
    }

    /// A bust gives back what was left, and takes back the double that opened.
    private func end(_ end: DartsResult.End, _ darts: Int, _ chances: Int? = nil) -> DartsResult {
        DartsResult(
            end: end,
            scored: end == .finish ? left : 0,
            darts: darts,
            left: end == .finish ? 0 : left,
            isIn: end == .finish || isIn,
            chances: chances
        )
    }
}
