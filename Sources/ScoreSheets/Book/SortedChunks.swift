import SessionCRDT

protocol SortedElement {
    associatedtype Place: Comparable

    var place: Place { get }
    /// The contribution to the sum of the list; 0 by default.
    var weight: Int64 { get }
}

extension SortedElement {
    var weight: Int64 { 0 }
}

/// A sorted list of elements with unique places, in chunks: a change finds its chunk by binary
/// search and copies no other, even if the list is shared.
///
/// Law: it depends on its elements only, not on the order in which they were added.
struct SortedChunks<Element: SortedElement> {
    /// Adjacent elements, at least one, and the sum of their weights.
    fileprivate struct Chunk {
        var elements: [Element]
        var weight: Int128

        init(_ elements: [Element]) {
            self.elements = elements
            weight = elements.reduce(0) { $0 + Int128($1.weight) }
        }
    }

    /// The maximum number of elements in a chunk.
    private static var maxChunk: Int { 64 }

    private var chunks: [Chunk] = []
    private(set) var count = 0
    private(set) var weight: Int128 = 0

    init() {}

    /// Creates a list of elements in any order, with unique places.
    init(_ elements: [Element]) {
        let order = Self.order(of: elements)
        for start in stride(from: 0, to: elements.count, by: Self.maxChunk) {
            let range = start..<Swift.min(start + Self.maxChunk, elements.count)
            let chunk = Chunk(
                order.map { order in order[range].map { elements[$0] } } ?? Array(elements[range])
            )
            chunks.append(chunk)
            weight += chunk.weight
        }
        count = elements.count
    }

    /// Returns the indices of elements by their places; nil if the elements are in order.
    private static func order(of elements: [Element]) -> [Int]? {
        // Sorts without the elements, which can be large.
        let places = elements.map(\.place)
        let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
        return isInOrder ? nil : places.indices.sorted { places[$0] < places[$1] }
    }

    var isEmpty: Bool { count == 0 }

    var last: Element? { chunks.last?.elements.last }

    /// The element at a place; the one that is assigned must belong there.
    subscript(place: Element.Place) -> Element? {
        get {
            guard let spot = spot(of: place), spot.isTaken else { return nil }
            return chunks[spot.chunk].elements[spot.offset]
        }
        set {
            if let newValue { set(newValue) } else { remove(place) }
        }
    }

    func last(where isWanted: (Element) -> Bool) -> Element? {
        for chunk in chunks.reversed() {
            if let element = chunk.elements.last(where: isWanted) { return element }
        }
        return nil
    }

    func weight(after place: Element.Place) -> Int128 {
        guard let spot = spot(of: place) else { return 0 }
        let offset = spot.isTaken ? spot.offset + 1 : spot.offset
        let own = chunks[spot.chunk].elements[offset...].reduce(Int128(0)) {
            $0 + Int128($1.weight)
        }
        return chunks[(spot.chunk + 1)...].reduce(own) { $0 + $1.weight }
    }

    /// Inserts or replaces an element; returns the element before.
    @discardableResult
    mutating func set(_ element: Element) -> Element? {
        guard let spot = spot(of: element.place) else {
            chunks.append(Chunk([element]))
            count += 1
            weight += Int128(element.weight)
            return nil
        }
        guard spot.isTaken else {
            insert(element, at: spot)
            return nil
        }
        let before = chunks[spot.chunk].elements[spot.offset]
        chunks[spot.chunk].elements[spot.offset] = element
        weigh(Int128(element.weight) - Int128(before.weight), in: spot.chunk)
        return before
    }

    /// Changes an element without moving it; nil if there is none.
    mutating func change<Result>(
        _ place: Element.Place,
        _ body: (inout Element) -> Result
    ) -> Result? {
        guard let spot = spot(of: place), spot.isTaken else { return nil }
        let before = chunks[spot.chunk].elements[spot.offset].weight
        let result = body(&chunks[spot.chunk].elements[spot.offset])
        let after = chunks[spot.chunk].elements[spot.offset].weight
        weigh(Int128(after) - Int128(before), in: spot.chunk)
        return result
    }

    @discardableResult
    mutating func remove(_ place: Element.Place) -> Element? {
        guard let spot = spot(of: place), spot.isTaken else { return nil }
        let element = chunks[spot.chunk].elements.remove(at: spot.offset)
        weigh(0 - Int128(element.weight), in: spot.chunk)
        count -= 1
        merge(spot.chunk)
        return element
    }

    private typealias Spot = (chunk: Int, offset: Int, isTaken: Bool)

    /// Returns the position of a place; nil if the list is empty.
    private func spot(of place: Element.Place) -> Spot? {
        // Most writes are at the end.
        guard let newest = last?.place else { return nil }
        if newest < place {
            return (chunks.count - 1, chunks[chunks.count - 1].elements.count, false)
        }
        let next = chunks.indices.partitioningIndex { chunks[$0].elements[0].place > place }
        let chunk = Swift.max(0, next - 1)
        let elements = chunks[chunk].elements
        let offset = elements.indices.partitioningIndex { elements[$0].place >= place }
        return (chunk, offset, offset < elements.count && elements[offset].place == place)
    }

    private mutating func insert(_ element: Element, at spot: Spot) {
        count += 1
        let size = chunks[spot.chunk].elements.count
        guard size == Self.maxChunk else {
            chunks[spot.chunk].elements.insert(element, at: spot.offset)
            return weigh(Int128(element.weight), in: spot.chunk)
        }
        // A chunk that only grows at its end stays full; any other is split in the middle.
        let cut = spot.offset == size ? size : size / 2
        let rest = Array(chunks[spot.chunk].elements[cut...])
        if rest.isEmpty {
            chunks.insert(Chunk([element]), at: spot.chunk + 1)
            weight += Int128(element.weight)
        } else {
            chunks[spot.chunk] = Chunk(Array(chunks[spot.chunk].elements[..<cut]))
            chunks.insert(Chunk(rest), at: spot.chunk + 1)
            let isLater = spot.offset > cut
            let chunk = isLater ? spot.chunk + 1 : spot.chunk
            let offset = isLater ? spot.offset - cut : spot.offset
            chunks[chunk].elements.insert(element, at: offset)
            weigh(Int128(element.weight), in: chunk)
        }
    }

    private mutating func weigh(_ difference: Int128, in chunk: Int) {
        chunks[chunk].weight += difference
        weight += difference
    }

    private mutating func merge(_ chunk: Int) {
        if chunks[chunk].elements.isEmpty {
            chunks.remove(at: chunk)
        } else if chunk + 1 < chunks.count,
            chunks[chunk].elements.count + chunks[chunk + 1].elements.count <= Self.maxChunk / 2
        {
            chunks[chunk] = Chunk(chunks[chunk].elements + chunks[chunk + 1].elements)
            chunks.remove(at: chunk + 1)
        }
    }
}

extension SortedChunks: Sequence {
    struct Iterator: IteratorProtocol {
        private let chunks: [Chunk]
        private var chunk: Int
        private var offset: Int

        fileprivate init(_ chunks: [Chunk], _ chunk: Int = 0, _ offset: Int = 0) {
            self.chunks = chunks
            self.chunk = chunk
            self.offset = offset
            leaveChunkAtItsEnd()
        }

        mutating func next() -> Element? {
            guard chunk < chunks.count else { return nil }
            let element = chunks[chunk].elements[offset]
            offset += 1
            leaveChunkAtItsEnd()
            return element
        }

        private mutating func leaveChunkAtItsEnd() {
            guard chunk < chunks.count, offset == chunks[chunk].elements.count else { return }
            (chunk, offset) = (chunk + 1, 0)
        }
    }

    func makeIterator() -> Iterator { Iterator(chunks) }

    /// Returns the elements from a place on.
    func from(_ place: Element.Place) -> IteratorSequence<Iterator> {
        guard let spot = spot(of: place) else { return IteratorSequence(makeIterator()) }
        return IteratorSequence(Iterator(chunks, spot.chunk, spot.offset))
    }

    var underestimatedCount: Int { count }

    /// Returns the lowest position from `number` on that no element has; weightless elements are
    /// ignored unless `countsWeightless`.
    func firstFree(
        from number: Int64,
        countsWeightless: Bool = false
    ) -> Int64 where Element.Place == Int64 {
        guard let spot = spot(of: number) else { return number }
        var (free, offset) = (number, spot.offset)
        for chunk in chunks[spot.chunk...] {
            let elements = chunk.elements[offset...]
            offset = 0
            guard let first = elements.first, let last = elements.last else { continue }
            guard first.place == free else { return free }
            let isFull = countsWeightless || chunk.weight == Int128(chunk.elements.count)
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

extension SortedChunks.Chunk: Sendable where Element: Sendable {}
extension SortedChunks: Sendable where Element: Sendable {}

extension SortedChunks: Equatable where Element: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }
}

extension SortedChunks: Hashable where Element: Hashable {
    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}
