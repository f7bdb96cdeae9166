/// An optional that is written as `null` where it is nil; the synthesized coding leaves it out.
@propertyWrapper
package struct ExplicitNull<Wrapped: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The optional itself.
    package var wrappedValue: Wrapped?

    /// The wrapper of an optional.
    package init(wrappedValue: Wrapped?) {
        self.wrappedValue = wrappedValue
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Wrapped.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}
