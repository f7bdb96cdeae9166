internal import SessionCRDT

/// A value on its way into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case id(high: UInt64, low: UInt64)

    /// All 64 bits: those past 2⁶³ − 1 are stored as the negative number with the same bits.
    static func word(_ word: UInt64) -> SQLValue { .integer(Int64(bitPattern: word)) }

    /// An id as 16 bytes.
    static func id<Tag>(_ id: ID<Tag>) -> SQLValue { .id(high: id.high, low: id.low) }
}

extension SQLValue: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}
