import SessionCRDT
import Testing

struct SuccessorTests {
    private static let id = SessionID(high: 0x0123_4567_89AB_CDEF, low: 7)
    private static let key = (0..<32).map { UInt8($0 * 8) }

    @Test("A successor survives a round trip through its text, and its description hides the key")
    func roundTrip() throws {
        let successor = try #require(Successor(session: Self.id, key: Self.key))
        #expect(Successor(successor.text) == successor)
        #expect(successor.text.hasPrefix("0123456789abcdef0000000000000007 00081018"))
        #expect(!"\(successor) \(String(reflecting: successor))".contains("00081018"))
        #expect(Successor(session: Self.id, key: [1, 2]) == nil)
    }

    @Test(
        "An invalid successor is ignored",
        arguments: [
            "", " ", "\(id)", "\(id) ", "\(id)  ", "\(id) 00", "\(id) \(hex) ", " \(id) \(hex)",
            "\(id)  \(hex)", "\(id) \(hex)0", "\(id) \(hex.uppercased())", "\(id)\(hex)",
            "\(id) \(hex.dropLast())é", "x\(id) \(hex)", "\(id)\n\(hex)",
            "\(id) \(String(repeating: "g", count: 64))", String(repeating: "0", count: 97),
        ]
    )
    func hostile(text: String) {
        #expect(Successor(text) == nil)
    }

    private static let hex = String(repeating: "0a", count: 32)

    @Test("All live successors count, the last writer's first, each once and up to a limit")
    func all() throws {
        let fields: [Value] =
            [.null, .integer(4), .boolean(true), .text("nonsense"), .text(Self.text(1))]
            + (1...12).map { .text(Self.text($0)) }
        let live = try #require(LiveSet(fields.enumerated().map(Self.entry)))
        let found = Successor.all(in: live).map(\.session.low)
        #expect(found == [12, 11, 10, 9, 8, 7, 6, 5])
        let few = try #require(LiveSet(fields.prefix(6).enumerated().map(Self.entry)))
        #expect(Successor.all(in: few).map(\.session.low) == [1])
    }

    @Test("A new next game replaces what is none or would win, and keeps up to seven others")
    func written() throws {
        var map = StagedMap(CausalMap())
        let key = Key.session(Field.next)
        let written = [(0, "nonsense")] + (Array(1...10) + [20, 15]).map { ($0, Self.text($0)) }
        for (index, text) in written {
            let entry = Self.entry(index, .text(text))
            let kept = Mutation(key, entry.value).kept(of: map.head(key), by: entry)
            map.write(entry, under: key, keeping: kept)
        }
        let live = try #require(map.head(key))
        #expect(Successor.all(in: live).map(\.session.low) == [15, 10, 9, 8, 7, 6, 5, 4])
        #expect(live.count == Successor.maxCount)
        let batch = map.seal()
        let journal = try #require(batch).journal
        #expect(journal.last?.replaced == [Self.entry(20, .text(Self.text(20)))])
        #expect(journal.dropFirst().first?.replaced == [Self.entry(0, .text("nonsense"))])
    }

    private static func text(_ number: Int) -> String {
        Successor(session: SessionID(high: 0, low: UInt64(number)), key: key)?.text ?? ""
    }

    private static func entry(_ index: Int, _ value: Value) -> Entry {
        Entry(
            dot: Dot(actor: ActorID(high: 1, low: UInt64(index)), sequence: 1),
            stamp: Stamp(bits: UInt64(100 + index)),
            author: DeviceID(high: 2, low: 0),
            value: value
        )
    }
}
