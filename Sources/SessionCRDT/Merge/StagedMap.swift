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

    /// Takes in what a file had of the session, which begins from nothing, and how the device that
    /// wrote it tells what happened: lines that are missing in the journal here.
    package mutating func merge(_ delta: Delta, telling lines: [JournalLine]) -> Bool {
        let seen = headVector
        guard merge(delta) else { return false }
        openDraft()
        open?.tell(lines, havingSeen: seen)
        closeEmptyDraft()
        return true
    }

    /// Takes in what a peer sent, all of it or nothing.
    ///
    /// - Returns: whether it fitted: false when something before it is missing here, so that taking
    ///   it would count as seen what never came.
    package mutating func merge(_ delta: Delta) -> Bool {
        guard !delta.isUnion else { return unite(delta) != nil }
        let seen = headVector
        guard seen.covers(delta.base) else { return false }
        if seen.covers(delta.upto) { return true }
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
        closeEmptyDraft()
        return true
    }

    /// Takes in everything of a peer that has seen the same and holds something else.
    ///
    /// Who has gone on since takes nothing of it: what is missing here may have been replaced
    /// meanwhile. Of a dot that is live there and here under different keys the form with the
    /// greater bytes stays.
    ///
    /// - Returns: what is to be written anew, because its dot belongs to another key and nothing
    ///   else is live under its own; nil when the union does not fit.
    package mutating func unite(_ union: Delta) -> [KeyedEntry]? {
        let seen = headVector
        guard seen.covers(union.base) else { return nil }
        guard seen == union.upto else { return [] }
        var homes: [Dot: Key] = [:]
        for (key, set) in headLive {
            for entry in set { homes[entry.dot] = key }
        }
        openDraft()
        var homeless: [KeyedEntry] = []
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
                    homeless.append(KeyedEntry(key: change.key, entry: entry))
                }
            }
            guard let theirs else { continue }
            let before = head(change.key)
            let after = before?.united(with: theirs, under: change.key) ?? theirs
            open?.replace(before, by: after, under: change.key)
        }
        for stray in outdone {
            guard let before = head(stray.key) else { continue }
            if let after = before.filtered({ $0.dot != stray.entry.dot }) {
                open?.replace(before, by: after, under: stray.key)
            } else {
                homeless.append(stray)
            }
        }
        closeEmptyDraft()
        // What is alone under its key is there still, until it is written anew.
        return homeless.filter { stray in
            head(stray.key).map { $0.count == 1 && $0[0].dot == stray.entry.dot } ?? true
        }
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
            journal: draft.journal,
            earlier: draft.earlier
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

    private mutating func closeEmptyDraft() {
        if open?.isEmpty(on: sealed?.vector ?? committed.vector) == true { open = nil }
    }

    private static func merge(
        _ change: KeyedLiveSet,
        of delta: Delta,
        into before: LiveSet?,
        seen: VersionVector
    ) -> LiveSet? {
        // Keys are never deleted, so a dot that was seen was seen under another key.
        guard let before else { return change.live.filtered { !seen.covers($0.dot) } }
        return before.merged(with: change.live, upto: delta.upto, seen: seen, under: change.key)
    }
}
