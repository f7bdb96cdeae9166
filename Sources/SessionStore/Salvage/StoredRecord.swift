/// A row as the bytes of a page say it.
struct StoredRecord {
    /// The number of the row, in a table that has such.
    let number: Int64?
    /// The columns.
    let values: [SQLValue]

    /// A row of these parts.
    init(number: Int64?, values: [SQLValue]) {
        self.number = number
        self.values = values
    }

    /// The row of a payload; nil where the bytes are no record.
    init?(number: Int64?, payload: ArraySlice<UInt8>) {
        self.number = number
        var header = ByteReader(payload)
        guard let size = header.varint(), let end = Int(exactly: size),
            end >= header.consumed, end <= payload.count
        else { return nil }
        var body = ByteReader(payload.dropFirst(end))
        var values: [SQLValue] = []
        while header.consumed < end {
            guard let type = header.varint(), values.count < 64,
                let value = StoredRecord.value(type, &body)
            else { return nil }
            values.append(value)
        }
        guard header.consumed == end, body.isAtEnd else { return nil }
        self.values = values
    }

    private static func value(_ type: UInt64, _ body: inout ByteReader) -> SQLValue? {
        switch type {
        case 0: return .null
        case 1...4: return body.integer(Int(type)).map { .integer($0) }
        case 5: return body.integer(6).map { .integer($0) }
        case 6: return body.integer(8).map { .integer($0) }
        case 8, 9: return .integer(Int64(type - 8))
        case 12...:
            guard let count = Int(exactly: (type - 12) / 2), let bytes = body.bytes(count) else {
                return nil
            }
            guard type % 2 == 1 else { return .blob(Array(bytes)) }
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        // No column holds a fraction, and the others mean nothing.
        default: return nil
        }
    }
}

/// Reads bytes from the front, never past the end.
struct ByteReader {
    private let start: Int
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        start = bytes.startIndex
        rest = bytes
    }

    /// How many bytes were read.
    var consumed: Int { rest.startIndex - start }

    /// Whether nothing is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// So many bytes.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A whole number of so many bytes, the most significant first.
    mutating func integer(_ count: Int) -> Int64? {
        guard let bytes = bytes(count), let first = bytes.first else { return nil }
        let sign: Int64 = first & 0x80 == 0 ? 0 : -1
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }

    /// A number of one to nine bytes, of which each says whether another follows.
    mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for place in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            if place == 8 { return number << 8 | UInt64(byte) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return number }
        }
        return number
    }
}
