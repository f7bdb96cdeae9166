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
        let known = Contact(stored: address(9), of: device(9).id)
        for number in 0..<UInt64(others) {
            let opened = OpenedSession(replica: nothing, contacts: [known])
            _ = engine.handle(.opened(other(number), opened), at: ms(2_000))
            let failed = Input.dialFailed(other(number), address(9), .unreachable)
            _ = engine.handle(failed, at: ms(2_000 + number))
        }
        return engine
    }

    /// The number of steps of sessions for a score: a write here, its acknowledgement by a peer, and
    /// a delta from there.
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

    @Test("A write, its commit, an acknowledgement and a delta take one step each")
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
            let elsewhere = address(UInt32(number))
            let typed = Input.addressTyped(other(UInt64(number)), elsewhere)
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

    /// The sessions that these effects dial for.
    private func sessions(dialledIn effects: [Effect]) -> [SessionID] {
        effects.compactMap { if case .dial(let session, _) = $0 { session } else { nil } }
    }

    /// An engine with so many sessions, all with a member at one address, at the first dials.
    private func crowd(_ count: UInt64) -> (engine: SyncEngine, dialled: [SessionID]) {
        var engine = SyncEngine.ready(device(1))
        let known = Contact(stored: address(9), of: device(9).id)
        var dialled: [SessionID] = []
        for number in 0..<count {
            let opened = OpenedSession(replica: nothing, contacts: [known])
            let effects = engine.handle(.opened(other(number), opened), at: ms(2_000))
            dialled += sessions(dialledIn: effects)
        }
        return (engine, dialled)
    }

    @Test("Four sessions dial one address at a time, and the next ones follow at once")
    func turns() {
        var (engine, dialled) = crowd(30)
        #expect(dialled == (0..<4).map(other))
        var next = 0
        while next < dialled.count {
            let linked = Input.linked(LinkID(UInt64(next)), dialled[next], address(9), .dialled)
            let effects = engine.handle(linked, at: ms(2_000 + UInt64(next)))
            dialled += sessions(dialledIn: effects)
            next += 1
            #expect(dialled.count - next <= 4)
        }
        #expect(dialled == (0..<30).map(other))
    }

    @Test("A session that has been linked meanwhile gives its turn to the next")
    func turnOfLinked() {
        var (engine, dialled) = crowd(30)
        let peer = SyncEngine.ready(device(9))
        for number in 4..<29 as Range<UInt64> {
            var hello = peer.hello()
            hello.session = other(number)
            let link = LinkID(number)
            let linked = Input.linked(link, other(number), address(9, port: 50_000), .accepted)
            _ = engine.handle(linked, at: ms(2_010))
            let effects = engine.handle(.received(link, .hello(hello)), at: ms(2_011))
            #expect(sessions(dialledIn: effects).isEmpty)
        }
        let linked = Input.linked(LinkID(1), dialled[0], address(9), .dialled)
        dialled = sessions(dialledIn: engine.handle(linked, at: ms(2_020)))
        #expect(dialled == [other(29)])
    }

    @Test("If one session's dial is not answered, all sessions wait before the next")
    func nobody() {
        var (engine, dialled) = crowd(30)
        let failed = Input.dialFailed(dialled[0], address(9), .unreachable)
        #expect(sessions(dialledIn: engine.handle(failed, at: ms(5_000))).isEmpty)
        for session in dialled.dropFirst() {
            let failed = Input.dialFailed(session, address(9), .unreachable)
            #expect(sessions(dialledIn: engine.handle(failed, at: ms(5_000))).isEmpty)
        }
        dialled = sessions(dialledIn: engine.handle(.timePassed, at: ms(5_600)))
        #expect((1...4).contains(dialled.count))
        // A dial that never ends keeps its place no longer than a dial can take.
        let later = engine.handle(.timePassed, at: ms(15_601 + Timing.maxDial))
        #expect(!sessions(dialledIn: later).isEmpty)
    }

    @Test("The timer is set for the earliest of many deadlines, however they change")
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
                due[id] = time + Timing.helloTimeout
            }
            let gone = engine.does(.timePassed, at: ms(time)).closed.count
            let expected = due.filter { $0.value <= time }
            #expect(gone == expected.count)
            for id in expected.keys { due[id] = nil }
        }
        #expect(link > 20)
    }
}
