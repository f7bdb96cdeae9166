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
        try world.run(steps: 70)
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
}
