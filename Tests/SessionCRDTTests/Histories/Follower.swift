import SessionCRDT

/// A state that is derived from the head of a map change by change, as a scoreboard is.
struct Follower {
    private var live: [Key: LiveSet] = [:]
    /// The number of drafted changes that were applied; nil before the first time.
    private var count: Int?

    /// Applies the changes since the last call, or starts over if they are no longer known.
    ///
    /// A caller that follows before each batch is settled never has to start over.
    mutating func follow(_ map: StagedMap, neverLate isInTime: Bool = false) throws(Disagreement) {
        let news = count.flatMap { map.pendingChanges(after: $0) }
        if news == nil {
            guard count == nil || !isInTime else {
                throw Disagreement("the changes since \(count ?? 0) are no longer known")
            }
            live = map.committed.live.dictionary
        }
        for change in news ?? map.pendingChanges { try live.apply(change) }
        count = map.draftCount
        guard live == map.headLive.dictionary else {
            throw Disagreement("the drafted changes do not result in the head")
        }
    }
}

extension [Key: LiveSet] {
    /// Applies a change, whose state before must be the current one.
    mutating func apply(_ change: KeyChange) throws(Disagreement) {
        guard updateValue(change.after, forKey: change.key) == change.before else {
            throw Disagreement("a change of \(change.key) does not start from the current state")
        }
    }
}

extension StagedMap {
    /// Settles, and checks that the returned changes lead from the old live sets to the new ones.
    mutating func settleChecked() throws(Disagreement) {
        var live = committed.live.dictionary
        let changes = settle()
        for change in changes { try live.apply(change) }
        guard live == committed.live.dictionary else {
            throw Disagreement("settling did not return what it changed")
        }
        guard Set(changes.map(\.key)).count == changes.count else {
            throw Disagreement("settling returned a key twice")
        }
    }
}
