import Foundation
import SessionCRDT
import SyncProtocol

/// What 100,000 cells cost in memory alone: to code, to decode and to merge.
struct Merging {
    private let delta: Delta
    private let newer: Delta
    private let frames: [[UInt8]]

    static func measure(on stage: Stage) throws -> [Measurement] {
        try Merging().measure(stage.samples(9))
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
        newer = map.committed.delta(since: before) ?? delta
        frames = Array(PeerMessageEncoder(.delta(delta)))
    }

    private func measure(_ count: Int) throws -> [Measurement] {
        let base = Self.settled(StagedMap(CausalMap())) { _ = $0.merge(delta) }
        let filling = Measurement.Floor(
            title: "putting the same cells into a Dictionary",
            series: series(count, fill)
        )
        return [
            Measurement(
                name: "merge-new",
                title: "merge of 100000 cells, all new",
                series: series(count) { merge(delta, into: StagedMap(CausalMap())) },
                floor: filling
            ),
            Measurement(
                name: "merge-over",
                title: "merge of 100000 cells, all replaced",
                series: series(count) { merge(newer, into: base) },
                floor: filling
            ),
            Measurement(
                name: "encode",
                title: "encoding 100000 cells",
                series: series(count) { _ = Array(PeerMessageEncoder(.delta(delta))) },
                floor: Measurement.Floor(
                    title: "Foundation's JSONSerialization, writing",
                    series: try Self.writing(frames, count)
                )
            ),
            Measurement(
                name: "decode",
                title: "decoding 100000 cells",
                series: series(count, decode),
                floor: Measurement.Floor(
                    title: "Foundation's JSONSerialization, reading",
                    series: try Self.reading(frames, count)
                )
            ),
            Measurement(
                name: "delta-bytes",
                title: "  bytes of the delta",
                unit: .bytes,
                series: Series([Double(frames.reduce(0) { $0 + $1.count })])
            ),
        ]
    }

    private func merge(_ delta: Delta, into map: StagedMap) {
        let merged = Self.settled(map) { map in
            let fits = map.merge(delta)
            precondition(fits, "the delta was made for this map")
        }
        precondition(merged.committed.vector.covers(delta.upto), "a merge takes in everything")
    }

    private func decode() {
        var decoder = PeerMessageDecoder()
        let messages = frames.compactMap { try? decoder.receive($0) }
        precondition(messages == [.delta(delta)], "what was encoded is decoded")
    }

    private func fill() {
        var live: [Key: LiveSet] = [:]
        for change in delta.changes { live[change.key] = change.live }
        precondition(live.count == delta.changes.count, "no key comes twice")
    }

    private static func reading(_ frames: [[UInt8]], _ count: Int) throws -> Series {
        let datas = frames.map { Data($0) }
        return Series(
            try (0..<count).map { _ in
                try Stopwatch.time {
                    for data in datas { _ = try JSONSerialization.jsonObject(with: data) }
                }
            }
        )
    }

    private static func writing(_ frames: [[UInt8]], _ count: Int) throws -> Series {
        let objects = try frames.map { try JSONSerialization.jsonObject(with: Data($0)) }
        return Series(
            try (0..<count).map { _ in
                try Stopwatch.time {
                    for object in objects { _ = try JSONSerialization.data(withJSONObject: object) }
                }
            }
        )
    }

    private func series(_ count: Int, _ body: () -> Void) -> Series {
        Series((0..<count).map { _ in Stopwatch.time(body) })
    }

    /// The map once this has been done to it and a disk has taken it.
    private static func settled(_ map: StagedMap, _ body: (inout StagedMap) -> Void) -> StagedMap {
        var map = map
        body(&map)
        _ = map.seal()
        map.settle()
        return map
    }
}
