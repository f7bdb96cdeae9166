/// Values in the rising order of their keys: ordered pieces of values that do not know their place.
struct SortedPieces<Key: Comparable, Value> {
    fileprivate struct Item: Placed {
        let place: Key
        let value: Value

        var weight: Int64 { 0 }
    }

    private var items = OrderedPieces<Item>()

    /// The empty list.
    init() {}

    /// The list of these values, which may come in any order; each key once.
    init(_ values: [(key: Key, value: Value)]) {
        items = OrderedPieces(values.map { Item(place: $0.key, value: $0.value) })
    }

    /// Whether there are no values.
    var isEmpty: Bool { items.isEmpty }

    /// The value of a key; nil where there is none, and to take it out.
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

    /// The values of this key and all behind it.
    func values(from key: Key) -> IteratorSequence<Iterator> {
        IteratorSequence(Iterator(items: items.makeIterator(from: key)))
    }

    /// The last value of which something is true.
    func last(where isWanted: (Value) -> Bool) -> Value? {
        items.last { isWanted($0.value) }?.value
    }
}

extension SortedPieces: Sequence {
    /// Goes through the values in order.
    struct Iterator: IteratorProtocol {
        fileprivate var items: OrderedPieces<Item>.Iterator

        mutating func next() -> Value? { items.next()?.value }
    }

    func makeIterator() -> Iterator { Iterator(items: items.makeIterator()) }
}

extension SortedPieces.Item: Sendable where Key: Sendable, Value: Sendable {}
extension SortedPieces: Sendable where Key: Sendable, Value: Sendable {}
