import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Repair of replicas with equal vectors and different states")
struct RepairTests {
    /// Two replicas of one history, the second of which reads one value wrong.
    private func rotten() -> (sound: ReplicaSnapshot, rotten: ReplicaSnapshot) {
        var writer = SyncEngine.ready(device(9))
        writer.save(score(5), at: ms(9_000))
        let sound = writer.snapshot
        let entries = sound.entries.map { stored in
            guard case .cell = stored.key else { return stored }
            let entry = Entry(
                dot: stored.entry.dot,
                stamp: stored.entry.stamp,
                author: stored.entry.author,
                value: .integer(99)
            )
            return KeyedEntry(key: stored.key, entry: entry)
        }
        return (sound, ReplicaSnapshot(entries: entries, vector: sound.vector))
    }

    @Test("Both send everything once, raise the alarm, and are equal", arguments: [true, false])
    func union(isLeftRotten: Bool) {
        let (sound, rotten) = rotten()
        var pair = Pair(
            .ready(device(2), isLeftRotten ? rotten : sound),
            .ready(device(1), isLeftRotten ? sound : rotten)
        )
        pair.meet(at: ms(10_000))
        #expect(pair.left.snapshot == pair.right.snapshot)
        #expect(pair.left.digest == pair.right.digest)
        #expect(pair.alarms.count == 2)
        #expect(pair.said.count { if case .delta = $0.message { true } else { false } } == 2)
        #expect(pair.said.count { if case .ack = $0.message { true } else { false } } == 2)
    }

    @Test("The key of a next game that an export left out comes back without an alarm")
    func importedWithoutKey() throws {
        let key = [UInt8](repeating: 3, count: Successor.keyBytes)
        let next = Successor(session: SessionID(high: 7, low: 7), key: key)
        var writer = SyncEngine.ready(device(9))
        writer.save(score(5), at: ms(9_000))
        let text = try #require(next?.text)
        writer.save([Mutation(.session(Field.next), .text(ExactText(text)))], at: ms(9_001))
        let whole = writer.snapshot
        let entries = whole.entries.map { stored in
            KeyedEntry(key: stored.key, entry: stored.entry.withoutKeys(under: stored.key))
        }
        let exported = ReplicaSnapshot(entries: entries, vector: whole.vector)
        var pair = Pair(.ready(device(2), exported), .ready(device(1), whole))
        #expect(pair.left.digest != pair.right.digest)
        pair.meet(at: ms(10_000))
        #expect(pair.left.snapshot == whole)
        #expect(pair.right.snapshot == whole)
        #expect(pair.alarms.isEmpty)
    }

    @Test("After a repair the link goes on as before")
    func goesOn() {
        let (sound, rotten) = rotten()
        var pair = Pair(.ready(device(2), rotten), .ready(device(1), sound))
        pair.meet(at: ms(10_000))
        pair.give(.write(RequestID(1), session, score(6)), toLeft: false, at: ms(11_000))
        pair.give(.write(RequestID(2), session, score(7)), toLeft: true, at: ms(12_000))
        #expect(pair.left.snapshot == pair.right.snapshot)
        #expect(pair.alarms.count == 2)
    }

    @Test("A peer whose digest always differs gets everything once, not again and again")
    func noLoop() {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(5), at: ms(9_000))
        var hello = SyncEngine.ready(device(2)).hello()
        hello.vector = engine.vector
        let effects = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        #expect(effects.deltas.map(\.isUnion) == [true])
        let stubborn = Acknowledgement(vector: engine.vector, digest: hello.digest)
        #expect(engine.does(.received(LinkID(1), .ack(stubborn)), at: ms(10_001)).isEmpty)
        #expect(engine.does(.received(LinkID(1), .ack(stubborn)), at: ms(10_002)).isEmpty)
    }

    @Test("A union from an equal peer is acknowledged and not returned")
    func equalUnion() throws {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(5), at: ms(9_000))
        var hello = SyncEngine.ready(device(2)).hello()
        (hello.vector, hello.digest) = (engine.vector, engine.digest)
        #expect(engine.link(1, with: hello, at: address(2), at: ms(10_000)).deltas.isEmpty)
        let union = try #require(engine.replicas[session]?.committed.union)
        for time in 10_001...10_003 as ClosedRange<UInt64> {
            let effects = engine.does(.received(LinkID(1), .delta(union)), at: ms(time))
            let equal = Acknowledgement(vector: engine.vector, digest: engine.digest)
            #expect(effects == [.send(LinkID(1), .ack(equal))])
        }
    }

    @Test("A union is sent once others have sent the peer what it lacked")
    func owedUnion() throws {
        let (sound, _) = rotten()
        var engine = SyncEngine.ready(device(2), sound)
        let lacking = SyncEngine.ready(device(3), sound)
        var news = SyncEngine.ready(device(1), sound)
        news.save(score(6), at: ms(9_500))
        // The first peer says that it sends to the second itself, and then a score.
        _ = engine.link(1, with: news.hello(), at: address(1), at: ms(10_000))
        let hello = lacking.hello()
        _ = engine.link(2, with: hello, at: address(3), at: ms(10_001))
        _ = engine.does(.received(LinkID(1), .links([hello.instance])), at: ms(10_002))
        let delta = try #require(news.replicas[session]?.committed.delta(since: engine.vector))
        let taken = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_003))
        #expect(engine.does(.persisted(taken.batches[0]), at: ms(10_004)).deltas.isEmpty)
        let union = try #require(lacking.replicas[session]?.committed.union)
        let received = Input.received(LinkID(2), .delta(union))
        #expect(engine.does(received, at: ms(10_005)).deltas.isEmpty)
        let reach = Reach(instances: [hello.instance], vector: engine.vector)
        let reached = engine.does(.received(LinkID(1), .reached(reach)), at: ms(10_006))
        #expect(reached.deltas.map(\.isUnion) == [true])
    }

    @Test("A repair reaches peers that believed to be equal before")
    func spreads() throws {
        let (sound, rotten) = rotten()
        var engine = SyncEngine.ready(device(2), sound)
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(1), sound).hello(),
            at: address(1),
            at: ms(10_000)
        )
        let peer = SyncEngine.ready(device(3), rotten)
        _ = engine.link(2, with: peer.hello(), at: address(3), at: ms(10_001))
        let union = try #require(peer.replicas[session]?.committed.union)
        let effects = engine.does(.received(LinkID(2), .delta(union)), at: ms(10_002))
        // The rotten bytes are the greater ones and stay.
        let done = engine.does(.persisted(try #require(effects.batches.first)), at: ms(10_003))
        let toFirst = done.contains { effect in
            if case .send(LinkID(1), .delta(let delta)) = effect { delta.isUnion } else { false }
        }
        #expect(toFirst)
    }

    @Test("A repair also reaches peers whose digest is unknown")
    func spreadsToSilent() throws {
        var writer = SyncEngine.ready(device(9))
        writer.save(score(5), at: ms(9_000))
        var engine = SyncEngine.ready(device(2))
        // The first peer has said what it lacked before it said what it had.
        var behind = SyncEngine.ready(device(1)).hello()
        behind.vector = VersionVector()
        _ = engine.link(1, with: behind, at: address(1), at: ms(10_000))
        let news = try #require(writer.replicas[session]?.committed.delta(since: VersionVector()))
        let first = engine.does(.received(LinkID(1), .delta(news)), at: ms(10_001))
        _ = engine.does(.persisted(try #require(first.batches.first)), at: ms(10_002))
        let (_, rotten) = rotten()
        let peer = SyncEngine.ready(device(3), rotten)
        _ = engine.link(2, with: peer.hello(), at: address(3), at: ms(10_003))
        let union = try #require(peer.replicas[session]?.committed.union)
        let effects = engine.does(.received(LinkID(2), .delta(union)), at: ms(10_004))
        let done = engine.does(.persisted(try #require(effects.batches.first)), at: ms(10_005))
        let toFirst = done.contains { effect in
            if case .send(LinkID(1), .delta(let delta)) = effect { delta.isUnion } else { false }
        }
        #expect(toFirst)
    }

    @Test("A union that comes too late for the peer is sent again after the writes that it lacks")
    func unionAfterNeed() {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(5), at: ms(9_000))
        var hello = SyncEngine.ready(device(2)).hello()
        hello.vector = engine.vector
        _ = engine.link(1, with: hello, at: address(2), at: ms(10_000))
        let needs = engine.does(.received(LinkID(1), .need(VersionVector())), at: ms(10_001))
        #expect(needs.deltas.map(\.isUnion) == [false])
        let caughtUp = Acknowledgement(vector: engine.vector, digest: hello.digest)
        let acked = engine.does(.received(LinkID(1), .ack(caughtUp)), at: ms(10_002))
        #expect(acked.deltas.map(\.isUnion) == [true])
    }

    /// The same write, once under each key, as two devices see it that heard of different ones.
    private func reused() -> [ReplicaSnapshot] {
        let actor = ActorID(high: 7, low: 7)
        let vector = VersionVector([actor: 1])
        return [1, 2].map { round in
            let entry = Entry(
                dot: Dot(actor: actor, sequence: 1),
                stamp: Stamp(milliseconds: 5, counter: 0),
                author: device(9).id,
                value: .integer(Int64(round))
            )
            let key = score(0, round: UInt32(round))[0].key
            return ReplicaSnapshot(
                entries: [KeyedEntry(key: key, entry: entry)],
                vector: vector
            )
        }
    }

    @Test("A dot that was used twice loses no value, both agree, and a newcomer accepts it all")
    func reusedDot() throws {
        let snapshots = reused()
        var pair = Pair(.ready(device(2), snapshots[0]), .ready(device(1), snapshots[1]))
        pair.meet(at: ms(10_000))
        #expect(pair.left.digest == pair.right.digest)
        #expect(pair.left.snapshot == pair.right.snapshot)
        let values = pair.left.snapshot.entries.compactMap { stored -> Value? in
            if case .cell = stored.key { stored.entry.value } else { nil }
        }
        #expect(Set(values) == [.integer(1), .integer(2)])
        var newcomer = Pair(pair.left, .ready(device(1, instance: 5)))
        newcomer.meet(at: ms(20_000))
        #expect(newcomer.right.digest == pair.left.digest)
        let all = try #require(
            pair.left.replicas[session]?.committed.delta(since: VersionVector())
        )
        #expect(throws: Never.self) {
            try Delta(base: all.base, upto: all.upto, changes: all.changes)
        }
    }

    @Test("A value that was replaced while a union was on its way stays replaced")
    func lateUnion() throws {
        let (sound, rotten) = rotten()
        var engine = SyncEngine.ready(device(1), sound)
        let peer = SyncEngine.ready(device(2), rotten)
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        engine.save(score(7), at: ms(10_001))
        let union = try #require(peer.replicas[session]?.committed.union)
        let effects = engine.does(.received(LinkID(1), .delta(union)), at: ms(10_002))
        #expect(effects.batches.isEmpty)
        let cells = engine.snapshot.entries.filter {
            if case .cell = $0.key { true } else { false }
        }
        #expect(cells.map(\.entry.value) == [.integer(7)])
    }

    @Test("A second union is answered with the present state, not only the former one")
    func answersWithNews() throws {
        let (sound, rotten) = rotten()
        var engine = SyncEngine.ready(device(1), sound)
        var peer = SyncEngine.ready(device(2), rotten)
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        let stubborn = Acknowledgement(vector: peer.vector, digest: peer.digest)
        _ = engine.does(.received(LinkID(1), .ack(stubborn)), at: ms(10_001))
        // A write of the peer changes this side's state; then the peer sends everything, and
        // lacks still what it lacked.
        let before = engine.vector
        peer.save(score(7), at: ms(10_002))
        let news = try #require(peer.replicas[session]?.committed.delta(since: before))
        let taken = engine.does(.received(LinkID(1), .delta(news)), at: ms(10_003))
        _ = engine.does(.persisted(taken.batches[0]), at: ms(10_004))
        let union = try #require(peer.replicas[session]?.committed.union)
        let effects = engine.does(.received(LinkID(1), .delta(union)), at: ms(10_005))
        #expect(effects.deltas.map(\.isUnion) == [true])
    }

    @Test("While digests keep changing, unions are sent often, and then now and then")
    func spacing() {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(5), at: ms(9_000))
        var hello = SyncEngine.ready(device(2)).hello()
        hello.vector = engine.vector
        var unions = engine.link(1, with: hello, at: address(2), at: ms(10_000)).deltas.count
        var hash: UInt128 = 0
        func changed() -> Input {
            var digest = Digest()
            hash += 1
            digest.add(hash)
            let acknowledgement = Acknowledgement(vector: engine.vector, digest: digest)
            return .received(LinkID(1), .ack(acknowledgement))
        }
        for time in 10_001...10_100 as ClosedRange<UInt64> {
            unions += engine.does(changed(), at: ms(time)).deltas.count
        }
        #expect(unions == 8)
        for time in stride(from: 10_200 as UInt64, to: 40_000, by: 100) {
            _ = engine.handle(.bytesReceived(LinkID(1)), at: ms(time))
            #expect(engine.handle(.timePassed, at: ms(time)).deltas.isEmpty)
        }
        #expect(engine.handle(.timePassed, at: ms(40_100)).deltas.map(\.isUnion) == [true])
    }
}
