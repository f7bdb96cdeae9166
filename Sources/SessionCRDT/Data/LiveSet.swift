/// The entries of one key that nothing has replaced yet, by dot.
///
/// One entry is the usual case and is kept inline; more of them are writes that did not know of
/// each other. A live set is never empty: clearing a key writes an entry that says `null`. To go
/// through the entries takes nothing but the set itself, which is their collection.
package struct LiveSet: Hashable, Sendable {
    private var earliest: Entry
    private var others: [Entry]

    /// The live set of a write that replaced everything before it.
    package init(_ entry: Entry) {
        earliest = entry
        others = []
    }

    /// The live set of these entries, each dot once, or nil of none.
    package init?(_ entries: [Entry]) {
        guard let first = entries.first else { return nil }
        self.init(first)
        guard entries.count > 1 else { return }
        let sorted = entries.sorted { $0.dot < $1.dot }
        earliest = sorted[0]
        others = Array(sorted.dropFirst())
    }

    /// All entries, by dot, in an array of their own.
    package var entries: [Entry] { Array(self) }

    /// The entry with this dot.
    package subscript(dot: Dot) -> Entry? {
        if earliest.dot == dot { return earliest }
        // Halving, because a peer may send very many entries under one key.
        let place = others.partitioningIndex { $0.dot >= dot }
        return place < others.count && others[place].dot == dot ? others[place] : nil
    }

    /// The entry that is shown: the last writer's.
    package var winner: Entry {
        others.reduce(earliest) { $1.wins(over: $0) ? $1 : $0 }
    }

    /// The entries that are not shown, the latest first.
    package var losers: [Entry] {
        others.isEmpty ? [] : Array(latestFirst.dropFirst())
    }

    /// All entries, the one that is shown first.
    package var latestFirst: [Entry] {
        others.isEmpty ? [earliest] : sorted { $0.wins(over: $1) }
    }

    /// Whether writes that did not know of each other say different things.
    package var isConflicting: Bool {
        others.contains { $0.value != earliest.value }
    }

    /// Adds an entry whose dot comes after all others.
    mutating func append(_ entry: Entry) {
        others.append(entry)
    }
}

extension LiveSet: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { 1 + others.count }

    package subscript(position: Int) -> Entry {
        position == 0 ? earliest : others[position - 1]
    }
}

extension LiveSet {
    /// The live set after a delta said `theirs` of this key:
    /// `(mine ∩ theirs) ∪ (mine ∖ upto) ∪ (theirs ∖ seen)`.
    ///
    /// - Parameters:
    ///   - theirs: the sender's whole live set of the key.
    ///   - upto: what the sender had seen, and with it what the sender knows to be replaced.
    ///   - seen: what this replica had seen, and with it what is known here to be replaced.
    ///   - key: the key of both, which decides with the entries' bytes between two forms of one
    ///     dot.
    /// - Returns: the entries that are live once both sides' knowledge counts.
    func merged(
        with theirs: LiveSet,
        upto: VersionVector,
        seen: VersionVector,
        under key: Key
    ) -> LiveSet {
        // Replicas that keep the laws never get here with nothing; from one that does not, take
        // nothing.
        joined(
            with: theirs,
            under: key,
            keeping: { !upto.covers($0.dot) },
            taking: { !seen.covers($0.dot) }
        ) ?? self
    }

    /// All entries of both sides, whatever either knows to be replaced.
    func united(with theirs: LiveSet, under key: Key) -> LiveSet {
        joined(with: theirs, under: key, keeping: { _ in true }, taking: { _ in true }) ?? self
    }

    /// The entries that a test lets through, or nil when it lets none.
    func filtered(_ isIncluded: (Entry) -> Bool) -> LiveSet? {
        guard count > 1 else { return isIncluded(self[0]) ? self : nil }
        var filtered: LiveSet?
        for entry in self where isIncluded(entry) { filtered.append(entry) }
        return filtered
    }

    /// What is in both sets, what is only here and kept, and what is only there and taken.
    private func joined(
        with theirs: LiveSet,
        under key: Key,
        keeping isKept: (Entry) -> Bool,
        taking isTaken: (Entry) -> Bool
    ) -> LiveSet? {
        var joined: LiveSet?
        var place = 0
        for mine in self {
            while place < theirs.count, theirs[place].dot < mine.dot {
                if isTaken(theirs[place]) { joined.append(theirs[place]) }
                place += 1
            }
            if place < theirs.count, theirs[place].dot == mine.dot {
                joined.append(LiveSet.greater(mine, theirs[place], under: key))
                place += 1
            } else if isKept(mine) {
                joined.append(mine)
            }
        }
        for entry in theirs[place...] where isTaken(entry) { joined.append(entry) }
        return joined
    }

    /// Of two forms of one dot, which only an accident makes, the one that everybody picks.
    private static func greater(_ left: Entry, _ right: Entry, under key: Key) -> Entry {
        guard left != right else { return left }
        return left.precedes(right, of: key, under: key) ? right : left
    }
}

extension Entry {
    /// Whether of two forms of one dot this one, under `key`, is not the one that everybody picks:
    /// the one with the greater canonical bytes.
    func precedes(_ other: Entry, of otherKey: Key, under key: Key) -> Bool {
        canonicalBytes(under: key)
            .lexicographicallyPrecedes(other.canonicalBytes(under: otherKey))
    }
}

extension LiveSet? {
    /// Adds an entry whose dot comes after all others; the first one makes the set.
    fileprivate mutating func append(_ entry: Entry) {
        if self?.append(entry) == nil { self = LiveSet(entry) }
    }
}
