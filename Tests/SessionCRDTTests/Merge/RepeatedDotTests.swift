import SessionCRDT
import SyncTestKit
import Testing

/// A dot under two keys, which only damage to a disk or a malicious member causes.
struct RepeatedDotTests {
    private let keys = [Key.cell(Samples.cell(1)), Key.cell(Samples.cell(2))]

    @Test("Loading a map with one resolves it in any order, and its deltas are sound")
    func loading() throws {
        let entry = Samples.entry(1, 1, .integer(7))
        let other = Samples.entry(1, 2, .integer(8))
        let stored =
            keys.map { KeyedEntry(key: $0, entry: entry) }
            + [KeyedEntry(key: keys[0], entry: other)]
        let vector = Samples.vector([1: 2])
        let maps = [
            try CausalMap(entries: stored, vector: vector),
            try CausalMap(entries: stored.reversed(), vector: vector),
        ]
        #expect(maps[0].contents == maps[1].contents)
        #expect(maps[0].live.flatMap { $0.value.map(\.dot) }.sorted() == [entry.dot, other.dot])
        let delta = try #require(maps[0].delta(since: VersionVector()))
        let sent = try Delta(base: delta.base, upto: delta.upto, changes: delta.changes)
        #expect(sent == delta)
    }

    @Test("Two replicas with a dot under different keys keep both values and one dot")
    func union() throws {
        let entries = [Samples.entry(1, 1, .integer(1)), Samples.entry(1, 1, .integer(2))]
        let maps = zip(keys, entries).map { States.written(($0, $1)) }
        for (mine, theirs) in [(maps[0], maps[1]), (maps[1], maps[0])] {
            var map = StagedMap(mine)
            let strays = map.unite(theirs.union)
            let displaced = try #require(strays)
            #expect(displaced.count == 1)
            for stray in displaced {
                let entry = Samples.entry(9, 1, stray.entry.value)
                map.write(entry, under: stray.key)
            }
            _ = map.seal()
            map.settle()
            let live = map.committed.live
            #expect(Set(live.map { $0.value.winner.value }) == [.integer(1), .integer(2)])
            #expect(Set(live.flatMap { $0.value.map(\.dot) }).count == 2)
            let delta = try #require(map.committed.delta(since: VersionVector()))
            _ = try Delta(base: delta.base, upto: delta.upto, changes: delta.changes)
        }
    }

    @Test("Next to another value, the form with the smaller bytes is removed on both sides")
    func outdone() throws {
        let twice = Samples.entry(1, 1, .integer(7))
        let other = Samples.entry(2, 1, .integer(8))
        let vector = Samples.vector([1: 1, 2: 1])
        let maps = try [
            [KeyedEntry(key: keys[0], entry: twice), KeyedEntry(key: keys[1], entry: other)],
            [KeyedEntry(key: keys[1], entry: twice), KeyedEntry(key: keys[1], entry: other)],
        ].map { try CausalMap(entries: $0, vector: vector) }
        for (mine, theirs) in [(maps[0], maps[1]), (maps[1], maps[0])] {
            var map = StagedMap(mine)
            let displaced = map.unite(theirs.union)
            for stray in try #require(displaced) {
                map.write(Samples.entry(9, 1, stray.entry.value), under: stray.key)
            }
            _ = map.seal()
            map.settle()
            let dots = map.committed.live.flatMap { $0.value.map(\.dot) }
            #expect(dots.count { $0 == twice.dot } == 1)
            #expect(dots.contains(other.dot))
        }
    }

    @Test("A union restores nothing in a replica that has seen more")
    func late() throws {
        let key = keys[0]
        let old = Samples.entry(1, 1, .integer(1))
        let start = States.written((key, old))
        let sender = try CausalMap(
            entries: [
                KeyedEntry(key: keys[1], entry: Samples.entry(2, 1)), .init(key: key, entry: old),
            ],
            vector: Samples.vector([1: 1, 2: 1])
        )
        var map = StagedMap(
            try CausalMap(entries: [KeyedEntry(key: key, entry: old)], vector: sender.vector)
        )
        let union = sender.union
        map.write(Samples.entry(3, 1, .integer(5)), under: key)
        let isTaken = map.merge(union)
        #expect(isTaken)
        #expect(map.head(key)?.map(\.value) == [.integer(5)])
        #expect(map.head(keys[1]) == nil)
        #expect(start.vector != map.headVector)
    }
}
