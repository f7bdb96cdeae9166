import SessionCRDT
import SyncTestKit
import Testing

struct HistoryTests {
    @Test(
        "With any losses of deltas and disks, the map agrees with the reference",
        arguments: Seeds.below(300)
    )
    func histories(seed: UInt64) throws {
        var world = World(seed: seed)
        try world.run(steps: 150)
        try world.heal()

        var everything = NaiveReplica()
        for twin in world.twins { everything.join(twin.committed) }
        let first = try #require(world.twins.first)
        for twin in world.twins {
            #expect(twin.committed == everything)
            #expect(twin.map.committed.live == first.map.committed.live)
            #expect(twin.map.committed.vector == first.map.committed.vector)
            #expect(twin.map.committed.tally == first.map.committed.tally)
            #expect(twin.table == first.table)
        }
    }

    @Test("The histories contain merged and rejected deltas, and conflicts")
    func counts() throws {
        var counts = World.Counts()
        for seed in UInt64(1)...20 {
            var world = World(seed: seed)
            try world.run(steps: 150)
            counts.merged += world.counts.merged
            counts.rejected += world.counts.rejected
            counts.conflicting += world.counts.conflicting
            counts.keptIn += world.counts.keptIn
        }
        #expect(counts.merged > 100)
        #expect(counts.rejected > 5)
        #expect(counts.conflicting > 50)
        #expect(counts.keptIn > 20)
    }
}
