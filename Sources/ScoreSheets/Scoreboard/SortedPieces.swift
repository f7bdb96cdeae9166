/// Values in the rising order of their keys, in pieces of which a change copies one.
///
/// Copies of a long list share all pieces but those that differ; a change anywhere costs a piece,
/// and how many pieces there are, and never how many values.
struct SortedPieces<Key: Comparable, Value> {
    /// How many values a piece has at most.
    private static var most: Int { 64 }

    fileprivate struct Item {
        let key: Key
        var value: Value
    }

    /// None of them is empty.
    fileprivate var pieces: [[Item]] = []

    /// The empty list.
    init() {}

    /// Whether there are no values.
    var isEmpty: Bool { pieces.isEmpty }

    /// The value of a key; nil where there is none, and to take it out.
    subscript(key: Key) -> Value? {
        get {
            let (piece, place) = position(of: key)
            return holds(key, piece, place) ? pieces[piece][place].value : nil
        }
        set {
            let (piece, place) = position(of: key)
            switch (newValue, holds(key, piece, place)) {
            case (.some(let value), true): pieces[piece][place].value = value
            case (.some(let value), false): insert(Item(key: key, value: value), piece, place)
            case (nil, true): remove(piece, place)
            case (nil, false): break
            }
        }
    }

    /// The values of this key and all behind it.
    func values(from key: Key) -> IteratorSequence<Iterator> {
        let (piece, place) = position(of: key)
        return IteratorSequence(Iterator(self, piece, place))
    }

    /// The last value of which something is true.
    func last(where isWanted: (Value) -> Bool) -> Value? {
        for piece in pieces.reversed() {
            if let item = piece.last(where: { isWanted($0.value) }) { return item.value }
        }
        return nil
    }

    private func holds(_ key: Key, _ piece: Int, _ place: Int) -> Bool {
        piece < pieces.count && place < pieces[piece].count && pieces[piece][place].key == key
    }

    /// Where a key is, or belongs: in the last piece that does not begin behind it.
    private func position(of key: Key) -> (piece: Int, place: Int) {
        let after = SortedPieces.first(in: pieces.count) { pieces[$0][0].key > key }
        let piece = after > 0 ? after - 1 : 0
        guard piece < pieces.count else { return (0, 0) }
        let items = pieces[piece]
        return (piece, SortedPieces.first(in: items.count) { items[$0].key >= key })
    }

    /// The first place at which something holds that holds for all behind it too; else `count`.
    private static func first(in count: Int, _ holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func insert(_ item: Item, _ piece: Int, _ place: Int) {
        let isAtEnd = piece >= pieces.count - 1 && place == (pieces.last?.count ?? 0)
        if isAtEnd, pieces.isEmpty || place == SortedPieces.most {
            // What grows at its end fills every piece.
            pieces.append([item])
            return
        }
        pieces[piece].insert(item, at: place)
        guard pieces[piece].count > SortedPieces.most else { return }
        let half = pieces[piece].count / 2
        pieces.insert(Array(pieces[piece][half...]), at: piece + 1)
        pieces[piece].removeSubrange(half...)
    }

    private mutating func remove(_ piece: Int, _ place: Int) {
        pieces[piece].remove(at: place)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }
}

extension SortedPieces: Sequence {
    /// Goes through the values in order.
    struct Iterator: IteratorProtocol {
        private let pieces: [[Item]]
        private var piece: Int
        private var place: Int

        fileprivate init(_ list: SortedPieces, _ piece: Int, _ place: Int) {
            pieces = list.pieces
            self.piece = piece
            self.place = place
        }

        mutating func next() -> Value? {
            while piece < pieces.count {
                if place < pieces[piece].count {
                    defer { place += 1 }
                    return pieces[piece][place].value
                }
                piece += 1
                place = 0
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(self, 0, 0) }
}

extension SortedPieces.Item: Sendable where Key: Sendable, Value: Sendable {}
extension SortedPieces: Sendable where Key: Sendable, Value: Sendable {}
