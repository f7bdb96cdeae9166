import SessionCRDT
import SyncTestKit
import Testing

struct UnionTests {
    private let key = Key.cell(Samples.cell(1))

    @Test(
        "Two maps with equal vectors and different contents are equal after a union each way",
        arguments: Seeds.below(40)
    )
    func repair(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var whole = CausalMap()
        for state in try States.states(seed: seed) { whole = try States.merged(whole, with: state) }
        let left = try damaged(whole, using: &random)
        let right = try damaged(whole, using: &random)
        #expect(left.vector == right.vector)

        let repaired = try States.merged(left, with: right.union)
        #expect(try States.merged(right, with: left.union).contents == repaired.contents)
        #expect(try States.merged(repaired, with: right.union).contents == repaired.contents)
        #expect(try States.merged(repaired, with: repaired.union).contents == repaired.contents)
        #expect(try States.merged(right, with: repaired.union).contents == repaired.contents)
        // Nothing of either side is lost, and deltas are the same after a restart.
        for (key, live) in left.live {
            let dots = Set(repaired[key]?.map(\.dot) ?? [])
            #expect(dots.isSuperset(of: live.map(\.dot)))
        }
        let entries = repaired.live.flatMap { key, live in
            live.map { KeyedEntry(key: key, entry: $0) }
        }
        let read = try CausalMap(entries: entries, vector: repaired.vector)
        #expect(read.contents == repaired.contents)
        #expect(read.delta(since: VersionVector()) == repaired.delta(since: VersionVector()))
    }

    @Test("Of two forms of a dot, the one with the greater bytes stays on both sides")
    func greaterBytes() throws {
        let small = States.written((key, Samples.entry(1, 1, .integer(1))))
        let great = States.written((key, Samples.entry(1, 1, .integer(2))))
        #expect(try States.merged(small, with: great.union).contents == great.contents)
        #expect(try States.merged(great, with: small.union).contents == great.contents)
        #expect(small.union.isUnion)
    }

    @Test("A repaired entry overwrites the stored one")
    func batch() {
        let small = States.written((key, Samples.entry(1, 1, .integer(1))))
        let great = States.written((key, Samples.entry(1, 1, .integer(2))))
        var map = StagedMap(small)
        let isTaken = map.merge(great.union)
        #expect(isTaken)
        let batch = map.seal()
        #expect(batch?.removed == [])
        let repaired = KeyedEntry(key: key, entry: Samples.entry(1, 1, .integer(2)))
        #expect(batch?.inserted == [repaired])
        #expect(batch?.advanced == [])
    }

    @Test("A union is rejected by a replica that has seen less")
    func refused() {
        var map = StagedMap(CausalMap())
        let isTaken = map.merge(States.written((key, Samples.entry(1, 1))).union)
        #expect(!isTaken)
        #expect(!map.hasOpenChanges)
    }

    /// The map after damage to its disk: entries lost, changed or restored.
    private func damaged(
        _ map: CausalMap,
        using random: inout SeededGenerator
    ) throws -> CausalMap {
        var stored: [KeyedEntry] = []
        for (key, live) in map.live.sorted(by: { $0.key < $1.key }) {
            for entry in live {
                let chance = Int.random(in: 0..<6, using: &random)
                guard chance > 0 else { continue }
                let value = chance == 1 ? Samples.value(using: &random) : entry.value
                let changed = Entry(
                    dot: entry.dot,
                    stamp: entry.stamp,
                    author: entry.author,
                    value: value
                )
                stored.append(KeyedEntry(key: key, entry: changed))
            }
        }
        return try CausalMap(entries: stored, vector: map.vector)
    }
}
