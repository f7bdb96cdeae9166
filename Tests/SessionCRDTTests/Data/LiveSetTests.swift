import SessionCRDT
import SyncTestKit
import Testing

struct LiveSetTests {
    @Test("A live set does not depend on the order of arrival", arguments: Seeds.below(40))
    func order(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let entries = (1...UInt64.random(in: 1...6, using: &random)).map {
            Samples.entry($0, 1, .integer(Int64($0)), at: UInt64.random(in: 0...2, using: &random))
        }
        let one = try #require(LiveSet(entries))
        let two = try #require(LiveSet(entries.shuffled(using: &random)))
        #expect(one == two)
        #expect(one.winner == two.winner)
        #expect(one.losers == two.losers)
        #expect(one.count == entries.count)
        #expect(one.entries.map(\.dot) == entries.map(\.dot))
        #expect([one.winner] + one.losers == entries.sorted { $0.wins(over: $1) })
        for entry in entries { #expect(one[entry.dot] == entry) }
        #expect(one[Dot(actor: Samples.actor(1), sequence: 2)] == nil)
        #expect(one[Dot(actor: Samples.actor(99), sequence: 1)] == nil)
    }

    @Test("There is no empty live set")
    func empty() {
        #expect(LiveSet([]) == nil)
    }

    @Test("The greatest stamp wins, and among equal stamps the greatest actor")
    func winner() {
        let early = Samples.entry(9, 1, .integer(1), at: 5)
        let late = Samples.entry(1, 1, .integer(2), at: 6)
        let greater = Samples.entry(2, 1, .integer(3), at: 6)
        #expect(Samples.live(early, late).winner == late)
        #expect(Samples.live(early, late, greater).winner == greater)
        #expect(Samples.live(early, late, greater).losers == [late, early])
        #expect(Samples.live(Samples.entry(1, 1, at: .max), late).winner.stamp.bits == .max)
    }

    @Test("Only different values are a conflict, in any position")
    func conflict() {
        let three = Samples.entry(1, 1, .integer(3))
        let same = Samples.entry(2, 1, .integer(3))
        let cleared = Samples.entry(3, 1, .null)
        #expect(!LiveSet(three).isConflicting)
        #expect(!Samples.live(three, same).isConflicting)
        #expect(Samples.live(three, same, cleared).isConflicting)
        #expect(
            Samples.live(
                Samples.entry(1, 1, .text("\u{E9}")),
                Samples.entry(2, 1, .text("e\u{301}"))
            ).isConflicting
        )
    }
}
