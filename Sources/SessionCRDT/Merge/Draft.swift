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
