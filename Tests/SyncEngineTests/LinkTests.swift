import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Links")
struct LinkTests {
    private let peer = SyncEngine.ready(device(2)).hello(at: ms(10_000))
    private let remote = address(2, port: 50_000)

    @Test("A link for an unreadable session is closed with that reason, and not as if it was left")
    func unreadableSession() {
        var engine = SyncEngine(device(1))
        let other = SessionID(high: 9, low: 9)
        func sent(_ link: UInt64) -> [Effect] {
            engine.handle(.linked(LinkID(link), other, address(2), .accepted), at: ms(10_000))
                .filter { if case .send = $0 { true } else { false } }
        }
        #expect(sent(1) == [.send(LinkID(1), .bye(.left))])
        let failed = Input.loadFailed(other, reason: "the disk hums")
        #expect(engine.handle(failed, at: ms(10_000)).contains { $0.isAlarm })
        #expect(sent(2) == [.send(LinkID(2), .bye(.storage))])
        // It is tried again and again, and told once.
        #expect(!engine.handle(failed, at: ms(15_000)).contains { $0.isAlarm })
        _ = engine.handle(.left(other), at: ms(20_000))
        #expect(sent(3) == [.send(LinkID(3), .bye(.left))])
    }

    @Test("On both sides a link begins with a hello, and the peer's address is stored")
    func greeting() {
        var engine = SyncEngine.ready(device(1))
        let link = LinkID(1)
        #expect(
            engine.does(.linked(link, session, address(2), .dialled), at: ms(10_000))
                == [.send(link, .hello(engine.hello(at: ms(10_000))))]
        )
        #expect(
            engine.does(.received(link, .hello(peer)), at: ms(10_001))
                == [.rememberAddress(session, address(2), device(2).id)]
        )
        var other = SyncEngine.ready(device(1))
        #expect(
            other.link(1, with: peer, at: remote, .accepted, at: ms(10_000)) == [
                .send(link, .hello(other.hello(at: ms(10_000)))),
                .rememberAddress(session, address(2), device(2).id),
            ]
        )
    }

    @Test("A link for a session that is not held is refused")
    func notHeld() {
        var engine = SyncEngine(device(1))
        let link = LinkID(1)
        #expect(
            engine.does(.linked(link, session, remote, .accepted), at: ms(0))
                == [.send(link, .bye(.left)), .close(link)]
        )
    }

    @Test(
        "A device of another version is dialled once per run, so that its hello identifies it"
    )
    func announcedVersion() {
        var engine = SyncEngine.ready(device(1))
        let future = Announcement(
            versions: 99...99,
            device: device(2).id,
            instance: device(2).instance,
            port: port,
            sessions: [AnnouncedSession(id: session)]
        )
        func dials(at milliseconds: UInt64) -> Int {
            let effects = engine.handle(
                .announced(future, source: address(2)),
                at: ms(milliseconds)
            )
            return effects.count { if case .dial = $0 { true } else { false } }
        }
        #expect(dials(at: 10_000) == 1)
        _ = engine.handle(.dialFailed(session, address(2), .unreachable), at: ms(10_100))
        #expect(dials(at: 10_200) == 0)
    }

    @Test("A peer without a common version, or with another session, gets the reason")
    func strangers() {
        var engine = SyncEngine.ready(device(1))
        var future = peer
        future.versions = 7...9
        let effects = engine.link(1, with: future, at: address(2), at: ms(10_000))
        #expect(effects.messages.last == .bye(.version))
        #expect(effects.alarms == [.version(device(2).id, name: "laptop-2", speaks: 7...9)])
        var past = peer
        past.versions = 0...0
        #expect(
            engine.link(3, with: past, at: address(2), at: ms(10_000)).alarms
                == [.version(device(2).id, name: "laptop-2", speaks: 0...0)]
        )
        var lost = peer
        lost.session = SessionID(high: 0, low: 0)
        #expect(
            engine.link(2, with: lost, at: remote, .accepted, at: ms(10_001)).messages.last
                == .bye(.protocolError)
        )
    }

    @Test("An unanswered delta causes a ping after 0.3 s, and a dial 0.5 s later")
    func unanswered() {
        let other = Contact(stored: address(7), of: device(2).id)
        var engine = SyncEngine.ready(device(1), contacts: [other])
        _ = engine.does(.dialFailed(session, address(7), .unreachable), at: ms(9_000))
        _ = engine.link(1, with: peer, at: address(2), at: ms(9_001))
        #expect(engine.save(score(1), at: ms(10_000)).deltas.count == 1)
        #expect(engine.does(.timePassed, at: ms(10_299)).isEmpty)
        let asked = engine.messages(after: .timePassed, at: ms(10_300))
        #expect(asked.contains { if case .ping = $0 { true } else { false } })
        var answered = engine
        _ = answered.does(.bytesReceived(LinkID(1)), at: ms(10_301))
        #expect(answered.does(.timePassed, at: ms(11_000)).dials.isEmpty)
        #expect(engine.does(.timePassed, at: ms(10_800)).dials.isEmpty)
        #expect(engine.does(.timePassed, at: ms(10_801)).dials == [address(2), address(7)])
        // And again and again, at a short distance.
        var times: [UInt64] = []
        let failure = Input.dialFailed(session, address(7), .unreachable)
        _ = engine.handle(failure, at: ms(10_900))
        for time in stride(from: 10_900 as UInt64, to: 20_000, by: 50) {
            guard engine.does(.timePassed, at: ms(time)).dials.contains(address(7)) else {
                continue
            }
            times.append(time)
            _ = engine.handle(failure, at: ms(time))
        }
        #expect(times.count >= 10, "\(times)")
    }

    // MARK: Duplicates

    @Test(
        "Of two links opened at the same time, both sides keep the one of the higher device",
        arguments: [true, false]
    )
    func crossedDials(isHigher: Bool) {
        let own: UInt64 = isHigher ? 3 : 1
        var engine = SyncEngine.ready(device(own))
        _ = engine.link(1, with: peer, at: address(2), .dialled, at: ms(10_000))
        let effects = engine.link(2, with: peer, at: remote, .accepted, at: ms(10_100))
        #expect(effects.closed == [LinkID(isHigher ? 2 : 1)])
        #expect(effects.messages.contains(.bye(.duplicate)))
        var mirror = SyncEngine.ready(device(own))
        _ = mirror.link(1, with: peer, at: remote, .accepted, at: ms(10_000))
        #expect(
            mirror.link(2, with: peer, at: address(2), .dialled, at: ms(10_100)).closed
                == [LinkID(isHigher ? 1 : 2)]
        )
    }

    @Test("Before a newer link is closed, the silent older one is pinged, and closed if it is dead")
    func deadElder() throws {
        var engine = SyncEngine.ready(device(3))
        _ = engine.link(1, with: peer, at: address(2), .dialled, at: ms(10_000))
        let effects =
            engine.handle(.linked(LinkID(2), session, remote, .accepted), at: ms(11_000))
            + engine.handle(.received(LinkID(2), .hello(peer)), at: ms(11_010))
        #expect(effects.closed.isEmpty)
        #expect(effects.messages.contains { if case .ping = $0 { true } else { false } })
        let wake = try #require(SyncEngine.wake(in: effects))
        #expect(wake == ms(12_011).uptime)
        #expect(engine.does(.timePassed, at: ms(12_011)).closed == [LinkID(1)])
        #expect(engine.does(.timePassed, at: ms(12_012)).isEmpty)
    }

    @Test("An older link that answers stays, and the newer one is closed")
    func soundElder() throws {
        var engine = SyncEngine.ready(device(3))
        _ = engine.link(1, with: peer, at: address(2), .dialled, at: ms(10_000))
        let effects = engine.link(2, with: peer, at: remote, .accepted, at: ms(11_000))
        let ping = try #require(
            effects.messages.compactMap { if case .ping(let number) = $0 { number } else { nil } }
                .first
        )
        let answer = engine.does(.received(LinkID(1), .pong(ping)), at: ms(11_020))
        #expect(answer.closed == [LinkID(2)])
        #expect(answer.messages == [.bye(.duplicate)])
    }

    @Test("A link that is five seconds newer has the older one pinged")
    func muchYounger() {
        var engine = SyncEngine.ready(device(3))
        _ = engine.link(1, with: peer, at: address(2), .dialled, at: ms(10_000))
        _ = engine.does(.received(LinkID(1), .ping(7)), at: ms(14_900))
        #expect(
            engine.link(2, with: peer, at: remote, .accepted, at: ms(14_999)).closed
                == [LinkID(2)]
        )
        var other = engine
        let effects = engine.link(3, with: peer, at: remote, .accepted, at: ms(15_000))
        #expect(effects.closed.isEmpty)
        #expect(engine.does(.timePassed, at: ms(16_001)).closed == [LinkID(1)])
        _ = other.link(3, with: peer, at: remote, .accepted, at: ms(15_000))
        // Part of a long delta is an answer.
        #expect(other.does(.bytesReceived(LinkID(1)), at: ms(15_900)).closed == [LinkID(3)])
    }

    @Test(
        "Of two links to two addresses of one peer the dialler keeps the first, the other side both"
    )
    func twoAddresses() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), .dialled, at: ms(10_000))
        #expect(
            engine.link(2, with: peer, at: address(7), .dialled, at: ms(10_100)).closed
                == [LinkID(2)]
        )
        var other = SyncEngine.ready(device(1))
        _ = other.link(1, with: peer, at: remote, .accepted, at: ms(10_000))
        #expect(
            other.link(2, with: peer, at: remote, .accepted, at: ms(10_100)).closed.isEmpty
        )
    }

    @Test("After a goodbye for a duplicate, a peer with no other link is dialled again")
    func duplicateOfNothing() throws {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        _ = engine.does(.received(LinkID(1), .bye(.duplicate)), at: ms(10_010))
        #expect(engine.does(.timePassed, at: ms(10_700)).dials == [address(2)])
    }

    @Test("The daemon's own address is recognized and never dialled again")
    func oneself() {
        var engine = SyncEngine.ready(device(1))
        let own = engine.hello()
        let dialled = engine.link(1, with: own, at: address(1), .dialled, at: ms(10_000))
        #expect(dialled.messages.last == .bye(.itself))
        let accepted = engine.link(2, with: own, at: remote, .accepted, at: ms(10_000))
        #expect(accepted.messages.last == .bye(.itself))
        let heard = engine.does(.received(LinkID(9), .addresses([address(1)])), at: ms(10_001))
        #expect(heard.isEmpty)
        _ = engine.link(3, with: peer, at: address(2), at: ms(10_002))
        let told = engine.does(.received(LinkID(3), .addresses([address(1)])), at: ms(10_003))
        #expect(told.dials.isEmpty)
        // The address of an accepted connection is nobody's own.
        let exchanged = PeerMessage.addresses([address(2, port: 47_616)])
        #expect(
            engine.does(.received(LinkID(3), exchanged), at: ms(10_004)).dials
                == [address(2, port: 47_616)]
        )
    }

    @Test("Two instances of a device keep both links; an answer of the older raises the alarm")
    func clone() throws {
        var engine = SyncEngine.ready(device(1))
        var twin = peer
        twin.instance = device(2, instance: 2).instance
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        let second = engine.link(2, with: twin, at: address(7), at: ms(10_100))
        #expect(second.closed.isEmpty)
        let asked = second.compactMap { effect -> UInt64? in
            if case .send(LinkID(1), .ping(let number)) = effect { number } else { nil }
        }
        let number = try #require(asked.first)
        // Late messages of an instance that has ended do not prove a clone.
        var other = engine
        let late = [PeerMessage.need(VersionVector()), .ping(1), .pong(number + 1)]
        for word in late {
            #expect(other.does(.received(LinkID(1), word), at: ms(13_000)).alarms.isEmpty)
        }
        #expect(
            engine.does(.received(LinkID(1), .pong(number)), at: ms(10_101)).alarms
                == [.clonedDevice(device(2).id, name: "laptop-2")]
        )
    }

    @Test("A peer with this device's id raises the alarm at once")
    func ownClone() {
        var engine = SyncEngine.ready(device(2, instance: 5))
        let effects = engine.link(1, with: peer, at: address(7), at: ms(10_000))
        #expect(effects.alarms == [.clonedDevice(device(2).id, name: "laptop-2")])
        #expect(effects.closed.isEmpty)
    }

    @Test("A clock that is wrong by more than ten seconds raises an alarm", arguments: [-1, 1])
    func skew(sign: Int64) {
        var wrong = peer
        wrong.wallMilliseconds = UInt64(Int64(ms(10_000).wall) + sign * 10_000)
        var engine = SyncEngine.ready(device(1))
        #expect(engine.link(1, with: wrong, at: address(2), at: ms(10_000)).alarms.isEmpty)
        var other = SyncEngine.ready(device(1))
        wrong.wallMilliseconds = UInt64(Int64(ms(10_000).wall) + sign * 10_001)
        #expect(
            other.link(1, with: wrong, at: address(2), at: ms(10_000)).alarms == [
                .clockSkew(
                    session,
                    device(2).id,
                    name: "laptop-2",
                    milliseconds: sign * 10_001
                )
            ]
        )
    }

    // MARK: Silence

    @Test("A silent peer is pinged after 5 s, and given up 10 s after that")
    func liveness() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        #expect(engine.messages(after: .timePassed, at: ms(14_999)).isEmpty)
        #expect(engine.messages(after: .timePassed, at: ms(15_000)).count == 1)
        #expect(engine.messages(after: .timePassed, at: ms(16_000)).isEmpty)
        _ = engine.handle(.bytesReceived(LinkID(1)), at: ms(16_000))
        #expect(engine.messages(after: .timePassed, at: ms(21_000)).count == 1)
        #expect(engine.does(.timePassed, at: ms(30_999)).closed.isEmpty)
        #expect(engine.does(.timePassed, at: ms(31_000)).closed == [LinkID(1)])
    }

    @Test("A connection without a hello is given up after 5 s")
    func noHello() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.does(.linked(LinkID(1), session, remote, .accepted), at: ms(10_000))
        #expect(engine.does(.timePassed, at: ms(14_999)).closed.isEmpty)
        #expect(engine.does(.timePassed, at: ms(15_000)).closed == [LinkID(1)])
    }

    @Test("A ping is answered with its number")
    func pong() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        #expect(
            engine.does(.received(LinkID(1), .ping(42)), at: ms(10_001))
                == [.send(LinkID(1), .pong(42))]
        )
    }

    @Test("Stopping says goodbye on all links, and nothing starts after it")
    func stop() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        _ = engine.handle(.addressTyped(session, address(9)), at: ms(10_100))
        #expect(
            engine.handle(.stopping, at: ms(60_000)).filter { $0 != .peersChanged(session) }
                == [.send(LinkID(1), .bye(.stopping)), .close(LinkID(1))]
        )
        #expect(engine.handle(.timePassed, at: ms(90_000)).isEmpty)
        #expect(
            engine.does(.linked(LinkID(2), session, remote, .accepted), at: ms(90_001))
                == [.send(LinkID(2), .bye(.stopping)), .close(LinkID(2))]
        )
    }

    @Test("Offline there are no links, dials or announcements; online all of them come back")
    func offline() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        #expect(
            engine.does(.offline(true), at: ms(10_100))
                == [.send(LinkID(1), .bye(.offline)), .close(LinkID(1))]
        )
        #expect(engine.handle(.timePassed, at: ms(60_000)).isEmpty)
        #expect(
            engine.does(.linked(LinkID(2), session, remote, .accepted), at: ms(60_001)).closed
                == [LinkID(2)]
        )
        let back = engine.handle(.offline(false), at: ms(61_000))
        #expect(back.announcements == 1)
        #expect(back.dials == [address(2)])
    }
}

extension Effect {
    fileprivate var isAlarm: Bool { if case .alarm = self { true } else { false } }
}
