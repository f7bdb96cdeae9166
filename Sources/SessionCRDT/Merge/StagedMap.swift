/// A causal map with two layers of changes on top: those being written to disk, and later ones.
///
/// Writes and deltas change the head at once, so that a second write to a cell can replace the
/// first while that is still on its way to disk. Peers and scoreboards see only `committed`, which
/// a power failure cannot take back. The life of a change:
///
/// 1. `write` or `merge` records it in the open draft.
/// 2. `seal` closes the draft and returns a `Batch` for one transaction of the store. Meanwhile a
///    new draft collects further changes (group commit); the map is never copied.
/// 3. `settle` applies the sealed draft to `committed` once it is on disk; `discard` drops all
///    changes that are not on disk.
package struct StagedMap: Sendable {
    /// The state on disk.
    package private(set) var committed: CausalMap
    private var sealed: Draft?
    private var open: Draft?
    /// The number of drafted changes that are settled or discarded.
    private var retiredChangeCount = 0

    package init(_ committed: CausalMap) { self.committed = committed }

    /// All writes seen, on disk or not.
    package var headVector: VersionVector { open?.vector ?? baseVector }

    /// Returns the live entries of the key, on disk or not.
    package func head(_ key: Key) -> LiveSet? { open?[key] ?? liveBelowDraft(key) }

    /// The live entries of all keys, on disk or not.
    ///
    /// A full copy if any change is not on disk yet.
    package var headLive: LiveSets {
        var live = committed.live
        for change in pendingChanges { live.put(change.after, under: change.key) }
        return live
    }

    /// Whether a batch was sealed and neither settled nor discarded.
    package var isSealed: Bool { sealed != nil }
    package var hasOpenChanges: Bool { open != nil }

    // MARK: Drafted changes

    /// The changes that are not on disk yet, in order: applied to `committed` they give the head.
    package var pendingChanges: [KeyChange] { (sealed?.steps ?? []) + (open?.steps ?? []) }

    /// The number of changes ever drafted on this map.
    ///
    /// It never decreases, and anything that changes the head changes it.
    package var draftCount: Int {
        retiredChangeCount + (sealed?.steps.count ?? 0) + (open?.steps.count ?? 0)
    }

    /// Returns the drafted changes after the first `count`, for a caller that has applied the first
    /// ones.
    ///
    /// - Returns: nil if they are no longer available, because they are on disk or were discarded;
    ///   the caller then restarts from `committed` and `pendingChanges`.
    package func pendingChanges(after count: Int) -> [KeyChange]? {
        guard (retiredChangeCount...draftCount).contains(count) else { return nil }
        let steps = sealed?.steps ?? []
        let inSealed = count - retiredChangeCount
        guard inSealed < steps.count else {
            return Array((open?.steps ?? []).dropFirst(inSealed - steps.count))
        }
        return steps.dropFirst(inSealed) + (open?.steps ?? [])
    }

    // MARK: Changes

    /// Writes an entry, which replaces everything that is live under its key, except for the
    /// entries to keep.
    ///
    /// The entry's dot must be the next of its actor.
    package mutating func write(_ entry: Entry, under key: Key, keeping kept: [Entry] = []) {
        let before = head(key)
        openDraft()
        open?.write(entry, under: key, over: before, keeping: kept)
    }

    /// Merges an imported session, a delta with an empty base, and adopts the lines of its
    /// exporter's journal that are missing in the journal here.
    package mutating func merge(_ delta: Delta, journal lines: [JournalLine]) -> Bool {
        let seen = headVector
        guard merge(delta) else { return false }
        openDraft()
        open?.replaceJournal(with: lines, seen: seen)
        closeEmptyDraft()
        return true
    }

    /// Merges a delta from a peer, completely or not at all.
    ///
    /// - Returns: false if this replica has not seen the base of the delta, because merging would
    ///   then count writes as seen that never arrived.
    package mutating func merge(_ delta: Delta) -> Bool {
        guard !delta.isUnion else { return unite(delta) != nil }
        let seen = headVector
        guard seen.covers(delta.base) else { return false }
        if seen.covers(delta.upto) { return true }
        // A delta has each key once, so a draft that starts with this delta need not be searched.
        let isFirst = open == nil
        openDraft()
        open?.reserve(delta.changes.count)
        for change in delta.changes {
            let before = isFirst ? liveBelowDraft(change.key) : head(change.key)
            if let after = StagedMap.merge(change, of: delta, into: before, seen: seen) {
                open?.replace(before, by: after, under: change.key)
            }
        }
        open?.join(delta.upto)
        closeEmptyDraft()
        return true
    }

    /// Merges the full state of a peer with the same vector and a different digest.
    ///
    /// A replica that has seen more writes since ignores it: entries that are missing here may have
    /// been replaced by these. If a dot is live under different keys on the two sides, the entry
    /// with the greater canonical bytes is kept.
    ///
    /// - Returns: the displaced entries, which must be written again under new dots, because their
    ///   dot belongs to another key and nothing else is live under their own key; nil if this
    ///   replica has not seen the base of the union.
    package mutating func unite(_ union: Delta) -> [KeyedEntry]? {
        let seen = headVector
        guard seen.covers(union.base) else { return nil }
        guard seen == union.upto else { return [] }
        var homes: [Dot: Key] = [:]
        for (key, set) in headLive {
            for entry in set { homes[entry.dot] = key }
        }
        openDraft()
        var displaced: [KeyedEntry] = []
        var outdone: [KeyedEntry] = []
        for change in union.changes {
            var theirs: LiveSet? = change.live
            for entry in change.live {
                guard let home = homes[entry.dot], home != change.key,
                    let mine = head(home)?[entry.dot]
                else { continue }
                if mine.precedes(entry, of: change.key, under: home) {
                    outdone.append(KeyedEntry(key: home, entry: mine))
                } else {
                    theirs = theirs?.filtered { $0.dot != entry.dot }
                    displaced.append(KeyedEntry(key: change.key, entry: entry))
                }
            }
            guard let theirs else { continue }
            let before = head(change.key)
            let after = before?.united(with: theirs, under: change.key) ?? theirs
            open?.replace(before, by: after, under: change.key)
        }
        for stored in outdone {
            guard let before = head(stored.key) else { continue }
            if let after = before.filtered({ $0.dot != stored.entry.dot }) {
                open?.replace(before, by: after, under: stored.key)
            } else {
                displaced.append(stored)
            }
        }
        closeEmptyDraft()
        // A displaced entry that is alone under its key stays live until it is written again.
        return displaced.filter { stored in
            head(stored.key).map { $0.count == 1 && $0[0].dot == stored.entry.dot } ?? true
        }
    }

    /// Closes the open changes into a batch for the disk; nil if there are none.
    ///
    /// Only one batch can be open: `settle` or `discard` must be called before the next `seal`.
    package mutating func seal() -> Batch? {
        precondition(sealed == nil, "a batch is already being written")
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
            advanced: draft.vector.heads(aheadOf: committed.vector),
            journal: draft.journal,
            earlier: draft.earlier
        )
    }

    /// Applies the sealed draft, which is on disk now; from here on its changes may be sent and
    /// shown.
    ///
    /// - Returns: the changes, each key once, in the order in which keys were first changed.
    @discardableResult
    package mutating func settle() -> [KeyChange] {
        guard let draft = sealed else { return [] }
        sealed = nil
        retiredChangeCount += draft.steps.count
        committed.apply(draft)
        return draft.changes
    }

    /// Drops the sealed draft, which did not reach the disk, and every change based on it.
    package mutating func discard() {
        // Plus one, so that no caller of `pendingChanges(after:)` continues from a dropped change.
        retiredChangeCount = draftCount + 1
        sealed = nil
        open = nil
    }

    /// Returns the live entries of the key without the open draft.
    private func liveBelowDraft(_ key: Key) -> LiveSet? { sealed?[key] ?? committed[key] }

    /// The writes seen without the open draft.
    private var baseVector: VersionVector { sealed?.vector ?? committed.vector }

    private mutating func openDraft() { if open == nil { open = Draft(on: baseVector) } }

    private mutating func closeEmptyDraft() {
        if open?.isEmpty(on: baseVector) == true { open = nil }
    }

    private static func merge(
        _ change: KeyedLiveSet,
        of delta: Delta,
        into before: LiveSet?,
        seen: VersionVector
    ) -> LiveSet? {
        // Keys are never deleted, so an entry that was seen, although its key is unknown, was seen
        // under another key.
        guard let before else { return change.live.filtered { !seen.covers($0.dot) } }
        return before.merged(with: change.live, upto: delta.upto, seen: seen, under: change.key)
    }
}

/// Changes on top of a map that are not on disk yet.
///
/// A draft holds the new live set of each changed key separately from the map: after a successful
/// write it is applied to the map, after a failed one it is dropped, and nothing has to be undone.
struct Draft: Sendable {
    /// The changes, each key once, in the order in which keys were first changed.
    private(set) var changes: [KeyChange] = []
    private(set) var vector: VersionVector
    private(set) var journal: [JournalLine] = []
    /// Imported lines that go before the whole journal.
    private(set) var earlier: [JournalLine] = []

    private var indices = KeyTable()
    /// All changes in order, including repeated changes of one key; nil until a key changes a
    /// second time, because until then they equal `changes`.
    private var allSteps: [KeyChange]?

    init(on vector: VersionVector) { self.vector = vector }

    mutating func reserve(_ count: Int) {
        guard count > changes.count else { return }
        indices.reserve(changes.count + count)
        changes.reserveCapacity(changes.count + count)
        journal.reserveCapacity(journal.count + count)
    }

    /// The new live set of a key; nil if the draft does not change it.
    subscript(key: Key) -> LiveSet? { indices.number(of: key).map { changes[$0].after } }

    /// The live sets of all changed keys, to fill a map that was empty.
    var liveSets: LiveSets { LiveSets(indices, changes.map(\.after)) }

    /// All changes in order, including several to one key.
    var steps: [KeyChange] { allSteps ?? changes }

    func isEmpty(on base: VersionVector) -> Bool {
        changes.isEmpty && earlier.isEmpty && vector == base
    }

    mutating func write(
        _ entry: Entry,
        under key: Key,
        over before: LiveSet?,
        keeping kept: [Entry]
    ) {
        let replaced = before?.latestFirst.filter { !kept.contains($0) } ?? []
        change(key, from: before, to: LiveSet(kept + [entry]) ?? LiveSet(entry))
        vector.advance(to: entry.dot)
        journal.append(JournalLine(key: key, entry: entry, replaced: replaced))
    }

    /// Replaces the live set of a key by the result of a merge.
    mutating func replace(_ before: LiveSet?, by after: LiveSet, under key: Key) {
        guard after != before else { return }
        change(key, from: before, to: after)
        let gone = before?.filtered { after[$0.dot] == nil }
        let news = before == nil ? after : after.filtered { before?[$0.dot] == nil }
        guard let added = news else { return }
        // The winner among the new writes is recorded as the one that replaced all old ones; only
        // their authors know which of them replaced which.
        for entry in added.losers.reversed() {
            journal.append(JournalLine(key: key, entry: entry, replaced: []))
        }
        let replaced = gone?.latestFirst ?? []
        journal.append(JournalLine(key: key, entry: added.winner, replaced: replaced))
    }

    /// Adopts the journal lines of another device: lines of new writes replace the lines recorded
    /// by this draft, and lines of writes seen before become `earlier`.
    mutating func replaceJournal(with lines: [JournalLine], seen: VersionVector) {
        let news = lines.filter { !seen.covers($0.entry.dot) }
        earlier += lines.filter { seen.covers($0.entry.dot) }
        let replaced = Set(news.map(\.entry.dot))
        journal.removeAll { replaced.contains($0.entry.dot) }
        journal += news
    }

    mutating func join(_ other: VersionVector) { vector.join(other) }

    private mutating func change(_ key: Key, from before: LiveSet?, to after: LiveSet) {
        let step = KeyChange(key: key, before: before, after: after)
        let (index, isNew) = indices.insert(key)
        if !isNew, allSteps == nil { allSteps = changes }
        allSteps?.append(step)
        if isNew {
            changes.append(step)
        } else {
            changes[index] = KeyChange(key: key, before: changes[index].before, after: after)
        }
    }
}

/// The content of one transaction, which must be on disk before any of it is sent or shown.
package struct Batch: Hashable, Sendable {
    /// The entries that are live no longer.
    package let removed: [Dot]
    /// The entries that have become live; each overwrites a stored entry with the same dot.
    package let inserted: [KeyedEntry]
    /// The last write seen of each actor that has new writes.
    package let advanced: [Dot]
    package let journal: [JournalLine]
    /// Imported lines that go before the whole journal, in order; the store skips those whose
    /// entries are in the journal already.
    package let earlier: [JournalLine]

    package init(
        removed: [Dot],
        inserted: [KeyedEntry],
        advanced: [Dot],
        journal: [JournalLine],
        earlier: [JournalLine] = []
    ) {
        (self.removed, self.inserted, self.advanced) = (removed, inserted, advanced)
        (self.journal, self.earlier) = (journal, earlier)
    }
}

/// A change of the live set of one key.
///
/// Everything that is derived from a session is updated from these changes, so that the cost of a
/// score does not depend on the size of the session.
package struct KeyChange: Hashable, Sendable {
    package let key: Key
    /// The live set before the change; nil if the key was never written.
    package let before: LiveSet?
    package let after: LiveSet

    package init(key: Key, before: LiveSet?, after: LiveSet) {
        (self.key, self.before, self.after) = (key, before, after)
    }
}

/// A line of the journal: an entry that was written or received on this device, and the entries
/// that it replaced here.
///
/// The journal is this device's own history of a session, in the order in which it learned of
/// writes; it is not replicated. History and undo are read from it.
package struct JournalLine: Hashable, Sendable {
    package let key: Key
    package let entry: Entry
    /// The replaced entries, the latest first.
    package let replaced: [Entry]

    package init(key: Key, entry: Entry, replaced: [Entry]) {
        (self.key, self.entry, self.replaced) = (key, entry, replaced)
    }
}
