/// The live entries of one key, that is those that no other write has replaced, sorted by dot.
///
/// Usually there is one entry, which is stored inline; several are concurrent writes. A live set is
/// never empty: clearing a key writes an entry with the value `null`.
package struct LiveSet: Hashable, Sendable {
    private var earliest: Entry
    private var others: [Entry]

    /// Creates the live set of a write that replaced everything before it.
    package init(_ entry: Entry) {
        earliest = entry
        others = []
    }

    /// Creates the live set of entries with distinct dots; nil if there are none.
    package init?(_ entries: [Entry]) {
        guard let first = entries.first else { return nil }
        self.init(first)
        guard entries.count > 1 else { return }
        let sorted = entries.sorted { $0.dot < $1.dot }
        earliest = sorted[0]
        others = Array(sorted.dropFirst())
    }

    package var entries: [Entry] { Array(self) }

    package subscript(dot: Dot) -> Entry? {
        if earliest.dot == dot { return earliest }
        // Binary search, because a peer may send very many entries under one key.
        let index = others.partitioningIndex { $0.dot >= dot }
        return index < others.count && others[index].dot == dot ? others[index] : nil
    }

    /// The entry that is shown: the last writer's.
    package var winner: Entry {
        others.isEmpty ? earliest : others.reduce(earliest) { $1.wins(over: $0) ? $1 : $0 }
    }

    package var losers: [Entry] { others.isEmpty ? [] : Array(latestFirst.dropFirst()) }

    /// All entries in the order in which they win, the winner first.
    package var latestFirst: [Entry] { others.isEmpty ? [earliest] : sorted { $0.wins(over: $1) } }

    /// Whether no value is live, as if the key had never been written.
    package var isBlank: Bool { earliest.value.isNull && others.allSatisfy(\.value.isNull) }

    package var isConflicting: Bool { others.contains { $0.value != earliest.value } }

    /// Appends an entry, whose dot must be greater than all dots in the set.
    fileprivate mutating func append(_ entry: Entry) { others.append(entry) }
}

extension LiveSet: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { 1 + others.count }
    package subscript(position: Int) -> Entry { position == 0 ? earliest : others[position - 1] }
}

extension LiveSet {
    /// Merges the sender's live set of the same key:
    /// `(mine ∩ theirs) ∪ (mine ∖ upto) ∪ (theirs ∖ seen)`.
    ///
    /// Here `upto` is what the sender had seen, and `seen` what this replica had seen. An entry in
    /// both sets stays live. An entry only in this set stays unless the sender had seen it, because
    /// then the sender knows a write that replaced it. An entry only in the sender's set is added
    /// unless this replica had seen it, because then it was replaced here. So two version vectors
    /// convey which writes were replaced, and no tombstones are stored (optimized OR-set: Bieniusa
    /// et al., 2012).
    func merged(
        with theirs: LiveSet,
        upto: VersionVector,
        seen: VersionVector,
        under key: Key
    ) -> LiveSet {
        // Empty only if the other replica broke the protocol; then this set stays as it is.
        joined(
            with: theirs,
            under: key,
            keeping: { !upto.covers($0.dot) },
            taking: { !seen.covers($0.dot) }
        ) ?? self
    }

    /// Returns all entries of both sets, even those that one side knows to be replaced.
    func united(with theirs: LiveSet, under key: Key) -> LiveSet {
        joined(with: theirs, under: key, keeping: { _ in true }, taking: { _ in true }) ?? self
    }

    /// Returns the entries that satisfy the predicate; nil if none does.
    func filtered(_ isIncluded: (Entry) -> Bool) -> LiveSet? {
        guard count > 1 else { return isIncluded(self[0]) ? self : nil }
        var filtered: LiveSet?
        for entry in self where isIncluded(entry) { filtered.append(entry) }
        return filtered
    }

    /// Returns the entries in both sets, and those in only one of them that satisfy its predicate.
    private func joined(
        with theirs: LiveSet,
        under key: Key,
        keeping isKept: (Entry) -> Bool,
        taking isTaken: (Entry) -> Bool
    ) -> LiveSet? {
        var joined: LiveSet?
        var index = 0
        for mine in self {
            while index < theirs.count, theirs[index].dot < mine.dot {
                if isTaken(theirs[index]) { joined.append(theirs[index]) }
                index += 1
            }
            if index < theirs.count, theirs[index].dot == mine.dot {
                joined.append(LiveSet.greater(mine, theirs[index], under: key))
                index += 1
            } else if isKept(mine) {
                joined.append(mine)
            }
        }
        for entry in theirs[index...] where isTaken(entry) { joined.append(entry) }
        return joined
    }

    /// Returns the one of two entries with the same dot that every replica keeps; see
    /// `Entry.precedes`.
    private static func greater(_ left: Entry, _ right: Entry, under key: Key) -> Entry {
        guard left != right else { return left }
        return left.precedes(right, of: key, under: key) ? right : left
    }
}

extension LiveSet? {
    /// Appends an entry, whose dot must be greater than all dots in the set; nil becomes a new set.
    fileprivate mutating func append(_ entry: Entry) {
        if self?.append(entry) == nil { self = LiveSet(entry) }
    }
}
