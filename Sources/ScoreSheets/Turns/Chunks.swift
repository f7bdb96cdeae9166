/// A list in chunks of 64 elements: a change copies one chunk, and copies share the others.
///
/// Appending, changing and cutting off at the end cost at most a chunk, even if the list is shared.
struct Chunks<Element> {
    static var size: Int { 64 }

    private var chunks: [[Element]] = []
    private(set) var count = 0

    mutating func append(_ element: Element) {
        if count % Chunks.size == 0 { chunks.append([]) }
        chunks[chunks.count - 1].append(element)
        count += 1
    }

    /// Appends the elements of another list from an index on, sharing whole chunks.
    mutating func append(_ other: Chunks, from index: Int) {
        guard index % Chunks.size == 0, count % Chunks.size == 0, index < other.count else {
            for index in index..<Swift.max(other.count, index) { append(other[index]) }
            return
        }
        chunks.append(contentsOf: other.chunks[(index / Chunks.size)...])
        count += other.count - index
    }

    mutating func removeAll(from index: Int) {
        guard index < count else { return }
        let whole = index / Chunks.size
        let rest = index % Chunks.size
        chunks.removeLast(chunks.count - (rest == 0 ? whole : whole + 1))
        if rest > 0 { chunks[whole].removeLast(chunks[whole].count - rest) }
        count = index
    }
}

extension Chunks: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Element {
        get { chunks[index / Chunks.size][index % Chunks.size] }
        set { chunks[index / Chunks.size][index % Chunks.size] = newValue }
    }
}

extension Chunks: Sendable where Element: Sendable {}
extension Chunks: Equatable where Element: Equatable {}
extension Chunks: Hashable where Element: Hashable {}
