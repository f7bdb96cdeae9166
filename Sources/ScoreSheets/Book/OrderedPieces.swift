import SessionCRDT

/// An element of a list in order.
protocol Placed {
    associatedtype Place: Comparable

    var place: Place { get }
    /// The contribution to the sum of the list.
    var weight: Int64 { get }
}

/// A sorted list of elements with unique places, in chunks: a change finds its chunk by binary search
/// and copies no other, even if the list is shared.
///
/// Law: it depends on its elements only, not on the order in which they were added.
struct OrderedPieces<Element: Placed> {
    /// Adjacent elements, at least one, and the sum of their weights.
    fileprivate struct Piece {
        var elements: [Element]
        var weight: Int128

        init(_ elements: [Element]) {
            self.elements = elements
            weight = elements.reduce(0) { $0 + Int128($1.weight) }
        }
    }

    /// The limit of elements in a piece.
    private static var most: Int { 64 }

    private var pieces: [Piece] = []
    private(set) var count = 0
    /// The sum of all weights.
    private(set) var weight: Int128 = 0

    init() {}

    /// The elements may come in any order; each place once.
    init(_ elements: [Element]) {
        let isInOrder = zip(elements, elements.dropFirst()).allSatisfy { $0.place < $1.place }
        // Indices are sorted, because elements can be large.
        let order =
            isInOrder
            ? Array(elements.indices)
            : elements.indices.sorted { elements[$0].place < elements[$1].place }
        for start in stride(from: 0, to: order.count, by: Self.most) {
            let piece = Piece(
                order[start..<Swift.min(start + Self.most, order.count)].map { elements[$0] }
            )
            pieces.append(piece)
            weight += piece.weight
        }
        count = elements.count
    }

    var isEmpty: Bool { count == 0 }

    var last: Element? { pieces.last?.elements.last }

    subscript(place: Element.Place) -> Element? {
        guard let spot = spot(of: place), spot.isTaken else { return nil }
        return pieces[spot.piece].elements[spot.offset]
    }

    func last(where isWanted: (Element) -> Bool) -> Element? {
        for piece in pieces.reversed() {
            if let element = piece.elements.last(where: isWanted) { return element }
        }
        return nil
    }

    /// The sum of the weights after a place.
    func weight(after place: Element.Place) -> Int128 {
        guard let spot = spot(of: place) else { return 0 }
        let offset = spot.isTaken ? spot.offset + 1 : spot.offset
        let own = pieces[spot.piece].elements[offset...].reduce(Int128(0)) {
            $0 + Int128($1.weight)
        }
        return pieces[(spot.piece + 1)...].reduce(own) { $0 + $1.weight }
    }

    /// Inserts or replaces an element.
    ///
    /// - Returns: The element before.
    @discardableResult
    mutating func set(_ element: Element) -> Element? {
        guard let spot = spot(of: element.place) else {
            pieces.append(Piece([element]))
            count += 1
            weight += Int128(element.weight)
            return nil
        }
        guard spot.isTaken else {
            insert(element, at: spot)
            return nil
        }
        let before = pieces[spot.piece].elements[spot.offset]
        pieces[spot.piece].elements[spot.offset] = element
        weigh(Int128(element.weight) - Int128(before.weight), in: spot.piece)
        return before
    }

    /// Changes an element without moving it; nil if there is none.
    mutating func change<Result>(
        _ place: Element.Place,
        _ body: (inout Element) -> Result
    ) -> Result? {
        guard let spot = spot(of: place), spot.isTaken else { return nil }
        let before = pieces[spot.piece].elements[spot.offset].weight
        let result = body(&pieces[spot.piece].elements[spot.offset])
        let after = pieces[spot.piece].elements[spot.offset].weight
        weigh(Int128(after) - Int128(before), in: spot.piece)
        return result
    }

    /// Removes an element.
    ///
    /// - Returns: The element before.
    @discardableResult
    mutating func remove(_ place: Element.Place) -> Element? {
        guard let spot = spot(of: place), spot.isTaken else { return nil }
        let element = pieces[spot.piece].elements.remove(at: spot.offset)
        weigh(0 - Int128(element.weight), in: spot.piece)
        count -= 1
        merge(spot.piece)
        return element
    }

    private typealias Spot = (piece: Int, offset: Int, isTaken: Bool)

    /// The position of a place; nil if the list is empty.
    private func spot(of place: Element.Place) -> Spot? {
        // Most writes are at the end.
        guard let newest = last?.place else { return nil }
        if newest < place {
            return (pieces.count - 1, pieces[pieces.count - 1].elements.count, false)
        }
        let next = pieces.indices.partitioningIndex { pieces[$0].elements[0].place > place }
        let piece = Swift.max(0, next - 1)
        let elements = pieces[piece].elements
        let offset = elements.indices.partitioningIndex { elements[$0].place >= place }
        return (piece, offset, offset < elements.count && elements[offset].place == place)
    }

    private mutating func insert(_ element: Element, at spot: Spot) {
        count += 1
        let size = pieces[spot.piece].elements.count
        guard size == Self.most else {
            pieces[spot.piece].elements.insert(element, at: spot.offset)
            return weigh(Int128(element.weight), in: spot.piece)
        }
        // Lists that only grow fill their pieces; others are split in the middle.
        let cut = spot.offset == size ? size : size / 2
        let rest = Array(pieces[spot.piece].elements[cut...])
        if rest.isEmpty {
            pieces.insert(Piece([element]), at: spot.piece + 1)
            weight += Int128(element.weight)
        } else {
            pieces[spot.piece] = Piece(Array(pieces[spot.piece].elements[..<cut]))
            pieces.insert(Piece(rest), at: spot.piece + 1)
            let isLater = spot.offset > cut
            let piece = isLater ? spot.piece + 1 : spot.piece
            let offset = isLater ? spot.offset - cut : spot.offset
            pieces[piece].elements.insert(element, at: offset)
            weigh(Int128(element.weight), in: piece)
        }
    }

    private mutating func weigh(_ difference: Int128, in piece: Int) {
        pieces[piece].weight += difference
        weight += difference
    }

    /// Joins a small piece with the next one.
    private mutating func merge(_ piece: Int) {
        if pieces[piece].elements.isEmpty {
            pieces.remove(at: piece)
        } else if piece + 1 < pieces.count,
            pieces[piece].elements.count + pieces[piece + 1].elements.count <= Self.most / 2
        {
            pieces[piece] = Piece(pieces[piece].elements + pieces[piece + 1].elements)
            pieces.remove(at: piece + 1)
        }
    }
}

extension OrderedPieces: Sequence {
    struct Iterator: IteratorProtocol {
        private let pieces: [Piece]
        private var piece: Int
        private var offset: Int

        fileprivate init(_ pieces: [Piece], _ piece: Int = 0, _ offset: Int = 0) {
            self.pieces = pieces
            self.piece = piece
            self.offset = offset
            leavePieceAtItsEnd()
        }

        mutating func next() -> Element? {
            guard piece < pieces.count else { return nil }
            let element = pieces[piece].elements[offset]
            offset += 1
            leavePieceAtItsEnd()
            return element
        }

        private mutating func leavePieceAtItsEnd() {
            guard piece < pieces.count, offset == pieces[piece].elements.count else { return }
            (piece, offset) = (piece + 1, 0)
        }
    }

    func makeIterator() -> Iterator { Iterator(pieces) }

    /// Iterates from a place on.
    func makeIterator(from place: Element.Place) -> Iterator {
        guard let spot = spot(of: place) else { return makeIterator() }
        return Iterator(pieces, spot.piece, spot.offset)
    }

    var underestimatedCount: Int { count }

    /// The first number from `number` on that is not the place of an element; elements without weight
    /// count only if `countsWeightless`.
    func firstFree(
        from number: Int64,
        countsWeightless: Bool = false
    ) -> Int64 where Element.Place == Int64 {
        guard let spot = spot(of: number) else { return number }
        var (free, offset) = (number, spot.offset)
        for piece in pieces[spot.piece...] {
            let elements = piece.elements[offset...]
            offset = 0
            guard let first = elements.first, let last = elements.last else { continue }
            guard first.place == free else { return free }
            let isFull = countsWeightless || piece.weight == Int128(piece.elements.count)
            if isFull, last.place - free == Int64(elements.count - 1) {
                free = last.place + 1
                continue
            }
            for element in elements {
                guard element.place == free, countsWeightless || element.weight > 0 else {
                    return free
                }
                free += 1
            }
        }
        return free
    }
}

extension OrderedPieces.Piece: Sendable where Element: Sendable {}
extension OrderedPieces: Sendable where Element: Sendable {}

extension OrderedPieces: Equatable where Element: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }
}

extension OrderedPieces: Hashable where Element: Hashable {
    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}

/// A sorted dictionary in chunks.
struct SortedPieces<Key: Comparable, Value> {
    fileprivate struct Item: Placed {
        let place: Key
        let value: Value

        var weight: Int64 { 0 }
    }

    private var items = OrderedPieces<Item>()

    init() {}

    /// The values may come in any order; each key once.
    init(_ values: [(key: Key, value: Value)]) {
        items = OrderedPieces(values.map { Item(place: $0.key, value: $0.value) })
    }

    var isEmpty: Bool { items.isEmpty }

    subscript(key: Key) -> Value? {
        get { items[key]?.value }
        set {
            if let newValue {
                items.set(Item(place: key, value: newValue))
            } else {
                items.remove(key)
            }
        }
    }

    /// The values of this key and all greater ones.
    func values(from key: Key) -> IteratorSequence<Iterator> {
        IteratorSequence(Iterator(items: items.makeIterator(from: key)))
    }

    func last(where isWanted: (Value) -> Bool) -> Value? {
        items.last { isWanted($0.value) }?.value
    }
}

extension SortedPieces: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var items: OrderedPieces<Item>.Iterator

        mutating func next() -> Value? { items.next()?.value }
    }

    func makeIterator() -> Iterator { Iterator(items: items.makeIterator()) }
}

extension SortedPieces.Item: Sendable where Key: Sendable, Value: Sendable {}
extension SortedPieces: Sendable where Key: Sendable, Value: Sendable {}
