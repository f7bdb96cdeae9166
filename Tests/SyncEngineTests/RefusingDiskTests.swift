import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("A disk that refuses writes")
struct RefusingDiskTests {
    /// The delta of a peer that has only written a score.
    private func delta() throws -> (peer: Hello, delta: Delta) {
        var peer = SyncEngine.ready(device(2))
        let hello = peer.hello()
        peer.save(score(9), at: ms(9_000))
        let delta = try #require(peer.replicas[session]?.committed.delta(since: VersionVector()))
        return (hello, delta)
    }

    /// The disk refuses the first batch of these, and says what it holds.
    private func refuse(_ effects: [Effect], _ engine: inout SyncEngine, at now: Moment) throws {
        let batch = try #require(effects.batches.first)
        _ = engine.handle(.persistFailed(batch, .diskFull, reason: "full"), at: now)
        let opened = OpenedSession(replica: engine.snapshot)
        #expect(engine.does(.opened(session, opened), at: now).isEmpty)
    }

    @Test("Waiting writes fail, links stay, and the disk is read again")
    func failedCommit() throws {
        var engine = SyncEngine.ready(device(1))
        let peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        let first = engine.does(.write(RequestID(1), session, score(1)), at: ms(10_001))
        _ = engine.does(.write(RequestID(2), session, score(2)), at: ms(10_002))
        let batch = try #require(first.batches.first)
        #expect(
            engine.does(.persistFailed(batch, .diskFull, reason: "full"), at: ms(10_003)) == [
                .send(LinkID(1), .storage(.diskFull)),
                .alarm(.storage(session, reason: "full")),
                .reply(RequestID(1), .failed(reason: "full")),
                .reply(RequestID(2), .failed(reason: "full")),
                .load(session),
            ]
        )
        let opened = OpenedSession(replica: engine.snapshot)
        #expect(engine.does(.opened(session, opened), at: ms(10_010)).isEmpty)
        #expect(engine.peers(session).map(\.device) == [device(2).id])
        #expect(engine.save(score(3), at: ms(10_100)).deltas.count == 1)
    }

    @Test("Peers are told that the disk is full until a write succeeds, also those that link then")
    func toldPeers() throws {
        var engine = SyncEngine.ready(device(1))
        let hello = SyncEngine.ready(device(2)).hello()
        var deaf = SyncEngine.ready(device(3)).hello()
        deaf.features = []
        _ = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        _ = engine.link(2, with: deaf, at: address(3), at: ms(10_000))
        try refuse(
            engine.does(.write(RequestID(1), session, score(1)), at: ms(10_001)),
            &engine,
            at: ms(10_002)
        )
        #expect(engine.storageProblem(session) == .diskFull)
        let later = SyncEngine.ready(device(4)).hello()
        let linked = engine.link(3, with: later, at: address(4), at: ms(10_003))
        #expect(linked.contains(.send(LinkID(3), .storage(.diskFull))))
        let saved = engine.save(score(2), at: ms(10_004))
        #expect(
            saved.filter { if case .send(_, .storage) = $0 { true } else { false } } == [
                .send(LinkID(1), .storage(nil)), .send(LinkID(3), .storage(nil)),
            ]
        )
    }

    @Test("A peer that cannot save is shown until it reports that it can")
    func shownPeer() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(2)).hello(),
            at: address(2),
            at: ms(10_000)
        )
        _ = engine.does(.received(LinkID(1), .storage(.readOnly)), at: ms(10_001))
        #expect(engine.peers(session).map(\.storageProblem) == [.readOnly])
        _ = engine.does(.received(LinkID(1), .storage(nil)), at: ms(10_002))
        #expect(engine.peers(session).map(\.storageProblem) == [nil])
    }

    @Test("Writes of a refused commit that are stored after all are acknowledged")
    func thereAfterAll() throws {
        var (engine, (hello, delta)) = (SyncEngine.ready(device(1)), try delta())
        _ = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        let effects = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_001))
        var other = engine
        let batch = try #require(effects.batches.first)
        _ = other.handle(.persisted(batch), at: ms(10_002))
        _ = engine.handle(.persistFailed(batch, .failed, reason: "nobody knows"), at: ms(10_002))
        // A delta that arrives while the disk is being read is on it, too.
        #expect(engine.messages(after: .received(LinkID(1), .delta(delta)), at: ms(10_003)).isEmpty)
        let opened = OpenedSession(replica: other.snapshot)
        let expected = Acknowledgement(vector: delta.upto, digest: other.digest)
        #expect(
            engine.messages(after: .opened(session, opened), at: ms(10_010)) == [.ack(expected)]
        )
    }

    @Test("Refused deltas are requested again after 1 s, doubling to 30 s, each ± 20 %")
    func pauses() throws {
        var (engine, (hello, delta)) = (SyncEngine.ready(device(1)), try delta())
        _ = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        var failed: UInt64 = 10_001
        for attempt in 0..<9 {
            let effects = engine.does(.received(LinkID(1), .delta(delta)), at: ms(failed))
            try refuse(effects, &engine, at: ms(failed))
            let middle = min(1_000 << UInt64(attempt), 30_000 as UInt64)
            let expected: ClosedRange<UInt64> = middle * 8 / 10...middle * 12 / 10 + 1
            let asked = try #require(
                (failed...failed + 100_000).first { time in
                    if time % 3_000 == 0 {
                        _ = engine.handle(.bytesReceived(LinkID(1)), at: ms(time))
                    }
                    return engine.messages(after: .timePassed, at: ms(time)).contains(
                        .need(engine.vector)
                    )
                }
            )
            #expect(expected.contains(asked - failed))
            failed = asked + 1
        }
    }

    @Test("Once the disk accepts anything, refused deltas are requested at once")
    func recovered() throws {
        var (engine, (hello, delta)) = (SyncEngine.ready(device(1)), try delta())
        _ = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        let effects = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_001))
        try refuse(effects, &engine, at: ms(10_002))
        let saved = engine.save(score(1), at: ms(10_003))
        #expect(saved.messages.contains(.need(engine.vector)))
        _ = engine.does(
            .received(
                LinkID(1),
                .ack(Acknowledgement(vector: engine.vector, digest: engine.digest))
            ),
            at: ms(10_004)
        )
        let next = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_005))
        #expect(next.batches.count == 1)
    }

    @Test("A peer with a full disk gets its delta each time it asks")
    func patience() throws {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(1), at: ms(9_000))
        let hello = SyncEngine.ready(device(2)).hello()
        #expect(engine.link(1, with: hello, at: address(2), at: ms(10_000)).deltas.count == 1)
        for time in stride(from: 11_000 as UInt64, to: 40_000, by: 1_000) {
            let effects = engine.does(.received(LinkID(1), .need(VersionVector())), at: ms(time))
            #expect(effects.deltas.count == 1)
            #expect(effects.closed.isEmpty)
        }
    }

    @Test("After the loss of writes that peers know, a link begins with a new hello")
    func lostWrites() throws {
        var engine = SyncEngine.ready(device(1))
        let before = engine.snapshot
        engine.save(score(1), at: ms(9_000))
        let hello = SyncEngine.ready(device(2)).hello()
        _ = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        let effects = engine.does(.write(RequestID(2), session, score(2)), at: ms(10_001))
        let batch = try #require(effects.batches.first)
        _ = engine.does(.persistFailed(batch, .failed, reason: "torn"), at: ms(10_002))
        let opened = engine.does(.opened(session, OpenedSession(replica: before)), at: ms(10_003))
        #expect(opened.messages == [.bye(.storage)])
        #expect(engine.does(.timePassed, at: ms(11_000)).dials == [address(2)])
    }

    @Test("Until the disk is read again nothing is written, dialled or sent, and peers come back")
    func unreadable() throws {
        var engine = SyncEngine.ready(device(1))
        let peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        let first = engine.does(.write(RequestID(1), session, score(1)), at: ms(10_001))
        _ = engine.does(
            .persistFailed(try #require(first.batches.first), .diskFull, reason: "full"),
            at: ms(10_002)
        )
        let refused = engine.does(.write(RequestID(2), session, score(2)), at: ms(10_003))
        guard case .reply(RequestID(2), .failed) = refused.first else {
            Issue.record("\(refused)")
            return
        }
        let effects = engine.does(.loadFailed(session, reason: "io"), at: ms(11_000))
        #expect(effects.messages == [.bye(.storage)])
        #expect(effects.dials.isEmpty)
        #expect(engine.does(.timePassed, at: ms(12_000)).isEmpty)
        // Not “left”: then the peer would never come back.
        let link = LinkID(2)
        #expect(
            engine.does(.linked(link, session, address(2, port: 50_000), .accepted), at: ms(12_500))
                == [.send(link, .bye(.storage)), .close(link)]
        )
        #expect(engine.does(.timePassed, at: ms(16_000)) == [.load(session)])
        let opened = OpenedSession(replica: engine.snapshot)
        #expect(engine.does(.opened(session, opened), at: ms(16_010)).dials == [address(2)])
    }

    @Test("A dial that was under way when the disk failed is tried again")
    func dialUnderWay() throws {
        let known = Contact(stored: address(2), of: device(2).id)
        var engine = SyncEngine.ready(device(1), contacts: [known])
        // Dialled at the start; the disk fails before the connection is there.
        let effects = engine.does(.write(RequestID(1), session, score(1)), at: ms(2_001))
        _ = engine.does(
            .persistFailed(try #require(effects.batches.first), .diskFull, reason: "full"),
            at: ms(2_002)
        )
        _ = engine.does(.linked(LinkID(1), session, address(2), .dialled), at: ms(2_003))
        let opened = OpenedSession(replica: engine.snapshot)
        _ = engine.does(.opened(session, opened), at: ms(2_004))
        #expect(engine.does(.timePassed, at: ms(3_000)).dials == [address(2)])
    }

    @Test("An unreadable session is read again after 5 s, doubling to a minute, and reported once")
    func reloading() throws {
        var engine = SyncEngine.ready(device(1))
        let effects = engine.does(.write(RequestID(1), session, score(1)), at: ms(10_000))
        let batch = try #require(effects.batches.first)
        _ = engine.does(.persistFailed(batch, .failed, reason: "io"), at: ms(10_001))
        var (now, alarms): (UInt64, Int) = (10_002, 0)
        for pause in [5_000, 10_000, 20_000, 40_000, 60_000, 60_000] as [UInt64] {
            alarms += engine.does(.loadFailed(session, reason: "io"), at: ms(now)).alarms.count
            #expect(engine.does(.timePassed, at: ms(now + pause - 1)).isEmpty)
            #expect(engine.does(.timePassed, at: ms(now + pause)) == [.load(session)])
            now += pause + 1
        }
        #expect(alarms == 1)
    }

    @Test("A disk that can be read now and then is trusted only when it writes")
    func flapping() throws {
        var engine = SyncEngine.ready(device(1))
        var now: UInt64 = 10_000
        for pause in [5_000, 10_000, 20_000] as [UInt64] {
            let effects = engine.does(.write(RequestID(now), session, score(1)), at: ms(now))
            let batch = try #require(effects.batches.first)
            _ = engine.does(.persistFailed(batch, .diskFull, reason: "full"), at: ms(now + 1))
            _ = engine.does(.loadFailed(session, reason: "io"), at: ms(now + 2))
            let early = engine.does(.timePassed, at: ms(now + 1 + pause))
            #expect(!early.contains(.load(session)))
            #expect(engine.does(.timePassed, at: ms(now + 2 + pause)).contains(.load(session)))
            now += pause + 100
            let opened = OpenedSession(replica: engine.snapshot)
            _ = engine.does(.opened(session, opened), at: ms(now))
        }
        let effects = engine.does(.write(RequestID(now), session, score(1)), at: ms(now))
        _ = engine.does(.persisted(try #require(effects.batches.first)), at: ms(now + 1))
        // It has written something: the next failure is the first.
        let last = engine.does(.write(RequestID(now + 1), session, score(2)), at: ms(now + 2))
        _ = engine.does(
            .persistFailed(try #require(last.batches.first), .diskFull, reason: "full"),
            at: ms(now + 3)
        )
        _ = engine.does(.loadFailed(session, reason: "io"), at: ms(now + 4))
        #expect(engine.does(.timePassed, at: ms(now + 5_004)).contains(.load(session)))
    }
}
