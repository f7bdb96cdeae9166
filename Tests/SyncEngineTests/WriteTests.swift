import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Writes and the disk")
struct WriteTests {
    @Test("A write is answered only once the disk has it")
    func oneWrite() throws {
        var engine = SyncEngine.ready(device(1))
        let effects = engine.does(.write(RequestID(7), session, score(5)), at: ms(10_000))
        let batch = try #require(effects.batches.first)
        #expect(effects.count == 1)
        #expect(engine.vector.isEmpty)
        #expect(
            engine.does(.persisted(batch), at: ms(10_010)) == [.reply(RequestID(7), .saved)]
        )
        #expect(engine.vector.count == 1)
    }

    @Test("Writes during a batch go together in the next one")
    func groupCommit() throws {
        var engine = SyncEngine.ready(device(1))
        let first = engine.does(.write(RequestID(1), session, score(1)), at: ms(10_000))
        #expect(engine.does(.write(RequestID(2), session, score(2)), at: ms(10_001)).isEmpty)
        #expect(engine.does(.write(RequestID(3), session, score(3)), at: ms(10_002)).isEmpty)
        let done = engine.does(.persisted(try #require(first.batches.first)), at: ms(10_003))
        #expect(done.first == .reply(RequestID(1), .saved))
        let next = try #require(done.batches.first)
        #expect(done.count == 2)
        #expect(
            engine.does(.persisted(next), at: ms(10_004))
                == [.reply(RequestID(2), .saved), .reply(RequestID(3), .saved)]
        )
    }

    @Test("A write is sent to peers only after it is on disk")
    func persistBeforeSend() throws {
        var engine = SyncEngine.ready(device(1))
        let peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        let effects = engine.does(.write(RequestID(1), session, score(5)), at: ms(10_001))
        #expect(effects.messages.isEmpty)
        let done = engine.does(.persisted(try #require(effects.batches.first)), at: ms(10_002))
        #expect(done.deltas.count == 1)
        #expect(done.deltas.first?.upto == engine.vector)
    }

    @Test("An alternative replaces nothing and is not shown, and has a stamp of its own")
    func alternatives() throws {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(15), at: ms(10_000))
        let key = try #require(score(15).first?.key)
        for value in [12, 13] {
            let mutation = Mutation(key, .integer(Int64(value)), isAlternative: true)
            engine.save([mutation], at: ms(10_000))
        }
        let live = try #require(engine.replicas[session]?.committed[key])
        #expect(live.winner.value == .integer(15))
        #expect(Set(live.losers.map(\.value)) == [.integer(12), .integer(13)])
        #expect(Set(live.map(\.stamp)).count == 3)
        // The next write settles it, and outranks all of them.
        engine.save(score(14), at: ms(10_000))
        #expect(engine.replicas[session]?.committed[key]?.map(\.value) == [.integer(14)])
    }

    @Test("After a failed commit a new actor writes, because the disk may have dots of the old one")
    func retiredActor() throws {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(1), at: ms(10_000))
        let before = engine.vector
        let effects = engine.does(.write(RequestID(2), session, score(2)), at: ms(10_001))
        guard case .persist(let batch, _, let changes)? = effects.first else { return }
        _ = engine.does(.persistFailed(batch, .failed, reason: "unknown"), at: ms(10_002))
        // The batch is on disk all the same.
        let gone = Set(changes.removed)
        let kept = engine.snapshot.entries.filter { !gone.contains($0.entry.dot) }
        var vector = before
        for dot in changes.advanced { vector.advance(to: dot) }
        let replica = ReplicaSnapshot(entries: kept + changes.inserted, vector: vector)
        _ = engine.does(.opened(session, OpenedSession(replica: replica)), at: ms(10_100))
        engine.save(score(3), at: ms(10_200))
        #expect(before.count == 1)
        #expect(engine.vector.count == 2)
        #expect(engine.vector.heads(aheadOf: vector).allSatisfy { before[$0.actor] == 0 })
    }

    @Test("A write to a session that is not held fails")
    func unknownSession() {
        var engine = SyncEngine(device(1))
        let effects = engine.does(.write(RequestID(1), session, score(1)), at: ms(0))
        let reason = "this laptop does not have the session"
        #expect(effects == [.reply(RequestID(1), .failed(reason: reason))])
    }

    @Test("Leaving answers pending writes, and says goodbye")
    func leaveWhileWriting() {
        var engine = SyncEngine.ready(device(1))
        let peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        _ = engine.does(.write(RequestID(1), session, score(1)), at: ms(10_001))
        _ = engine.does(.write(RequestID(2), session, score(2)), at: ms(10_001))
        #expect(
            engine.does(.left(session), at: ms(10_002)) == [
                .send(LinkID(1), .bye(.left)),
                .close(LinkID(1)),
                .reply(RequestID(1), .failed(reason: "the session was left")),
                .reply(RequestID(2), .failed(reason: "the session was left")),
            ]
        )
        #expect(engine.does(.timePassed, at: ms(60_000)).isEmpty)
    }

    @Test("Opening an open session again keeps its batch")
    func openedTwice() throws {
        var engine = SyncEngine.ready(device(1))
        let effects = engine.does(.write(RequestID(1), session, score(1)), at: ms(10_000))
        let empty = ReplicaSnapshot(entries: [], vector: VersionVector())
        _ = engine.does(.opened(session, OpenedSession(replica: empty)), at: ms(10_001))
        #expect(
            engine.does(.persisted(try #require(effects.batches.first)), at: ms(10_002))
                == [.reply(RequestID(1), .saved)]
        )
    }

    @Test("A session past its size takes a reserve of writes, then none, and its end at any time")
    func full() {
        let large = String(repeating: "x", count: 4 << 20)
        var engine = SyncEngine.ready(device(1))
        for number in 0..<8 {
            guard let field = Symbol("option.o\(number)") else { return }
            engine.save([Mutation(.session(field), .text(large))], at: ms(10_000))
            let fits = engine.replicas[session]?.committed.tally.bytes ?? 0 <= Limits.sessionBytes
            #expect(fits == (number < 7))
        }
        let part = String(repeating: "y", count: Limits.reserveBytes / 2)
        for number in 0..<2 {
            guard let field = Symbol("option.p\(number)") else { return }
            let saved = engine.save([Mutation(.session(field), .text(part))], at: ms(10_001))
            #expect(saved.last == .reply(RequestID(1), .saved))
        }
        let effects = engine.does(.write(RequestID(9), session, score(1)), at: ms(10_001))
        #expect(effects == [.reply(RequestID(9), .sessionFull)])
        #expect(engine.save([.finished(true)], at: ms(10_002)).last == .reply(RequestID(1), .saved))
    }

    @Test("The acknowledgement of a member that left no longer counts; those of the others do")
    func leavers() {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(1), at: ms(3_000))
        #expect(engine.hasUnsyncedWrites(session))
        var last = SyncEngine.ready(device(2)).hello(at: ms(3_100))
        for number in [2, 3] as [UInt64] {
            last = SyncEngine.ready(device(number)).hello(at: ms(3_100))
            (last.vector, last.digest) = (engine.vector, engine.digest)
            _ = engine.link(number, with: last, at: address(UInt32(number)), at: ms(3_100))
        }
        #expect(!engine.hasUnsyncedWrites(session))
        _ = engine.does(.received(LinkID(2), .bye(.left)), at: ms(3_200))
        #expect(!engine.hasUnsyncedWrites(session))
        // A peer that is gone without a goodbye still has its writes, also after a reload.
        _ = engine.does(.unlinked(LinkID(3)), at: ms(3_300))
        #expect(!engine.hasUnsyncedWrites(session))
        _ = engine.link(4, with: last, at: address(3), at: ms(4_000))
        _ = engine.does(.received(LinkID(4), .bye(.left)), at: ms(4_100))
        #expect(engine.hasUnsyncedWrites(session))
        let effects = engine.does(.write(RequestID(9), session, score(2)), at: ms(4_200))
        let batch = effects.batches.first
        _ = engine.does(
            .persistFailed(batch ?? BatchID(0), .diskFull, reason: "full"),
            at: ms(4_300)
        )
        let stale = OpenedSession(replica: engine.snapshot, acknowledged: last.vector)
        _ = engine.does(.opened(session, stale), at: ms(4_400))
        #expect(engine.hasUnsyncedWrites(session))
        #expect(engine.unsyncedCells(session) == 1)
    }
}
