import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("The exchange with a linked peer")
struct DeltaTests {
    @Test("After both hellos each side sends what the other lacks, and then both are silent")
    func meeting() {
        var left = SyncEngine.ready(device(2))
        left.save(score(5), at: ms(9_000))
        var pair = Pair(left, .ready(device(1)))
        pair.meet(at: ms(10_000))
        #expect(pair.left.vector == pair.right.vector)
        #expect(pair.left.digest == pair.right.digest)
        #expect(pair.said.map(\.isLeft) == [true, false, true, false])
        #expect(pair.left.isSynced(session) && pair.right.isSynced(session))
    }

    @Test("One delta is under way at a time; what is written meanwhile goes in the next")
    func window() throws {
        var engine = SyncEngine.ready(device(1))
        var peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        let first = engine.save(score(1), at: ms(10_001)).deltas
        #expect(first.count == 1)
        #expect(engine.save(score(2, round: 2), at: ms(10_002)).deltas.isEmpty)
        #expect(engine.save(score(3, round: 3), at: ms(10_003)).deltas.isEmpty)
        _ = peer.link(1, with: engine.hello(), at: address(1), .accepted, at: ms(10_004))
        let batches = peer.does(
            .received(LinkID(1), .delta(try #require(first.first))),
            at: ms(10_005)
        ).batches
        let answer = peer.messages(after: .persisted(try #require(batches.first)), at: ms(10_006))
        let ack = try #require(answer.first)
        let next = engine.does(.received(LinkID(1), ack), at: ms(10_007)).deltas
        #expect(next.count == 1)
        #expect(next.first?.base == first.first?.upto)
        #expect(next.first?.upto == engine.vector)
    }

    @Test("What a peer wrote is acknowledged only once it is on disk here")
    func acknowledgeAfterDisk() throws {
        var peer = SyncEngine.ready(device(2))
        peer.save(score(5), at: ms(9_000))
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        let delta = try #require(
            peer.link(1, with: engine.hello(), at: address(1), .accepted, at: ms(10_000)).deltas
                .first
        )
        let effects = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_001))
        #expect(effects.messages.isEmpty)
        let batch = try #require(effects.batches.first)
        #expect(
            engine.does(.persisted(batch), at: ms(10_002)).messages
                == [.ack(Acknowledgement(vector: peer.vector, digest: peer.digest))]
        )
        // The same delta again is no news: it is answered at once.
        #expect(
            engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_003))
                == [
                    .send(
                        LinkID(1),
                        .ack(Acknowledgement(vector: peer.vector, digest: peer.digest))
                    )
                ]
        )
    }

    @Test("A delta that does not fit is answered with this device's vector")
    func gap() throws {
        var peer = SyncEngine.ready(device(2))
        peer.save(score(5), at: ms(9_000))
        let known = peer.vector
        peer.save(score(6), at: ms(9_001))
        let delta = try #require(peer.replicas[session]?.committed.delta(since: known))
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        #expect(
            engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_001))
                == [.send(LinkID(1), .need(VersionVector()))]
        )
        #expect(engine.vector.isEmpty)
    }

    @Test("A peer that needs an older base gets it; one that never stops asking is disconnected")
    func need() {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(5), at: ms(9_000))
        let peer = SyncEngine.ready(device(2))
        var claim = peer.hello()
        claim.vector = engine.vector
        _ = engine.link(1, with: claim, at: address(2), at: ms(10_000))
        for time in [10_001, 10_002] {
            let effects = engine.does(
                .received(LinkID(1), .need(VersionVector())),
                at: ms(UInt64(time))
            )
            #expect(effects.deltas.map(\.base) == [VersionVector()])
        }
        #expect(
            engine.does(.received(LinkID(1), .need(VersionVector())), at: ms(10_003))
                == [.send(LinkID(1), .bye(.protocolError)), .close(LinkID(1))]
        )
    }

    @Test("A malformed message is answered, and ends the link only if nothing can follow it")
    func unreadable() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(2)).hello(),
            at: address(2),
            at: ms(10_000)
        )
        let error = PeerError(code: "unknown-type", text: "what is “fly”?")
        let link = LinkID(1)
        #expect(
            engine.does(.messageRejected(link, error, isFatal: false), at: ms(10_001))
                == [.send(link, .error(error))]
        )
        #expect(
            engine.does(.messageRejected(link, error, isFatal: true), at: ms(10_002))
                == [.send(link, .error(error)), .send(link, .bye(.protocolError)), .close(link)]
        )
        #expect(engine.does(.received(link, .ping(1)), at: ms(10_003)).isEmpty)
    }

    @Test("The first message must be a hello, and there must be no second one")
    func helloFirst() {
        var engine = SyncEngine.ready(device(1))
        let hello = SyncEngine.ready(device(2)).hello()
        let remote = address(2, port: 50_000)
        _ = engine.does(.linked(LinkID(1), session, remote, .accepted), at: ms(10_000))
        #expect(
            engine.does(.received(LinkID(1), .need(VersionVector())), at: ms(10_001)).messages
                == [.bye(.protocolError)]
        )
        _ = engine.link(2, with: hello, at: remote, .accepted, at: ms(10_002))
        #expect(
            engine.does(.received(LinkID(2), .hello(hello)), at: ms(10_003)).messages
                == [.bye(.protocolError)]
        )
    }
}
