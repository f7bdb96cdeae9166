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
