import SessionCRDT
import Testing

@testable import scoresyncd

@Suite("Entries of a journal")
struct JournalGrowthTests {
    private func change(_ number: UInt64, bytes: Int) -> KeyChange {
        let entry = Entry(
            dot: Dot(actor: ActorID(high: 1, low: 1), sequence: number),
            stamp: Stamp(bits: number),
            author: DeviceID(high: 2, low: 2),
            value: .text(String(repeating: "x", count: bytes))
        )
        return KeyChange(key: .session(Field.title), before: nil, after: LiveSet(entry))
    }

    /// After how many changes of a length the journal is shortened, and to how many lines.
    private func due(keeping lines: Int, bytes: Int) -> (after: UInt64, kept: Int)? {
        var growth = JournalGrowth(keeping: lines)
        for number in UInt64(1)...100_000 {
            if let kept = growth.add([change(number, bytes: bytes)]) { return (number, kept) }
        }
        return nil
    }

    @Test("of usual length are pruned to the limit as soon as it is exceeded")
    func lines() throws {
        let first = try #require(due(keeping: 1_000, bytes: 10))
        #expect(first == (1_001, 1_000))
    }

    @Test("that are long are pruned sooner, and to as many as fit")
    func bytes() throws {
        let first = try #require(due(keeping: 10_000, bytes: 256 << 10))
        #expect((100...129).contains(first.after))
        #expect(first.kept <= 128 && first.kept > 100)
    }
}
