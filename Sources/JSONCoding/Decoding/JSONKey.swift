/// A name in an object or a place in an array, in the path to what could not be read.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// A name.
    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// A place, from 0.
    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
}
