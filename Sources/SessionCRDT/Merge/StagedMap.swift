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

/// Changes on top of a map that are not on disk yet.
///
/// It holds what becomes of each changed key beside the map, not in it: when the disk says yes it
/// is folded in, when the disk says no it is dropped and nothing has to be undone.
struct Draft: Sendable {
    /// What becomes of each key, in the order in which keys were first changed.
    private(set) var changes: [KeyChange] = []
    private(set) var vector: VersionVector
    private(set) var journal: [JournalLine] = []
    /// Lines that belong before everything in the journal.
    private(set) var earlier: [JournalLine] = []

    /// The places of the keys in `changes`.
    private var places = KeyTable()
    /// Each change by itself, once a key was changed twice; until then `changes` are the steps.
    private var repeatedSteps: [KeyChange]?

    /// A draft without changes on top of what has been seen.
    init(on vector: VersionVector) {
        self.vector = vector
    }

    /// Prepares for so many changes more, so that its tables need not be moved as they grow.
    mutating func reserve(_ count: Int) {
        guard count > changes.count else { return }
        places.reserve(changes.count + count)
        changes.reserveCapacity(changes.count + count)
        journal.reserveCapacity(journal.count + count)
    }

    /// What the draft makes of a key; nil where it changes nothing.
    subscript(key: Key) -> LiveSet? { places.number(of: key).map { changes[$0].after } }

    /// What becomes of all keys, as they go into a map in which nothing was live.
    var liveSets: LiveSets { LiveSets(places, changes.map(\.after)) }

    /// Each change in order: what was live before it was made, and what after.
    var steps: [KeyChange] { repeatedSteps ?? changes }

    /// Whether there is nothing in it that a disk must know.
    func isEmpty(on base: VersionVector) -> Bool {
        changes.isEmpty && earlier.isEmpty && vector == base
    }

    /// Writes an entry over everything that is live under the key.
    mutating func write(_ entry: Entry, under key: Key, over before: LiveSet?) {
        change(key, from: before, to: LiveSet(entry))
        vector.advance(to: entry.dot)
        let replaced = before?.latestFirst ?? []
        journal.append(JournalLine(key: key, entry: entry, replaced: replaced))
    }

    /// Puts the merged live set of a key in place of what was live.
    mutating func replace(_ before: LiveSet?, by after: LiveSet, under key: Key) {
        guard after != before else { return }
        change(key, from: before, to: after)
        let gone = before?.filtered { after[$0.dot] == nil }
        let news = before == nil ? after : after.filtered { before?[$0.dot] == nil }
        guard let fresh = news else { return }
        // What was replaced is told with the last of the new writes; which of them replaced it
        // only the writer knew.
        let latest = fresh.winner
        for entry in fresh.losers.reversed() {
            journal.append(JournalLine(key: key, entry: entry, replaced: []))
        }
        journal.append(JournalLine(key: key, entry: latest, replaced: gone?.latestFirst ?? []))
    }

    /// Takes in how another device tells what happened: of news in place of what is told here, of
    /// what was seen before as what came first.
    mutating func tell(_ lines: [JournalLine], havingSeen seen: VersionVector) {
        let news = lines.filter { !seen.covers($0.entry.dot) }
        earlier += lines.filter { seen.covers($0.entry.dot) }
        let told = Set(news.map(\.entry.dot))
        journal.removeAll { told.contains($0.entry.dot) }
        journal += news
    }

    /// Notes everything that a delta brought.
    mutating func join(_ other: VersionVector) {
        vector.join(other)
    }

    private mutating func change(_ key: Key, from before: LiveSet?, to after: LiveSet) {
        let step = KeyChange(key: key, before: before, after: after)
        let (place, isNew) = places.insert(key)
        if !isNew, repeatedSteps == nil { repeatedSteps = changes }
        repeatedSteps?.append(step)
        if isNew {
            changes.append(step)
        } else {
            changes[place] = KeyChange(key: key, before: changes[place].before, after: after)
        }
    }
}

/// What a store must write down in one transaction before any of it may be told.
package struct Batch: Hashable, Sendable {
    /// The entries that are no longer live.
    package let removed: [Dot]
    /// The entries that have become live; one that is stored already under its dot is overwritten.
    package let inserted: [KeyedEntry]
    /// The last write now seen of each actor of which more was seen.
    package let advanced: [Dot]
    /// What happened, in order.
    package let journal: [JournalLine]
    /// What had happened before everything that the journal has, in order; of it those lines are
    /// written whose entries the journal does not have.
    package let earlier: [JournalLine]

    package init(
        removed: [Dot],
        inserted: [KeyedEntry],
        advanced: [Dot],
        journal: [JournalLine],
        earlier: [JournalLine] = []
    ) {
        self.removed = removed
        self.inserted = inserted
        self.advanced = advanced
        self.journal = journal
        self.earlier = earlier
    }
}

/// What became of one key: what was live under it, and what is live now.
///
/// Everything that follows from a session follows from these, step by step, so that a score costs
/// what it changes and not what the session holds.
package struct KeyChange: Hashable, Sendable {
    /// What it is about.
    package let key: Key
    /// What was live before; nil where nobody had written.
    package let before: LiveSet?
    /// What is live now.
    package let after: LiveSet

    package init(key: Key, before: LiveSet?, after: LiveSet) {
        self.key = key
        self.before = before
        self.after = after
    }
}

/// What happened to one key on this device: an entry that was written or came in, and what it
/// replaced.
package struct JournalLine: Hashable, Sendable {
    /// What it is about.
    package let key: Key
    /// What was written.
    package let entry: Entry
    /// What it replaced here, the latest first.
    package let replaced: [Entry]

    package init(key: Key, entry: Entry, replaced: [Entry]) {
        self.key = key
        self.entry = entry
        self.replaced = replaced
    }
}
