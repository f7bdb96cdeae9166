import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Laptops that wait to be admitted")
struct KnockTests {
    private static let knock = Knock(
        id: KnockID(high: 1, low: 2),
        laptop: "cem-laptop",
        symbols: KnockSymbol.symbols(of: [1, 2, 3]),
        lastPlayed: nil
    )

    private func sent(_ effects: [Effect]) -> [Effect] {
        effects.filter { if case .send(_, .knocks) = $0 { true } else { false } }
    }

    @Test("Peers are told of them, also those that link later; older ones are not")
    func toldPeers() {
        var engine = SyncEngine.ready(device(1))
        var old = SyncEngine.ready(device(3)).hello()
        old.features = []
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(2)).hello(),
            at: address(2),
            at: ms(10_000)
        )
        _ = engine.link(2, with: old, at: address(3), at: ms(10_000))
        let told = engine.does(.knocksChanged(session, [Self.knock]), at: ms(10_001))
        #expect(sent(told) == [.send(LinkID(1), .knocks([Self.knock]))])
        #expect(engine.does(.knocksChanged(session, [Self.knock]), at: ms(10_002)).isEmpty)
        let later = SyncEngine.ready(device(4)).hello()
        let linked = engine.link(3, with: later, at: address(4), at: ms(10_003))
        #expect(sent(linked) == [.send(LinkID(3), .knocks([Self.knock]))])
        let ended = sent(engine.does(.knocksChanged(session, []), at: ms(10_004)))
        #expect(ended == [.send(LinkID(1), .knocks([])), .send(LinkID(3), .knocks([]))])
    }

    @Test("A member's answer goes to the laptop at which they wait, once they wait there")
    func answered() {
        var pair = Pair(SyncEngine.ready(device(2)), SyncEngine.ready(device(1)))
        pair.meet(at: ms(10_000))
        pair.give(.knocksChanged(session, [Self.knock]), toLeft: true, at: ms(10_001))
        #expect(pair.right.peers(session).map(\.knocks) == [[Self.knock]])
        let yes = Input.knockAnswered(session, device(2).id, Self.knock.id, .yes)
        let effects = pair.right.does(yes, at: ms(10_002))
        #expect(effects == [.send(LinkID(1), .admit(Self.knock.id, .yes))])
        let received = Input.received(LinkID(1), .admit(Self.knock.id, .yes))
        let name = pair.right.device.name
        #expect(
            pair.left.does(received, at: ms(10_003))
                == [.answerKnock(session, Self.knock.id, .yes, by: name)]
        )
        pair.give(.knocksChanged(session, []), toLeft: true, at: ms(10_004))
        #expect(pair.right.does(yes, at: ms(10_005)).isEmpty)
    }
}
