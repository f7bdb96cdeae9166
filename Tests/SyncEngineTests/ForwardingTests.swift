import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Forwarding the writes of others")
struct ForwardingTests {
    @Test(
        "A score among N hosts costs each other one a delta, its answer and a report",
        arguments: [2, 3, 8, 16, 32, 64]
    )
    func linear(count: Int) {
        var mesh = Mesh(count)
        // The first one also tells who is linked.
        mesh.write(1, on: 0)
        mesh.run(for: 1_000)
        mesh.forget()
        mesh.write(2, on: 0)
        #expect(mesh.settle() <= 2)
        mesh.run(for: 1_000)
        let perHost = Double(mesh.said.count) / Double(count - 1)
        #expect(perHost <= 3, "\(mesh.said.count) messages")
        #expect(mesh.said.count { if case .delta = $0 { true } else { false } } == count - 1)
    }

    @Test("Then all devices know that all have it")
    func known() {
        var mesh = Mesh(5)
        mesh.write(1, on: 2)
        mesh.run(for: 1_000)
        for engine in mesh.engines { #expect(engine.isSynced(session)) }
    }

    @Test("A peer not linked with the author gets it at once from one that is")
    func isolated() {
        // The first and the last do not see each other.
        var mesh = Mesh(4) { abs($0 - $1) < 3 }
        for value in 1...3 as ClosedRange<Int64> {
            mesh.write(value, on: 0)
            #expect(mesh.settle() <= 3)
            mesh.run(for: 1_000)
        }
    }

    @Test("If the author dies while sending, the others forward what is missing")
    func deadAuthor() {
        var mesh = Mesh(4)
        mesh.write(1, on: 0)
        mesh.run(for: 1_000)
        mesh.write(2, on: 0)
        // Only what is on its way arrives; nobody is told that all have it.
        mesh.run(for: 1)
        mesh.cut(0)
        mesh.forget()
        mesh.run(for: 1_000)
        let deltas = mesh.said.count { if case .delta = $0 { true } else { false } }
        #expect(deltas > 0)
        let digests = Set(mesh.engines.dropFirst().map(\.digest))
        #expect(digests.count == 1)
    }

    @Test("Simultaneous writers are soon equal, and send little")
    func manyWriters() {
        var mesh = Mesh(8)
        for round in 1...20 as ClosedRange<UInt32> {
            for host in 0..<8 {
                mesh.write(Int64(host), round: UInt32(host) * 100 + round, on: host)
            }
            mesh.run(for: 3)
        }
        #expect(mesh.settle() <= 50)
        mesh.run(for: 2_000)
        for engine in mesh.engines { #expect(engine.isSynced(session)) }
    }

    @Test("A finished session is closed even if only others have acknowledged")
    func finished() {
        var mesh = Mesh(5)
        mesh.write(1, on: 0)
        mesh.run(for: 1_000)
        mesh.finish(on: 0)
        mesh.run(for: 1_000)
        for engine in mesh.engines { #expect(engine.peers(session).isEmpty) }
    }

    @Test("A report is not repeated, although the delta is sent again")
    func reportedOnce() {
        var engine = SyncEngine.ready(device(1))
        engine.save(score(1), at: ms(9_000))
        for number in [2, 3] as [UInt64] {
            let hello = SyncEngine.ready(device(number)).hello()
            _ = engine.link(number, with: hello, at: address(UInt32(number)), at: ms(9_500))
        }
        let all = Acknowledgement(vector: engine.vector, digest: engine.digest)
        let answers = [2, 3].flatMap {
            engine.messages(after: .received(LinkID($0), .ack(all)), at: ms(9_510))
        }
        #expect(answers.count { if case .reached = $0 { true } else { false } } == 2)
        // One of them has lost it.
        let again = engine.does(.received(LinkID(2), .need(VersionVector())), at: ms(10_500))
        #expect(again.deltas.count == 1)
        let later = engine.messages(after: .received(LinkID(2), .ack(all)), at: ms(10_510))
        #expect(!later.contains { if case .reached = $0 { true } else { false } })
    }

    @Test("A report about another instance of a device has no effect")
    func otherRun() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(2)).hello(),
            at: address(2),
            at: ms(10_000)
        )
        engine.save(score(1), at: ms(10_001))
        let reach = Reach(
            instances: [device(2, instance: 9).instance],
            vector: engine.vector
        )
        _ = engine.does(.received(LinkID(1), .reached(reach)), at: ms(10_002))
        #expect(engine.peers(session).map(\.isSynced) == [false])
    }
}
