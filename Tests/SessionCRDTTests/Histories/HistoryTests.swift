import SessionCRDT
import Testing

@Suite("Random histories against the reference")
struct HistoryTests {
    @Test(
        "Whatever happens to deltas and disks, the map holds what the writes say",
        arguments: Seeds.many
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

    @Test("The histories take and refuse deltas, and make conflicts")
    func counts() throws {
        var counts = World.Counts()
        for seed in UInt64(1)...20 {
            var world = World(seed: seed)
            try world.run(steps: 150)
            counts.taken += world.counts.taken
            counts.refused += world.counts.refused
            counts.conflicting += world.counts.conflicting
            counts.keptIn += world.counts.keptIn
        }
        #expect(counts.taken > 100)
        #expect(counts.refused > 5)
        #expect(counts.conflicting > 50)
        #expect(counts.keptIn > 20)
    }
}
