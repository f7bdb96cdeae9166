import SessionCRDT

/// What the rounds of one player in a row are worth by a formula, and what is wrong with them.
struct WorkedRounds: Sendable {
    /// What each round is worth: by itself, as its count, and what it adds, as its points, which
    /// differ where a running formula says what the rounds come to; whichever cells hold these.
    private(set) var results = OrderedPieces<Mark>()
    /// The rounds of which some fields are entered and others are missing.
    private(set) var gaps = OrderedPieces<Gap>()
    /// The rounds of which a formula has no value, in order.
    private(set) var faults = OrderedPieces<Fault>()
    /// Whether a running formula says what they come to.
    private(set) var isRunning = false

    /// A round of which fields are missing.
    struct Gap: Placed, Hashable, Sendable {
        /// The place of the round.
        let place: Int64
        /// The fields to enter.
        let missing: [Symbol]

        var weight: Int64 { 0 }
    }

    /// A round of which a formula has no value.
    struct Fault: Placed, Hashable, Sendable {
        /// Which formula of which round.
        let place: Place
        /// Why.
        let reason: FormulaFault

        var weight: Int64 { 0 }

        /// A formula of a round: that of its worth, or the running one.
        struct Place: Comparable, Hashable, Sendable {
            let round: Int64
            let isRunning: Bool

            static func < (left: Place, right: Place) -> Bool {
                left.round == right.round
                    ? !left.isRunning && right.isRunning : left.round < right.round
            }
        }
    }

    /// What the rounds together come to.
    var sum: Int64 { Bounds.cut(results.weight) }

    /// What the rounds before this one come to.
    func sum(before place: Int64) -> Int64 {
        Bounds.cut(results.weight - results.weight(after: place - 1))
    }

    /// Notes what a round is worth; nil of nothing.
    mutating func set(_ points: Int64?, inRound place: Int64) {
        guard results[place]?.count != points else { return }
        if let points {
            results.set(Mark(place: place, count: points, points: points))
        } else {
            results.remove(place)
        }
    }

    /// Notes what a round adds by a running formula.
    mutating func set(added: Int64, inRound place: Int64) {
        isRunning = true
        _ = results.change(place) { $0.points = added }
    }

    /// Notes which fields a round waits for.
    ///
    /// - Returns: whether these are others.
    mutating func set(missing: [Symbol], inRound place: Int64) -> Bool {
        guard (gaps[place]?.missing ?? []) != missing else { return false }
        if missing.isEmpty {
            gaps.remove(place)
        } else {
            gaps.set(Gap(place: place, missing: missing))
        }
        return true
    }

    /// Notes why a formula of a round has no value; nil where it has one.
    ///
    /// - Returns: whether that is something else.
    mutating func set(_ fault: FormulaFault?, inRound round: Int64, isRunning: Bool) -> Bool {
        let place = Fault.Place(round: round, isRunning: isRunning)
        guard faults[place]?.reason != fault else { return false }
        if let fault {
            faults.set(Fault(place: place, reason: fault))
        } else {
            faults.remove(place)
        }
        return true
    }
}
