import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@testable import SyncEngine

@Suite("The maximum size of a session")
struct CapacityTests {
    /// A member that writes anything, in anybody's name.
    private struct Flood {
        private var map = StagedMap(CausalMap())
        private var count: UInt64 = 0

        /// Writes so many texts of 64 KiB as an author, each by the actor or by one of its own.
        mutating func write(_ texts: Int, as author: UInt64, ownActors: Bool = false) {
            let text = String(repeating: "x", count: 64 << 10)
            for _ in 0..<texts {
                count += 1
                let dot =
                    ownActors
                    ? Dot(actor: ActorID(high: 90, low: count), sequence: 1)
                    : Dot(actor: ActorID(high: 91, low: 1), sequence: count)
                let entry = Entry(
                    dot: dot,
                    stamp: Stamp(milliseconds: 1_700_000_000_000),
                    author: DeviceID(high: 92, low: author),
                    value: .text(ownActors ? "x" : text)
                )
                map.write(entry, under: Key("later/\(count)"))
            }
            _ = map.seal()
            map.settle()
        }

        /// A union.
        var union: Delta { map.committed.union }

        /// Everything that a peer lacks.
        func delta(since known: VersionVector = VersionVector()) throws -> Delta {
            try #require(map.committed.delta(since: known))
        }
    }

    /// An engine that is linked with a member on link 1.
    private func linked(saving: Bool = true) -> SyncEngine {
        var engine = SyncEngine.ready(device(1))
        if saving { engine.save(score(5), at: ms(9_000)) }
        let peer = SyncEngine.ready(device(2))
        _ = engine.link(1, with: peer.hello(), at: address(2), at: ms(10_000))
        return engine
    }

    /// The effects of a delta, after its batch is on disk.
    private func receive(_ delta: Delta, _ engine: inout SyncEngine) -> [Effect] {
        var effects = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_001))
        for batch in effects.batches { effects += engine.does(.persisted(batch), at: ms(10_002)) }
        return effects
    }

    private func isRefused(_ effects: [Effect]) -> Bool {
        effects.messages.contains {
            if case .error(let error) = $0 { error.code == PeerError.tooMuch } else { false }
        }
    }

    @Test("refuses more of one author with a reason, and accepts all others")
    func oneAuthor() throws {
        var engine = linked()
        var flood = Flood()
        flood.write(Limits.authorBytes / (64 << 10), as: 1)
        let before = engine.vector
        let effects = receive(try flood.delta(), &engine)
        #expect(isRefused(effects) && effects.closed.isEmpty, "\(effects.count)")
        #expect(effects.alarms.count == 1)
        #expect(engine.vector == before)
        let ack = Acknowledgement(vector: engine.vector, digest: engine.digest)
        _ = engine.does(.received(LinkID(1), .ack(ack)), at: ms(10_050))
        #expect(engine.save(score(6), at: ms(10_100)).deltas.count == 1, "the link is of use")
        // Reported only once.
        #expect(receive(try flood.delta(), &engine).isEmpty)
    }

    @Test("refuses more of all authors together, also while the rest is on its way to disk")
    func allAuthors() throws {
        var engine = linked()
        var flood = Flood()
        let half = Limits.mergedBytes / 2 / (64 << 10) - 40
        flood.write(half, as: 1)
        let first = try flood.delta()
        let known = first.upto
        flood.write(half, as: 2)
        let second = try flood.delta(since: known)
        let later = second.upto
        flood.write(100, as: 3)
        let third = try flood.delta(since: later)
        for delta in [first, second] {
            let effects = engine.does(.received(LinkID(1), .delta(delta)), at: ms(10_001))
            #expect(!isRefused(effects))
        }
        let effects = engine.does(.received(LinkID(1), .delta(third)), at: ms(10_001))
        #expect(isRefused(effects))
    }

    @Test("leaves each laptop a reserve to write in, and the end of the game")
    func reserve() throws {
        var engine = linked()
        var flood = Flood()
        for author in UInt64(1)...3 {
            flood.write((Limits.mergedBytes - (1 << 20)) / 3 / (66 << 10), as: author)
        }
        #expect(!isRefused(receive(try flood.delta(), &engine)))
        for value in 1...50 {
            let saved = engine.save(score(Int64(value)), at: ms(10_100))
            #expect(saved.contains(.reply(RequestID(1), .saved)))
        }
        let ended = engine.save([.finished(true)], at: ms(10_200))
        #expect(ended.contains(.reply(RequestID(1), .saved)))
    }

    @Test("rejects many actors at once, and reserves the last slots for single ones")
    func actors() throws {
        var flood = Flood()
        flood.write(Limits.crowdedActors, as: 1, ownActors: true)
        var engine = linked()
        #expect(isRefused(receive(try flood.delta(), &engine)))
        var fewer = Flood()
        fewer.write(Limits.crowdedActors - engine.vector.count, as: 1, ownActors: true)
        engine = linked()
        #expect(!isRefused(receive(try fewer.delta(), &engine)))
        #expect(engine.vector.count == Limits.crowdedActors)
        // Another run, which needs an actor, still finds a place, and what it writes is taken.
        var other = SyncEngine.ready(device(3), engine.snapshot)
        let known = other.vector
        #expect(other.save(score(7), at: ms(11_000)).contains(.reply(RequestID(1), .saved)))
        let delta = try #require(other.replicas[session]?.committed.delta(since: known))
        #expect(!isRefused(receive(delta, &engine)))
        #expect(engine.vector == other.vector)
        // A joining device receives all of it.
        var joiner = SyncEngine.ready(device(4))
        _ = joiner.link(1, with: engine.hello(), at: address(2), at: ms(12_000))
        let all = try #require(engine.replicas[session]?.committed.delta(since: VersionVector()))
        #expect(!isRefused(receive(all, &joiner)))
    }

    @Test("lets an empty replica accept everything held, with all reserves")
    func newcomer() throws {
        var engine = linked()
        var flood = Flood()
        for author in UInt64(1)...3 {
            flood.write((Limits.mergedBytes - (100 << 10)) / 3 / (65 << 10), as: author)
        }
        flood.write(13, as: 4)
        #expect(!isRefused(receive(try flood.delta(), &engine)))
        let text = Value.text(ExactText(String(repeating: "y", count: 4_000)))
        var number = 0
        var isFull = false
        while !isFull, number < 10_000 {
            let mutations = (0..<64).map { Mutation(Key("mine/\(number + $0)"), text) }
            isFull = engine.save(mutations, at: ms(10_100)).contains(
                .reply(RequestID(1), .sessionFull)
            )
            number += 64
        }
        let replica = try #require(engine.replicas[session])
        let all = try #require(replica.committed.delta(since: VersionVector()))
        #expect(Weight(of: all) { _, _ in true }.bytes > Limits.mergedBytes)
        expectNewcomerTakes(all, of: engine)
    }

    @Test("is never exceeded by any local write, and the end of the game still fits")
    func fullest() throws {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(2)).hello(),
            at: address(2),
            at: ms(10_000)
        )
        var flood = Flood()
        let texts = (Limits.heldBytes - Limits.endingBytes) / ((64 << 10) + 100)
        flood.write(texts / 2, as: 1)
        flood.write(texts - texts / 2, as: 2)
        #expect(!isRefused(receive(try flood.delta(), &engine)))
        let long = Value.text(ExactText(String(repeating: "y", count: 4_000)))
        let mutations = (0..<32).map { Mutation(Key("mine/\($0)"), long) }
        #expect(engine.save(mutations, at: ms(10_100)).contains(.reply(RequestID(1), .sessionFull)))
        for round in 1...20 as ClosedRange<UInt64> {
            let ended = engine.save([.finished(round.isMultiple(of: 2))], at: ms(10_100 + round))
            #expect(ended.contains(.reply(RequestID(1), .saved)))
        }
        let replica = try #require(engine.replicas[session])
        let all = try #require(replica.committed.delta(since: VersionVector()))
        #expect(Weight(of: all) { _, _ in true }.bytes <= Limits.deltaBytes)
        expectNewcomerTakes(all, of: engine)
        // One past it.
        flood.write(3, as: 3)
        var other = linked(saving: false)
        #expect(isRefused(receive(try flood.delta(), &other)))
    }

    private func expectNewcomerTakes(_ all: Delta, of engine: SyncEngine) {
        var joiner = SyncEngine.ready(device(4))
        _ = joiner.link(1, with: engine.hello(), at: address(1), at: ms(12_000))
        let effects = receive(all, &joiner)
        #expect(!isRefused(effects) && effects.alarms.isEmpty)
        #expect(joiner.vector == engine.vector && joiner.digest == engine.digest)
    }

    @Test("raises an alarm on both sides, once, if one delta exceeds it, and the link stays")
    func longDelta() {
        var engine = linked()
        let error = PeerError(code: PeerError.tooMuch, text: "more than it may")
        let unreadable = Input.messageRejected(LinkID(1), error, isFatal: false)
        let effects = engine.does(unreadable, at: ms(10_100))
        #expect(isRefused(effects) && effects.closed.isEmpty)
        #expect(
            effects.alarms == [
                .excess(session, device(2).id, name: device(2).name, of: error.text)
            ]
        )
        #expect(engine.does(unreadable, at: ms(10_200)).isEmpty)
        var sender = linked()
        #expect(
            sender.does(.received(LinkID(1), .error(error)), at: ms(10_100)).alarms == [
                .refused(session, device(2).id, name: device(2).name)
            ]
        )
    }

    @Test("raises an alarm on both sides if a delta breaks the rules")
    func unsoundDelta() {
        let error = PeerError(code: PeerError.badDelta, text: "bad delta: a part is missing")
        var engine = linked()
        let effects = engine.does(
            .messageRejected(LinkID(1), error, isFatal: true),
            at: ms(10_100)
        )
        let (id, name) = (device(2).id, device(2).name)
        #expect(effects.closed == [LinkID(1)])
        #expect(effects.alarms == [.badDelta(session, id, name: name, reason: error.text)])
        var sender = linked()
        let told = sender.does(.received(LinkID(1), .error(error)), at: ms(10_100))
        #expect(told.alarms == [.deltaRefused(session, id, name: name, reason: error.text)])
    }

    @Test("is the same on both sides, regardless of which half each has")
    func sides() throws {
        let seed: UInt64 = 8
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            func weight() -> Weight {
                var flood = Flood()
                flood.write(Int.random(in: 0...3, using: &generator), as: 1)
                flood.write(Int.random(in: 1...3, using: &generator), as: 2)
                guard let delta = try? flood.delta() else { return Weight() }
                return Weight(of: delta) { _, _ in true }
            }
            let (one, other) = (weight(), weight())
            let both = [
                SessionCapacity.excess(of: one, on: [other]),
                SessionCapacity.excess(of: other, on: [one]),
            ]
            #expect(both[0] == both[1], "seed \(seed)")
        }
    }

    @Test("ignores a repair that comes too late, of which nothing is applied")
    func lateUnion() {
        var flood = Flood()
        flood.write(400, as: 1)
        let union = flood.union
        let held = ReplicaSnapshot(entries: [], vector: union.upto)
        var engine = SyncEngine.ready(device(1), held)
        engine.save(score(5), at: ms(9_000))
        let peer = SyncEngine.ready(device(2)).hello()
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        for _ in 0..<2 { #expect(!isRefused(receive(union, &engine))) }
        engine.save(score(6), at: ms(10_003))
        #expect(engine.replicas[session]?.committed.live.count == 3)
    }
}
