import SyncEngine
import SyncProtocol
import Testing

@testable import scoresyncd

@Suite("Deltas of which some parts have not come")
struct IncompleteDeltasTests {
    private let large = Limits.deltaBytes - 1

    @Test("use the memory of one and a half of the longest; beyond that the largest is closed")
    func bounded() {
        var deltas = IncompleteDeltas()
        let honest = deltas.note(large, of: LinkID(1), from: 1, at: 0)
        let most = IncompleteDeltas.mostBytes - large
        let fits = deltas.note(most, of: LinkID(2), from: 2, at: 0)
        #expect(honest == [] && fits == [] && deltas.bytes == IncompleteDeltas.mostBytes)
        // Eight links of one address are more than the honest one, each of them less.
        var gone: [LinkID] = []
        for number in UInt64(3)...10 {
            gone += deltas.note(most, of: LinkID(number), from: 2, at: 0)
        }
        #expect(!gone.contains(LinkID(1)))
        #expect(gone.count == 8)
        #expect(deltas.bytes <= IncompleteDeltas.mostBytes)
    }

    @Test("are given up when nothing more comes, or only a trickle; one that gets on is not")
    func stalled() {
        var deltas = IncompleteDeltas()
        for (number, bytes) in [(1, 100), (2, 100), (3, 100)] {
            _ = deltas.note(bytes, of: LinkID(UInt64(number)), from: 1, at: 0)
        }
        let soon = deltas.takeStalled(at: IncompleteDeltas.patience - 1)
        _ = deltas.note(100 + IncompleteDeltas.leastBytes, of: LinkID(1), from: 1, at: 9_000)
        _ = deltas.note(99 + IncompleteDeltas.leastBytes, of: LinkID(2), from: 1, at: 9_000)
        let late = deltas.takeStalled(at: IncompleteDeltas.patience)
        #expect(soon == [] && late == [LinkID(3)], "\(late)")
        _ = deltas.note(100 + IncompleteDeltas.leastBytes, of: LinkID(2), from: 1, at: 10_001)
        let later = deltas.takeStalled(at: 2 * IncompleteDeltas.patience)
        #expect(later == [LinkID(1), LinkID(2)])
    }

    @Test("count no more once the last part has come")
    func finished() {
        var deltas = IncompleteDeltas()
        _ = deltas.note(large, of: LinkID(1), from: 1, at: 0)
        _ = deltas.note(0, of: LinkID(1), from: 1, at: 1)
        #expect(deltas.bytes == 0)
        let stalled = deltas.takeStalled(at: 1_000_000)
        #expect(stalled == [])
    }
}
