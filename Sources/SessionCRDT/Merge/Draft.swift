/// Changes on top of a map that are not on disk yet.
///
/// It holds the new live set of each changed key beside the map, not in it: when the disk says yes
/// it is folded in, when the disk says no it is dropped and nothing has to be undone.
struct Draft: Sendable {
    private(set) var changed: [Key: LiveSet] = [:]
    private(set) var vector: VersionVector
    private(set) var journal: [JournalLine] = []

    /// A draft without changes on top of what has been seen.
    init(on vector: VersionVector) {
        self.vector = vector
    }

    /// Prepares for so many changes, so that its table need not be moved as it grows.
    mutating func reserve(_ count: Int) {
        if count > changed.count { changed.reserveCapacity(count) }
    }

    /// Whether there is nothing in it that a disk must know.
    func isEmpty(on base: VersionVector) -> Bool { changed.isEmpty && vector == base }

    /// Writes an entry over everything that is live under the key.
    mutating func write(_ entry: Entry, under key: Key, over before: LiveSet?) {
        let replaced = before?.entries.sorted { $0.wins(over: $1) } ?? []
        changed[key] = LiveSet(entry)
        vector.advance(to: entry.dot)
        journal.append(JournalLine(key: key, entry: entry, replaced: replaced))
    }

    /// Puts the merged live set of a key in place of what was live.
    mutating func replace(_ before: LiveSet?, by after: LiveSet, under key: Key) {
        guard after != before else { return }
        changed[key] = after
        let gone = before?.entries.filter { after[$0.dot] == nil } ?? []
        let fresh = after.entries.filter { before?[$0.dot] == nil }
            .sorted { $0.wins(over: $1) }
        // What was replaced is told with the last of the new writes; which of them replaced it
        // only the writer knew.
        for (place, entry) in fresh.enumerated().reversed() {
            let replaced = place == 0 ? gone.sorted { $0.wins(over: $1) } : []
            journal.append(JournalLine(key: key, entry: entry, replaced: replaced))
        }
    }

    /// Notes everything that a delta brought.
    mutating func join(_ other: VersionVector) {
        vector.join(other)
    }
}
