import FoundationEssentials
import JSONCoding
import SyncProtocol
import SyncTestKit
import Testing

struct JSONScanTests {
    private func failure(_ bytes: [UInt8], depth: Int = Limits.jsonDepth) -> JSONScanError? {
        do throws(JSONScanError) {
            _ = try JSONText(bytes, depth: depth)
            return nil
        } catch {
            return JSONScanError(reason: error.reason, offset: error.offset)
        }
    }

    @Test(
        "JSON of every form is accepted",
        arguments: [
            "null", " true ", "false", "0", "-0", "12", "-9007199254740991", "9007199254740991",
            "1.5", "-0.0e-9", "1E+307", "1e-307", "\"\"", #""\"\\\/\b\f\n\r\t\u0041\u00e9""#,
            #""\ud83c\udfb2""#, "\"é漢🎲\u{7F}\"", "[]", "[ 1 , [ ] , { } ]", "{}",
            "{\"a\":1,\"b\":{\"a\":2}, \"A\" : [ {\"a\":3} ]}\r\n\t",
        ]
    )
    func accepted(_ text: String) {
        #expect(failure(text.bytes) == nil)
    }

    @Test(
        "Invalid JSON is rejected with the position of the error",
        arguments: [
            ("", .unfinished, 0), ("  ", .unfinished, 2), ("[", .unfinished, 1),
            ("[1", .unfinished, 2), ("{\"a\"", .unfinished, 4), ("{\"a\":", .unfinished, 5),
            ("\"abc", .unfinished, 4), ("\"\\", .unfinished, 2), ("\"\\u12", .unfinished, 5),
            ("tru", .unfinished, 3), ("-", .unfinished, 1), ("1.", .unfinished, 2),
            ("1e", .unfinished, 2), ("[,]", .syntax, 1), ("[1,]", .syntax, 3),
            ("[1 2]", .syntax, 3), ("{,}", .syntax, 1), ("{\"a\":1,}", .syntax, 7),
            ("{\"a\" 1}", .syntax, 5), ("{a:1}", .syntax, 1), ("{1:1}", .syntax, 1),
            ("nul0", .syntax, 3), ("NaN", .syntax, 0), ("Infinity", .syntax, 0),
            ("-Infinity", .syntax, 1), ("+1", .syntax, 0), (".5", .syntax, 0), ("01", .syntax, 0),
            ("-01", .syntax, 1), ("1.e3", .syntax, 2), ("0x10", .trailing, 1),
            ("'a'", .syntax, 0), ("\"\n\"", .syntax, 1), ("\"\\x\"", .syntax, 2),
            ("\"\\u00g0\"", .syntax, 5), ("// a\n1", .syntax, 0), ("1 1", .trailing, 2),
            ("{} x", .trailing, 3), ("[]]", .trailing, 2), ("null\0", .trailing, 4),
            ("\u{FEFF}{}", .syntax, 0), ("[\"\\ud800\"]", .surrogate, 2),
            ("[\"\\ud800\\n\"]", .surrogate, 2), ("[\"\\ud800\\ud800\"]", .surrogate, 2),
            ("[\"\\udc00\"]", .surrogate, 2), ("[9007199254740992]", .number, 1),
            ("-9007199254740992", .number, 0), ("99999999999999999999999999", .number, 0),
            ("1e308", .number, 0), ("-1e99999999999999999999", .number, 0),
            ("1e-308", .number, 0), ("5e-65535", .number, 0), ("0.12e-306", .number, 0),
        ] as [(String, JSONScanError.Reason, Int)]
    )
    func refused(_ text: String, _ reason: JSONScanError.Reason, _ offset: Int) {
        #expect(failure(text.bytes) == JSONScanError(reason: reason, offset: offset))
    }

    @Test(
        "Invalid UTF-8 is rejected",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
            [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82, 0x28],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x8E],
        ] as [[UInt8]]
    )
    func encoding(_ bytes: [UInt8]) {
        #expect(failure("[\"ab".bytes + bytes + "\"]".bytes)?.reason == .encoding)
        #expect(failure(bytes) == JSONScanError(reason: .syntax, offset: 0))
    }

    @Test("A text that is cut inside a character is rejected", arguments: 1..<4)
    func cutCharacter(_ count: Int) {
        let error = failure("\"".bytes + "🎲".bytes.prefix(count))
        #expect(error == JSONScanError(reason: .unfinished, offset: 1))
    }

    @Test("Nesting is accepted up to the limit and rejected one past it")
    func depth() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
            Array(
                (String(repeating: open, count: depth) + "1"
                    + String(repeating: close, count: depth)).utf8
            )
        }
        let limit = Limits.jsonDepth
        #expect(failure(nested(limit, "[", "]")) == nil)
        #expect(failure(nested(limit, "{\"a\":", "}")) == nil)
        #expect(
            failure(nested(limit + 1, "[", "]")) == JSONScanError(reason: .depth, offset: limit)
        )
        #expect(failure(nested(limit + 1, "{\"a\":", "}"))?.reason == .depth)
        #expect(failure(nested(513, "[", "]"))?.reason == .depth)
        #expect(failure([UInt8](repeating: UInt8(ascii: "["), count: 513))?.reason == .depth)
        #expect(failure(nested(2, "[", "]"), depth: 1)?.reason == .depth)
    }

    @Test(
        "A duplicate key is rejected in any spelling",
        arguments: [
            (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"b":2,"a":3}"#, 13), (#"{"a":1,"\u0061":2}"#, 7),
            (#"{"\u0061":1,"a":2}"#, 12), (#"{"b":1,"/":2,"\/":3}"#, 13),
            (#"[{"x":{"a":1,"a":2}}]"#, 13), (#"{"":1,"":2}"#, 6),
            (#"{"🎲":1,"\ud83c\udfb2":2}"#, 10), ("{\"é\":1,\"e\u{301}\":2}", 8),
        ]
    )
    func duplicates(_ text: String, _ offset: Int) {
        #expect(failure(text.bytes) == JSONScanError(reason: .duplicateKey, offset: offset))
    }

    @Test("A duplicate among many keys is found", arguments: [15, 16, 17, 2000])
    func manyKeys(_ count: Int) {
        let fields = (0..<count).map { "\"key\($0)\":{\"key0\":1}" }
        #expect(failure("{\(fields.joined(separator: ","))}".bytes) == nil)
        for late in [0, count - 1] {
            let text = "{\((fields + ["\"key\(late)\":1"]).joined(separator: ","))}"
            #expect(failure(text.bytes)?.reason == .duplicateKey)
        }
    }

    @Test("Foundation's decoder reads what the scanner accepts")
    func agreement() throws {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\u0061\"", "1", "-2.5e3", "true",
            "null", " ", "\"é\"", "\\", "\"", "0",
        ]
        let seed: UInt64 = 20_261_120
        var generator = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...9, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard failure(text.bytes) == nil else { continue }
            accepted += 1
            #expect(throws: Never.self, "seed \(seed): \(text)") {
                _ = try JSONDecoder().decode(Anything.self, from: Data(text.bytes))
            }
        }
        #expect(accepted > 500)
    }
}

/// Any JSON, decoded and ignored.
private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {
        if var array = try? decoder.unkeyedContainer() {
            while !array.isAtEnd { _ = try array.decode(Anything.self) }
        } else if let object = try? decoder.container(keyedBy: Name.self) {
            for key in object.allKeys { _ = try object.decode(Anything.self, forKey: key) }
        } else {
            let single = try decoder.singleValueContainer()
            guard !single.decodeNil(), (try? single.decode(Bool.self)) == nil,
                (try? single.decode(Double.self)) == nil
            else { return }
            _ = try single.decode(String.self)
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
