import SessionCRDT
import SyncEngine
import SyncProtocol
import SyncTestKit
import Testing

@Suite("Many sessions")
struct ManySessionsTests {
    private let nothing = ReplicaSnapshot(entries: [], vector: VersionVector())

    private func other(_ number: UInt64) -> SessionID { SessionID(high: 9, low: number) }

    /// An engine that holds the session, and so many others with a member that was here before.
    private func engine(holding others: Int) -> SyncEngine {
        var engine = SyncEngine.ready(device(1))
        let known = KnownAddress(endpoint: address(9), device: device(9).id, isTyped: false)
        for number in 0..<UInt64(others) {
            let opened = OpenedSession(replica: nothing, addresses: [known])
            _ = engine.handle(.opened(other(number), opened), at: ms(2_000))
            let failed = Input.dialFailed(other(number), address(9), .unreachable)
            _ = engine.handle(failed, at: ms(2_000 + number))
        }
        return engine
    }

    /// How many steps of sessions a score costs: a write here, its acknowledgement by a peer, and a
    /// delta from there.
    private func stepsOfScores(_ engine: inout SyncEngine) throws -> [Int] {
        var peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(2_500))
        let before = engine.steps
        let write = Input.write(RequestID(1), session, score(5))
        let batch = try #require(engine.does(write, at: ms(2_501)).batches.first)
        let written = engine.steps
        let news = try #require(engine.does(.persisted(batch), at: ms(2_502)).deltas.first)
        let settled = engine.steps
        let ack = Acknowledgement(vector: engine.vector, digest: engine.digest)
        _ = engine.handle(.received(LinkID(1), .ack(ack)), at: ms(2_503))
        let acknowledged = engine.steps
        _ = peer.link(1, with: engine.hello(), at: address(1), at: ms(2_504))
        let taken = try #require(
            peer.does(.received(LinkID(1), .delta(news)), at: ms(2_505)).batches.first
        )
        _ = peer.does(.persisted(taken), at: ms(2_505))
        peer.save(score(6, round: 2), at: ms(2_506))
        let theirs = try #require(peer.replicas[session]?.committed.delta(since: engine.vector))
        _ = engine.handle(.received(LinkID(1), .delta(theirs)), at: ms(2_507))
        return [
            written - before, settled - written, acknowledged - settled,
            engine.steps - acknowledged,
        ]
    }

    @Test("A write, its commit, an acknowledgement and a delta are one step each, whatever is held")
    func oneStep() throws {
        var alone = engine(holding: 0)
        var crowded = engine(holding: 1_000)
        let steps = try stepsOfScores(&alone)
        #expect(steps == [1, 1, 1, 1])
        #expect(try stepsOfScores(&crowded) == steps)
    }

    @Test("Of many sessions only those that are due are dialled, in the order of their ids")
    func onlyDue() {
        var engine = SyncEngine.ready(device(1))
        for number in (1...100).reversed() as ReversedCollection<ClosedRange<UInt64>> {
            _ = engine.handle(
                .opened(other(number), OpenedSession(replica: nothing)),
                at: ms(2_100)
            )
        }
        var generator = SeededGenerator(seed: 7)
        let chosen = (1...100).filter { _ in UInt64.random(in: 0..<3, using: &generator) == 0 }
        _ = engine.handle(.offline(true), at: ms(3_000))
        for number in chosen.shuffled(using: &generator) {
            let typed = Input.addressTyped(other(UInt64(number)), address(5))
            _ = engine.handle(typed, at: ms(3_001))
        }
        let before = engine.steps
        #expect(engine.handle(.timePassed, at: ms(3_002)).isEmpty)
        #expect(engine.steps == before)
        let dialled = engine.handle(.offline(false), at: ms(3_003)).compactMap { effect in
            if case .dial(let session, _) = effect { session } else { nil }
        }
        #expect(dialled == chosen.map { other(UInt64($0)) })
    }

    @Test("The earliest of many deadlines is the one that is asked for, however they change")
    func earliest() {
        var engine = SyncEngine.ready(device(1))
        var generator = SeededGenerator(seed: 11)
        let ids = (1...40 as ClosedRange<UInt64>).map(other)
        for id in ids {
            _ = engine.handle(.opened(id, OpenedSession(replica: nothing)), at: ms(2_100))
        }
        var due: [SessionID: UInt64] = [:]
        var link: UInt64 = 0
        // A link that has said nothing goes five seconds after it was opened.
        for time in stride(from: 3_000 as UInt64, to: 30_000, by: 37) {
            let id = ids[Int.random(in: ids.indices, using: &generator)]
            if due[id] == nil, Bool.random(using: &generator) {
                link += 1
                let linked = Input.linked(LinkID(link), id, address(3), .accepted)
                _ = engine.handle(linked, at: ms(time))
                due[id] = time + Timing.helloWithin
            }
            let gone = engine.does(.timePassed, at: ms(time)).closed.count
            let expected = due.filter { $0.value <= time }
            #expect(gone == expected.count)
            for id in expected.keys { due[id] = nil }
        }
        #expect(link > 20)
    }
}
