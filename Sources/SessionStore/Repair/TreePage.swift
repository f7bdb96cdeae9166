/// A page of a table or an index: its cells, in order, as far as they can be read.
struct TreePage {
    /// What stands in a page of a tree.
    enum Cell {
        /// A page further down.
        case child(UInt32)
        /// A row.
        case row(StoredRecord)
    }

    /// The cells, each after the pages that come before it.
    private(set) var cells: [Cell] = []
    /// Whether all of it makes sense.
    private(set) var isSound = true
    /// Whether its rows have numbers; else they have keys, as those of an index.
    let isNumbered: Bool
    /// Whether pages stand below it.
    let isInterior: Bool

    /// The longest row that is read, which is far more than any has.
    private static let longestPayload: UInt64 = 16 << 20

    /// The page of a number; nil where it is none of a tree.
    init?(_ number: UInt32, of image: DamagedImage) {
        guard let bytes = image.page(number) else { return nil }
        let start = number == 1 ? 100 : 0
        switch bytes[start] {
        case 0x02: (isNumbered, isInterior) = (false, true)
        case 0x05: (isNumbered, isInterior) = (true, true)
        case 0x0A: (isNumbered, isInterior) = (false, false)
        case 0x0D: (isNumbered, isInterior) = (true, false)
        default: return nil
        }
        let count = bytes.half(at: start + 3)
        let pointers = start + (isInterior ? 12 : 8)
        guard pointers + 2 * count <= bytes.count else { return nil }
        for index in 0..<count {
            let offset = bytes.half(at: pointers + 2 * index)
            guard offset >= pointers + 2 * count, offset < bytes.count,
                take(bytes[offset...], image)
            else {
                isSound = false
                continue
            }
        }
        if isInterior { cells.append(.child(bytes.word(at: start + 8))) }
    }

    /// Takes the cell that begins with these bytes; whether it makes sense.
    private mutating func take(_ bytes: ArraySlice<UInt8>, _ image: DamagedImage) -> Bool {
        var reader = ByteReader(bytes)
        if isInterior {
            guard let child = reader.integer(4) else { return false }
            cells.append(.child(UInt32(truncatingIfNeeded: child)))
            // The other half is only a number to search by.
            if isNumbered { return reader.varint() != nil }
        }
        guard let length = reader.varint(), length <= TreePage.longestPayload else { return false }
        var number: Int64?
        if isNumbered {
            guard let read = reader.varint() else { return false }
            number = Int64(bitPattern: read)
        }
        guard let payload = payload(Int(length), &reader, image),
            let record = StoredRecord(number: number, payload: payload[...])
        else { return false }
        cells.append(.row(record))
        return true
    }

    /// The bytes of a row, of which a long one goes on in pages of its own.
    private func payload(
        _ length: Int,
        _ reader: inout ByteReader,
        _ image: DamagedImage
    ) -> [UInt8]? {
        let usable = image.usable
        let most = isNumbered ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard length > most else { return reader.bytes(length).map { Array($0) } }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (length - least) % (usable - 4)
        guard let local = reader.bytes(fitting <= most ? fitting : least),
            var next = reader.integer(4).map({ UInt32(truncatingIfNeeded: $0) })
        else { return nil }
        var payload = Array(local)
        while payload.count < length {
            guard let page = image.page(next) else { return nil }
            payload += page[4..<usable].prefix(length - payload.count)
            next = page.word(at: 0)
        }
        return payload
    }
}

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
