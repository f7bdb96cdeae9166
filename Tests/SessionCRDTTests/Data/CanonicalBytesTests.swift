import SessionCRDT
import SyncTestKit
import Testing

struct CanonicalBytesTests {
    private let dot = Dot(actor: ActorID(high: 1, low: 2), sequence: 3)
    private let title = Key.session(Field.title)

    /// The bytes before the value: key, actor, sequence, stamp and author.
    private let head =
        "000d73657373696f6e2f7469746c65" + "0000000000000001" + "0000000000000002"
        + "0000000000000003" + "0000000000000004" + "0000000000000005" + "0000000000000006"

    @Test("Every kind of value has the documented bytes")
    func golden() {
        #expect(hex(.null) == head + "00")
        #expect(hex(.boolean(true)) == head + "0101")
        #expect(hex(.boolean(false)) == head + "0100")
        #expect(hex(.integer(-2)) == head + "02fffffffffffffffe")
        #expect(hex(.text("é")) == head + "030000000000000002c3a9")
        #expect(
            hex(.foreign(kind: ExactText("k"), text: ExactText("")))
                == head + "0400000000000000016b0000000000000000"
        )
    }

    @Test("Two different entries never have the same bytes", arguments: Seeds.below(40))
    func injective(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var seen: [[UInt8]: KeyedEntry] = [:]
        for _ in 0..<200 {
            let key = Samples.key(using: &random)
            let entry = Entry(
                dot: Dot(actor: Samples.id(using: &random), sequence: 1),
                stamp: Stamp(bits: UInt64.random(in: 0...1, using: &random)),
                author: Samples.id(using: &random),
                value: Samples.value(using: &random)
            )
            let keyed = KeyedEntry(key: key, entry: entry)
            let other = seen.updateValue(keyed, forKey: entry.canonicalBytes(under: key))
            #expect(other == nil || other == keyed)
        }
    }

    private func hex(_ value: Value) -> String {
        let entry = Entry(
            dot: dot,
            stamp: Stamp(bits: 4),
            author: DeviceID(high: 5, low: 6),
            value: value
        )
        return entry.canonicalBytes(under: title).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
