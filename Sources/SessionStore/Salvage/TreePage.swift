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
