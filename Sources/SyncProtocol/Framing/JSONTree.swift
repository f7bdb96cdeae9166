/// A JSON value in memory: how peer messages and announcements are read, and the small ones
/// written.
///
/// What a stranger sends never reaches Foundation's decoder: that one traps on deep input, needs an
/// error thrown for every form a row does not have, and took longer for a large delta. The scan is
/// most of a reader anyway.
enum JSONTree: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent, within ±(2⁵³ − 1).
    case integer(Int64)
    /// Any other number. No field has one, so its value is not kept.
    case fraction
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// Reads bytes that hold one JSON value, if the scan accepts them.
    init(parsing bytes: [UInt8]) throws(JSONScanError) {
        try JSONScan.check(bytes)
        var reader = JSONTreeReader(bytes)
        self = reader.value()
    }

    /// The JSON in UTF-8, without spaces, keys sorted: the same bytes in every process.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Adds the JSON to `bytes`.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null, .fraction: bytes.append(contentsOf: "null".utf8)
        case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): JSONTree.append(number, to: &bytes)
        case .text(let text): JSONString.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONString.append(field.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                field.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Adds a number in decimal digits.
    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral
{
    init(stringLiteral text: String) { self = .text(text) }

    init(arrayLiteral elements: JSONTree...) { self = .array(elements) }

    init(dictionaryLiteral fields: (String, JSONTree)...) {
        self = .object(Dictionary(fields) { first, _ in first })
    }
}
