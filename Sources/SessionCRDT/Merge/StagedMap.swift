/// A map with two layers of changes on top: those on their way to disk, and those that come after.
///
/// Peers and tables are shown `committed`, which a power cut cannot take back. New writes and
/// deltas build on `head`, so that a second write to a cell replaces the first even while the first
/// is on its way. This is what makes group commit possible without copying the map.
package struct StagedMap: Sendable {
    /// What is on disk.
    package private(set) var committed: CausalMap
    private var sealed: Draft?
    private var open: Draft?
    /// How many drafted changes are settled or discarded.
    private var pastCount = 0

    /// A map with nothing on top.
    package init(_ committed: CausalMap) {
        self.committed = committed
    }

    /// What has been seen, whether it is on disk or not.
    package var headVector: VersionVector {
        open?.vector ?? sealed?.vector ?? committed.vector
    }

    /// The entries live under the key, whether they are on disk or not.
    package func head(_ key: Key) -> LiveSet? {
        open?[key] ?? underOpen(key)
    }

    /// All keys, with what is live under each, whether it is on disk or not.
    ///
    /// A copy of everything when there are changes on top.
    package var headLive: LiveSets {
        var live = committed.live
        for change in drafted { live.put(change.after, under: change.key) }
        return live
    }

    /// Whether a batch was sealed and neither settled nor discarded.
    package var isSealed: Bool { sealed != nil }

    /// Whether there are changes that no batch has taken yet.
    package var hasOpenChanges: Bool { open != nil }

    // MARK: What the next write finds

    /// The changes on top of what is on disk, one after the other: taken in by what follows from
    /// `committed`, they make what the next write finds.
    package var drafted: [KeyChange] { (sealed?.steps ?? []) + (open?.steps ?? []) }

    /// How many changes were ever drafted on this map.
    ///
    /// It never goes back, and differs before and after anything that changes the head.
    package var draftCount: Int {
        pastCount + (sealed?.steps.count ?? 0) + (open?.steps.count ?? 0)
    }

    /// The drafted changes after the first `count` ones, for who has taken those in.
    ///
    /// - Returns: nil when they are not known any more, because they are on disk, or when some of
    ///   the first ones were discarded: then `drafted` on top of `committed` says all.
    package func drafted(after count: Int) -> [KeyChange]? {
        guard (pastCount...draftCount).contains(count) else { return nil }
        let steps = sealed?.steps ?? []
        let inSealed = count - pastCount
        guard inSealed < steps.count else {
            return Array((open?.steps ?? []).dropFirst(inSealed - steps.count))
        }
        return steps.dropFirst(inSealed) + (open?.steps ?? [])
    }

    // MARK: Changes

    /// Writes an entry over everything that is live under its key.
    ///
    /// The entry's dot must be the next of its actor.
    package mutating func write(_ entry: Entry, under key: Key) {
        let before = head(key)
        openDraft()
        open?.write(entry, under: key, over: before)
    }

    /// Takes in what a peer sent, all of it or nothing.
    ///
    /// - Returns: whether it fitted: false when something before it is missing here, so that taking
    ///   it would count as seen what never came.
    package mutating func merge(_ delta: Delta) -> Bool {
        let seen = headVector
        guard seen.covers(delta.base) else { return false }
        if !delta.isUnion, seen.covers(delta.upto) { return true }
        // No key comes twice, so that a draft that begins with the delta need not be asked.
        let isFirst = open == nil
        openDraft()
        open?.reserve(delta.changes.count)
        for change in delta.changes {
            let before = isFirst ? underOpen(change.key) : head(change.key)
            if let after = StagedMap.merge(change, of: delta, into: before, seen: seen) {
                open?.replace(before, by: after, under: change.key)
            }
        }
        open?.join(delta.upto)
        if open?.isEmpty(on: sealed?.vector ?? committed.vector) == true { open = nil }
        return true
    }

    /// Closes the open changes into a batch for the disk; nil when there are none.
    ///
    /// Only one batch is on its way at a time: `settle` or `discard` must come before the next.
    package mutating func seal() -> Batch? {
        precondition(sealed == nil, "one batch is on its way to disk already")
        guard let draft = open else { return nil }
        sealed = draft
        open = nil
        var removed: [Dot] = []
        var inserted: [KeyedEntry] = []
        inserted.reserveCapacity(draft.changes.count)
        for change in draft.changes {
            if let before = change.before {
                for entry in before where change.after[entry.dot] == nil {
                    removed.append(entry.dot)
                }
            }
            for entry in change.after where change.before?[entry.dot] != entry {
                inserted.append(KeyedEntry(key: change.key, entry: entry))
            }
        }
        return Batch(
            removed: removed,
            inserted: inserted,
            advanced: draft.vector.beyond(committed.vector),
            journal: draft.journal
        )
    }

    /// The disk has the batch: from now on it may be told.
    ///
    /// - Returns: what it changed, each key once, in the order in which keys were first changed.
    @discardableResult
    package mutating func settle() -> [KeyChange] {
        guard let draft = sealed else { return [] }
        sealed = nil
        pastCount += draft.steps.count
        committed.apply(draft)
        return draft.changes
    }

    /// The disk does not have the batch: forgets it, and everything that was built on it.
    package mutating func discard() {
        // One more, so that nobody goes on from what is forgotten.
        pastCount = draftCount + 1
        sealed = nil
        open = nil
    }

    /// The entries that the open changes find under the key.
    private func underOpen(_ key: Key) -> LiveSet? { sealed?[key] ?? committed[key] }

    private mutating func openDraft() {
        if open == nil { open = Draft(on: sealed?.vector ?? committed.vector) }
    }

    private static func merge(
        _ change: KeyedLiveSet,
        of delta: Delta,
        into before: LiveSet?,
        seen: VersionVector
    ) -> LiveSet? {
        guard let before else {
            guard !delta.isUnion else { return change.live }
            // Keys are never deleted, so a dot that was seen was seen under another key.
            return change.live.filtered { !seen.covers($0.dot) }
        }
        guard !delta.isUnion else { return before.united(with: change.live, under: change.key) }
        return before.merged(with: change.live, upto: delta.upto, seen: seen, under: change.key)
    }
}
