/// A list in pieces, of which a change copies one: copies of a long list share all others.
///
/// Appending, changing and cutting off at the end cost a piece at most, whoever else holds the
/// list.
struct Chunks<Element> {
    /// How many elements a piece has; the last one has fewer.
    static var size: Int { 64 }

    private var pieces: [[Element]] = []
    /// How many elements there are.
    private(set) var count = 0

    /// The empty list.
    init() {}

    /// The list of these elements.
    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if count % Chunks.size == 0 { pieces.append([]) }
        pieces[pieces.count - 1].append(element)
        count += 1
    }

    /// Adds what another list has from a place on, whole pieces of it as they are.
    mutating func append(_ other: Chunks, from place: Int) {
        guard place % Chunks.size == 0, count % Chunks.size == 0, place < other.count else {
            for index in place..<Swift.max(other.count, place) { append(other[index]) }
            return
        }
        pieces.append(contentsOf: other.pieces[(place / Chunks.size)...])
        count += other.count - place
    }

    /// Cuts off everything from a place on.
    mutating func removeAll(from place: Int) {
        guard place < count else { return }
        let whole = place / Chunks.size
        let rest = place % Chunks.size
        pieces.removeLast(pieces.count - (rest == 0 ? whole : whole + 1))
        if rest > 0 { pieces[whole].removeLast(pieces[whole].count - rest) }
        count = place
    }
}

extension Chunks: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(place: Int) -> Element {
        get { pieces[place / Chunks.size][place % Chunks.size] }
        set { pieces[place / Chunks.size][place % Chunks.size] = newValue }
    }
}

extension Chunks: Sendable where Element: Sendable {}
extension Chunks: Equatable where Element: Equatable {}
extension Chunks: Hashable where Element: Hashable {}
