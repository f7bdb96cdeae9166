/// How the simulator asks for chance.
extension SeededGenerator {
    /// Whether something happens that happens `percent` times in a hundred.
    mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    /// A number from the range.
    mutating func number(_ range: ClosedRange<UInt64>) -> UInt64 {
        UInt64.random(in: range, using: &self)
    }

    /// A whole number below `bound`; `bound` must be positive.
    mutating func index(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// One of the elements; nil of none.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(below: elements.count)]
    }

    /// A generator of its own for somebody, so that one's chance does not depend on another's.
    mutating func branch() -> SeededGenerator { SeededGenerator(seed: next()) }
}
