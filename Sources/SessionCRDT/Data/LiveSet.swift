/// The entries of one key that nothing has replaced yet, by dot.
///
/// One entry is the usual case and is kept inline; more of them are writes that did not know of
/// each other. A live set is never empty: clearing a key writes an entry that says `null`.
package struct LiveSet: Hashable, Sendable {
    private var first: Entry
    private var rest: [Entry]

    /// The live set of a write that replaced everything before it.
    package init(_ entry: Entry) {
        first = entry
        rest = []
    }

    /// The live set of these entries, each dot once, or nil of none.
    package init?(_ entries: [Entry]) {
        let sorted = entries.sorted { $0.dot < $1.dot }
        guard let first = sorted.first else { return nil }
        self.first = first
        rest = Array(sorted.dropFirst())
    }

    /// How many entries there are.
    package var count: Int { 1 + rest.count }

    /// All entries, by dot.
    package var entries: [Entry] { [first] + rest }

    /// The entry with this dot.
    package subscript(dot: Dot) -> Entry? {
        if first.dot == dot { return first }
        // Halving, because a peer may send very many entries under one key.
        var low = 0
        var high = rest.count
        while low < high {
            let middle = (low + high) / 2
            if rest[middle].dot < dot { low = middle + 1 } else { high = middle }
        }
        return low < rest.count && rest[low].dot == dot ? rest[low] : nil
    }

    /// The entry that is shown: the last writer's.
    package var winner: Entry {
        rest.reduce(first) { $1.wins(over: $0) ? $1 : $0 }
    }

    /// The entries that are not shown, the latest first.
    package var losers: [Entry] {
        Array(entries.sorted { $0.wins(over: $1) }.dropFirst())
    }

    /// Whether writes that did not know of each other say different things.
    package var isConflicting: Bool {
        rest.contains { $0.value != first.value }
    }
}
