/// The way from the value that is decoded to one in it, for errors.
indirect enum CodingTrail: Sendable {
    /// The value itself.
    case root
    /// A field of an object.
    case field(CodingTrail, String)
    /// An element of an array.
    case element(CodingTrail, Int)

    /// The way as Swift's errors tell it.
    var keys: [any CodingKey] {
        switch self {
        case .root: []
        case .field(let trail, let name): trail.keys + [JSONKey(name)]
        case .element(let trail, let index): trail.keys + [JSONKey(index)]
        }
    }
}
