import SessionCRDT
import Testing

struct MembershipTests {
    private let ann = Samples.player(1)
    private let cell = Samples.cell(1)

    /// A session of both devices, with Ann.
    private var shared: CausalMap {
        States.written(actor: 1, Mutation.add(ann, name: "Ann"), on: CausalMap())
    }

    @Test("Removing hides a player and deletes nothing; adding brings the scores back")
    func removal() {
        let scored = States.written(actor: 2, Mutation.score(cell, .integer(7)), on: shared)
        let gone = [Mutation.membership(of: ann, isPresent: false)]
        let removed = States.written(actor: 3, gone, on: scored)
        #expect(players(removed).map(\.isPresent) == [false])
        #expect(players(removed).map(\.wasKeptIn) == [false])
        #expect(removed[.cell(cell)]?.winner.value == .integer(7))
        let back = States.written(actor: 3, from: 2, Mutation.add(ann, name: "Ann"), on: removed)
        #expect(players(back).map(\.isPresent) == [true])
        #expect(players(back).map(\.wasKeptIn) == [false])
        #expect(back[.cell(cell)]?.winner.value == .integer(7))
    }

    @Test("A score that is concurrent with a removal keeps the player in, and is reported")
    func scoreWhileRemoved() throws {
        let gone = [Mutation.membership(of: ann, isPresent: false)]
        let removed = States.written(actor: 2, gone, on: shared)
        let scored = States.written(actor: 3, Mutation.score(cell, .integer(7)), on: shared)
        for merged in [
            try States.merged(removed, with: scored), try States.merged(scored, with: removed),
        ] {
            #expect(players(merged).map(\.isPresent) == [true])
            #expect(players(merged).map(\.wasKeptIn) == [true])
            // The next write decides.
            let again = States.written(actor: 4, gone, on: merged)
            #expect(players(again).map(\.isPresent) == [false])
            #expect(players(again).map(\.wasKeptIn) == [false])
        }
    }

    @Test("The number of players is limited; later ones are ignored")
    func seats() {
        var map = CausalMap()
        let all = (1...UInt64(Seating.maxPlayers + 1)).map { Samples.player($0) }
        map = States.written(actor: 1, all.map { .membership(of: $0, isPresent: true) }, on: map)
        #expect(players(map).map(\.id) == Array(all.sorted().prefix(Seating.maxPlayers)))
        let last = Array(all.sorted().suffix(1))
        let seated = States.written(actor: 1, from: UInt64(all.count + 1), [.seats(last)], on: map)
        #expect(players(seated).map(\.id) == last + all.sorted().prefix(Seating.maxPlayers - 1))
    }

    @Test("Clearing a cell concurrently with a removal leaves the player removed")
    func clearWhileRemoved() throws {
        let scored = States.written(actor: 2, Mutation.score(cell, .integer(7)), on: shared)
        let gone = [Mutation.membership(of: ann, isPresent: false)]
        let removed = States.written(actor: 3, gone, on: scored)
        let cleared = States.written(actor: 4, Mutation.clear(cell), on: scored)
        let merged = try States.merged(removed, with: cleared)
        #expect(players(merged).map(\.isPresent) == [false])
        #expect(merged[.cell(cell)]?.winner.value == .null)
        #expect(Mutation.clear(cell).map(\.key) == [.cell(cell)])
    }

    @Test("A player who is added again concurrently with a removal stays in")
    func addWhileRemoved() throws {
        let gone = [Mutation.membership(of: ann, isPresent: false)]
        let removed = States.written(actor: 2, gone, on: shared)
        let added = States.written(actor: 3, Mutation.add(ann, name: "Anna"), on: shared)
        let merged = try States.merged(removed, with: added)
        #expect(players(merged).map(\.isPresent) == [true])
        #expect(players(merged).map(\.wasKeptIn) == [true])
        #expect(players(merged).map(\.name) == ["Anna"])
    }

    @Test("Concurrent removals of a player are one removal")
    func removedTwice() throws {
        let gone = [Mutation.membership(of: ann, isPresent: false)]
        let merged = try States.merged(
            States.written(actor: 2, gone, on: shared),
            with: States.written(actor: 3, gone, on: shared)
        )
        #expect(players(merged).map(\.isPresent) == [false])
        #expect(players(merged).map(\.wasKeptIn) == [false])
    }

    private func players(_ map: CausalMap) -> [Player] { SessionDocument(map.live).players }
}
