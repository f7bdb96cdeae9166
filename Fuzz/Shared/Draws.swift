/// The input of a fuzzer as a sequence of decisions, one per byte; after the last, all are 0.
struct Draws {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    /// Whether no decisions are left.
    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number below a bound of at most 256.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

    /// A few raw bytes, decoded as UTF-8.
    mutating func text() -> String {
        let count = below(24)
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    /// The rest as one number, for a seed.
    var seed: UInt64 { rest.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}

extension Draws: RandomNumberGenerator {
    mutating func next() -> UInt64 {
        (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }
}
