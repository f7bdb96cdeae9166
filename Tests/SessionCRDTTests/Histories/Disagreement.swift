/// A difference between the map and the reference, or a law that does not hold.
struct Disagreement: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
