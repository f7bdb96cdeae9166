import SessionCRDT
import SyncProtocol

/// What 100,000 cells cost in memory alone: to encode, and to decode and merge.
struct Merging {
    private let delta: Delta
    private let frames: [[UInt8]]
    private let newer: [[UInt8]]

    static func measure(on stage: Stage) throws -> [Measurement] {
        Merging().measure(stage.samples(9))
    }

    private init() {
        let session = SampleSession(cells: 100_000)
        var map = Self.settled(StagedMap(CausalMap()), session.write)
        delta = map.committed.delta(since: VersionVector()) ?? map.committed.union
        let before = map.committed.vector
        map = Self.settled(map) { map in
            var pen = Pen()
            session.score(session.cellCount, with: &pen, in: &map)
        }
        frames = Array(PeerMessageEncoder(.delta(delta)))
        newer = Array(PeerMessageEncoder(.delta(map.committed.delta(since: before) ?? delta)))
    }

    private func measure(_ count: Int) -> [Measurement] {
        let base = Self.settled(StagedMap(CausalMap())) { _ = $0.merge(delta) }
        let filling = Timing(count, fill).floor("putting the same cells into a Dictionary")
        let bytes = frames.reduce(0) { $0 + $1.count }
        return [
            Timing(count) { merge(frames, into: StagedMap(CausalMap())) }.measurement(
                "merge-new",
                "merge of 100000 cells, decoding included",
                over: filling,
                target: .atMost(0.15)
            ),
            Timing(count) { merge(newer, into: base) }.measurement(
                "merge-over",
                "  all replaced",
                over: filling
            ),
            Timing(count) { _ = Array(PeerMessageEncoder(.delta(delta))) }.measurement(
                "encode",
                "  encoding them",
                over: filling
            ),
            Measurement(
                name: "delta-bytes",
                title: "  bytes of the delta",
                unit: .bytes,
                series: Series([Double(bytes)])
            ),
        ]
    }

    private func merge(_ frames: [[UInt8]], into map: StagedMap) {
        var decoder = PeerMessageDecoder()
        let merged = Self.settled(map) { map in
            for case .delta(let delta)? in frames.map({ try? decoder.receive($0) }) {
                let fits = map.merge(delta)
                precondition(fits, "the delta was made for this map")
            }
        }
        precondition(
            merged.committed.vector != map.committed.vector,
            "what was encoded is decoded and taken in"
        )
    }

    private func fill() {
        var live: [Key: LiveSet] = [:]
        for change in delta.changes { live[change.key] = change.live }
        precondition(live.count == delta.changes.count, "no key comes twice")
    }

    /// The map once this has been done to it and a disk has taken it.
    private static func settled(_ map: StagedMap, _ body: (inout StagedMap) -> Void) -> StagedMap {
        var map = map
        body(&map)
        _ = map.seal()
        _ = map.settle()
        return map
    }
}
