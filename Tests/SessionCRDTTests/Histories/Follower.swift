import SessionCRDT

/// Something that follows from the head of a map, step by step, as a kept scoreboard does.
struct Follower {
    private var live: [Key: LiveSet] = [:]
    /// How many drafted changes are taken in; nil before the first time.
    private var count: Int?

    /// Takes in what came since, or begins anew where that is not known any more.
    ///
    /// Who looks whenever a batch is about to be settled always gets along with what came since.
    mutating func follow(
        _ map: StagedMap,
        neverLate isInTime: Bool = false
    ) throws(Disagreement) {
        let news = count.flatMap { map.drafted(after: $0) }
        if news == nil {
            guard count == nil || !isInTime else {
                throw Disagreement("what came since \(count ?? 0) is not known any more")
            }
            live = map.committed.live.dictionary
        }
        for change in news ?? map.drafted { try live.apply(change) }
        count = map.draftCount
        guard live == map.headLive.dictionary else {
            throw Disagreement("the changes drafted do not make the head")
        }
    }
}

extension [Key: LiveSet] {
    /// Makes a change, which must be one of what is here.
    mutating func apply(_ change: KeyChange) throws(Disagreement) {
        guard updateValue(change.after, forKey: change.key) == change.before else {
            throw Disagreement("a change of \(change.key) is not one of what was there")
        }
    }
}

extension StagedMap {
    /// Settles, and sees whether the changes that are told make the new live sets of the old ones.
    mutating func settleChecked() throws(Disagreement) {
        var live = committed.live.dictionary
        let changes = settle()
        for change in changes { try live.apply(change) }
        guard live == committed.live.dictionary else {
            throw Disagreement("what settling told is not what it changed")
        }
        guard Set(changes.map(\.key)).count == changes.count else {
            throw Disagreement("settling told of a key twice")
        }
    }
}
