/// Where the members of a JSON object stand in its bytes.
///
/// One pass without decoding: the method of a call is known before its parameters are decoded as
/// that method's type, and a result can be passed on as it came.
struct RPCMembers {
    private let bytes: [UInt8]
    private var ranges: [String: Range<Int>] = [:]

    /// The members of the object that `bytes` hold, or nil when they hold no object.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        var cursor = 0
        skipSpace(&cursor)
        guard take(UInt8(ascii: "{"), &cursor) else { return nil }
        skipSpace(&cursor)
        if take(UInt8(ascii: "}"), &cursor) { return }
        repeat {
            skipSpace(&cursor)
            guard let key = takeString(&cursor) else { return nil }
            skipSpace(&cursor)
            guard take(UInt8(ascii: ":"), &cursor) else { return nil }
            skipSpace(&cursor)
            let start = cursor
            guard skipValue(&cursor), cursor > start else { return nil }
            ranges[String(decoding: bytes[key], as: UTF8.self)] = start..<cursor
            skipSpace(&cursor)
        } while take(UInt8(ascii: ","), &cursor)
        guard take(UInt8(ascii: "}"), &cursor) else { return nil }
        skipSpace(&cursor)
        guard cursor == bytes.count else { return nil }
    }

    /// The bytes of a member's value.
    subscript(_ name: String) -> ArraySlice<UInt8>? {
        ranges[name].map { bytes[$0] }
    }

    private func skipSpace(_ cursor: inout Int) {
        while cursor < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[cursor]) { cursor += 1 }
    }

    private func take(_ byte: UInt8, _ cursor: inout Int) -> Bool {
        guard cursor < bytes.count, bytes[cursor] == byte else { return false }
        cursor += 1
        return true
    }

    /// The inside of a string, escapes and all.
    private func takeString(_ cursor: inout Int) -> Range<Int>? {
        guard take(UInt8(ascii: "\""), &cursor) else { return nil }
        let start = cursor
        while cursor < bytes.count {
            switch bytes[cursor] {
            case UInt8(ascii: "\""):
                cursor += 1
                return start..<cursor - 1
            case UInt8(ascii: "\\"): cursor += 2
            default: cursor += 1
            }
        }
        return nil
    }

    /// Passes a value: to the comma or bracket that ends it at its own depth.
    private func skipValue(_ cursor: inout Int) -> Bool {
        var depth = 0
        while cursor < bytes.count {
            switch bytes[cursor] {
            case UInt8(ascii: "\""):
                guard takeString(&cursor) != nil else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                cursor += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return true }
                depth -= 1
                cursor += 1
            case UInt8(ascii: ","):
                guard depth > 0 else { return true }
                cursor += 1
            default: cursor += 1
            }
        }
        return false
    }
}
