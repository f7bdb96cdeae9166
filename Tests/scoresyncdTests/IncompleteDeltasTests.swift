import SyncEngine
import SyncProtocol
import Testing

@testable import scoresyncd

@Suite("Deltas with missing parts")
struct IncompleteDeltasTests {
    private let large = Limits.deltaBytes - 1
    private let one = IPAddress(ipv4: 1)
    private let two = IPAddress(ipv4: 2)

    @Test("use the memory of one and a half of the longest; beyond that the largest is closed")
    func bounded() {
        var deltas = IncompleteDeltas()
        let honest = deltas.record(large, of: LinkID(1), from: one, at: 0)
        let most = IncompleteDeltas.maxBytes - large
        let fits = deltas.record(most, of: LinkID(2), from: two, at: 0)
        #expect(honest == [] && fits == [] && deltas.bytes == IncompleteDeltas.maxBytes)
        // Eight links of one address are more than the honest one, each of them less.
        var gone: [LinkID] = []
        for number in UInt64(3)...10 {
            gone += deltas.record(most, of: LinkID(number), from: two, at: 0)
        }
        #expect(!gone.contains(LinkID(1)))
        #expect(gone.count == 8)
        #expect(deltas.bytes <= IncompleteDeltas.maxBytes)
    }

    @Test("are given up if no more parts arrive, or only a trickle; one with progress is not")
    func stalled() {
        var deltas = IncompleteDeltas()
        for (number, bytes) in [(1, 100), (2, 100), (3, 100)] {
            _ = deltas.record(bytes, of: LinkID(UInt64(number)), from: one, at: 0)
        }
        let soon = deltas.removeStalled(at: IncompleteDeltas.timeout - 1)
        _ = deltas.record(100 + IncompleteDeltas.minBytes, of: LinkID(1), from: one, at: 9_000)
        _ = deltas.record(99 + IncompleteDeltas.minBytes, of: LinkID(2), from: one, at: 9_000)
        let late = deltas.removeStalled(at: IncompleteDeltas.timeout)
        #expect(soon == [] && late == [LinkID(3)], "\(late)")
        _ = deltas.record(100 + IncompleteDeltas.minBytes, of: LinkID(2), from: one, at: 10_001)
        let later = deltas.removeStalled(at: 2 * IncompleteDeltas.timeout)
        #expect(later == [LinkID(1), LinkID(2)])
    }

    @Test("no longer count once the last part has arrived")
    func finished() {
        var deltas = IncompleteDeltas()
        _ = deltas.record(large, of: LinkID(1), from: one, at: 0)
        _ = deltas.record(0, of: LinkID(1), from: one, at: 1)
        #expect(deltas.bytes == 0)
        let stalled = deltas.removeStalled(at: 1_000_000)
        #expect(stalled == [])
    }
}
