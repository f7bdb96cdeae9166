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
        open?.changed[key] ?? sealed?.changed[key] ?? committed[key]
    }

    /// All keys, with what is live under each, whether it is on disk or not.
    ///
    /// A copy of everything when there are changes on top.
    package var headLive: [Key: LiveSet] {
        var live = committed.live
        for draft in [sealed, open] {
            live.merge(draft?.changed ?? [:]) { _, changed in changed }
        }
        return live
    }

    /// What the changes on top make of what is on disk, by key: what the next write finds beside
    /// it.
    package var drafted: [KeyChange] {
        var changed = sealed?.changed ?? [:]
        changed.merge(open?.changed ?? [:]) { $1 }
        return changed.sorted { $0.key < $1.key }.map { key, after in
            KeyChange(key: key, before: committed[key], after: after)
        }
    }

    /// Whether a batch was sealed and neither settled nor discarded.
    package var isSealed: Bool { sealed != nil }

    /// Whether there are changes that no batch has taken yet.
    package var hasOpenChanges: Bool { open != nil }

    /// Writes an entry over everything that is live under its key.
    ///
    /// The entry's dot must be the next of its actor.
    package mutating func write(_ entry: Entry, under key: Key) {
        let before = head(key)
        var draft = takeOpen()
        draft.write(entry, under: key, over: before)
        open = draft
    }

    /// Takes in what a peer sent, all of it or nothing.
    ///
    /// - Returns: whether it fitted: false when something before it is missing here, so that taking
    ///   it would count as seen what never came.
    package mutating func merge(_ delta: Delta) -> Bool {
        let seen = headVector
        guard seen.covers(delta.base) else { return false }
        if !delta.isUnion, seen.covers(delta.upto) { return true }
        var draft = takeOpen()
        draft.reserve(delta.changes.count)
        for change in delta.changes {
            let before =
                draft.changed[change.key] ?? sealed?.changed[change.key]
                ?? committed[change.key]
            if let after = StagedMap.merge(change, of: delta, into: before, seen: seen) {
                draft.replace(before, by: after, under: change.key)
            }
        }
        draft.join(delta.upto)
        let base = sealed?.vector ?? committed.vector
        open = draft.isEmpty(on: base) ? nil : draft
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
        for (key, after) in draft.changed.sorted(by: { $0.key < $1.key }) {
            let before = committed[key]
            removed += before?.entries.map(\.dot).filter { after[$0] == nil } ?? []
            inserted += after.entries.filter { before?[$0.dot] != $0 }
                .map { KeyedEntry(key: key, entry: $0) }
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
    /// - Returns: what it changed, by key.
    @discardableResult
    package mutating func settle() -> [KeyChange] {
        guard let draft = sealed else { return [] }
        sealed = nil
        let changes = draft.changed.sorted { $0.key < $1.key }.map { key, after in
            KeyChange(key: key, before: committed[key], after: after)
        }
        let live = changes.map { KeyedLiveSet(key: $0.key, live: $0.after) }
        committed.apply(live, vector: draft.vector)
        return changes
    }

    /// The disk does not have the batch: forgets it, and everything that was built on it.
    package mutating func discard() {
        sealed = nil
        open = nil
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
            return LiveSet(change.live.entries.filter { !seen.covers($0.dot) })
        }
        guard !delta.isUnion else { return before.united(with: change.live, under: change.key) }
        return before.merged(with: change.live, upto: delta.upto, seen: seen, under: change.key)
    }

    /// The open draft, taken out so that changing it copies nothing.
    private mutating func takeOpen() -> Draft {
        let draft = open ?? Draft(on: sealed?.vector ?? committed.vector)
        open = nil
        return draft
    }
}
