/// The live set of each key, as dense as they go: a key has a slot, in the order in which keys
/// came, and what is live under it stands in an array at that slot.
///
/// Keys are never deleted, so that a slot is the key's for as long as the map lives. As a
/// collection it is the pairs of keys and live sets by slot; two of them are equal when the same is
/// live under the same keys, whichever came first.
package struct LiveSets: Sendable {
    private var table = KeyTable()
    private var sets: [LiveSet] = []

    /// Nothing under any key.
    package init() {}

    /// One live set under each of these keys, in their order.
    init(_ keys: KeyTable, _ sets: [LiveSet]) {
        table = keys
        self.sets = sets
    }

    /// The entries that are live under the key; nil where nobody has written.
    package subscript(key: Key) -> LiveSet? { table.number(of: key).map { sets[$0] } }

    /// What is live in a slot.
    func set(at slot: Int) -> LiveSet { sets[slot] }

    /// Puts a live set under a key that has none; what a key has already stays.
    ///
    /// - Returns: the slot of the key, and whether it had none.
    mutating func insert(_ set: LiveSet, under key: Key) -> (slot: Int, isNew: Bool) {
        let (slot, isNew) = table.insert(key)
        if isNew { sets.append(set) }
        return (slot, isNew)
    }

    /// Puts a live set in place of what was live in a slot.
    mutating func put(_ set: LiveSet, at slot: Int) { sets[slot] = set }

    /// Puts a live set under a key, whatever was live there.
    ///
    /// - Returns: the slot of the key.
    @discardableResult
    mutating func put(_ set: LiveSet, under key: Key) -> Int {
        let (slot, isNew) = insert(set, under: key)
        if !isNew { sets[slot] = set }
        return slot
    }

    /// The same with each of these dots under one key only, the one with the greatest bytes; a key
    /// of which nothing is left is not there.
    func settling(_ repeated: Set<Dot>) -> LiveSets {
        var homes: [Dot: (key: Key, entry: Entry)] = [:]
        for (key, set) in self {
            for entry in set where repeated.contains(entry.dot) {
                if let home = homes[entry.dot],
                    !home.entry.precedes(entry, of: key, under: home.key)
                {
                    continue
                }
                homes[entry.dot] = (key, entry)
            }
        }
        var settled = LiveSets()
        for (key, set) in self {
            let kept = set.filtered { homes[$0.dot].map { $0.key == key } ?? true }
            if let kept { settled.put(kept, under: key) }
        }
        return settled
    }

    /// Prepares for so many keys.
    mutating func reserve(_ count: Int) {
        table.reserve(count)
        sets.reserveCapacity(count)
    }
}

extension LiveSets: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { sets.count }

    /// The key of a slot, with what is live under it.
    package subscript(slot: Int) -> (key: Key, value: LiveSet) { (table.keys[slot], sets[slot]) }
}

extension LiveSets: Equatable {
    package static func == (left: LiveSets, right: LiveSets) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}
