internal import SessionCRDT

/// A value on its way into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// All 64 bits: those past 2⁶³ − 1 are stored as the negative number with the same bits.
    static func word(_ word: UInt64) -> SQLValue { .integer(Int64(bitPattern: word)) }

    /// An id as 16 bytes, most significant first, so that `hex(id)` shows its text form.
    static func id<Tag>(_ id: ID<Tag>) -> SQLValue {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for half in [id.high, id.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return .blob(bytes)
    }
}

extension SQLValue: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}
