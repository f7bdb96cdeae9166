/// Where the map and the reference differ, or a law does not hold.
struct Disagreement: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
