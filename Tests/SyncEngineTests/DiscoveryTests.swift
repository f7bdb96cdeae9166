import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Discovery of peers")
struct DiscoveryTests {
    private let peer = SyncEngine.ready(device(2)).hello(at: ms(10_000))

    private func announcement(
        of number: UInt64 = 2,
        instance: UInt64 = 1,
        isSearching: Bool = false,
        finished: UInt32? = nil
    ) -> Announcement {
        Announcement(
            versions: Versions.peer,
            device: device(number).id,
            instance: device(number, instance: instance).instance,
            port: port,
            sessions: [
                AnnouncedSession(id: session, isSearching: isSearching, finishedDigest: finished)
            ]
        )
    }

    // MARK: Announcing

    @Test("A start is announced at 0, 100, 500 and 2,000 ms, and then every 10 s ± 20 %")
    func burst() throws {
        var engine = SyncEngine(device(1))
        let empty = OpenedSession(
            replica: ReplicaSnapshot(entries: [], vector: VersionVector())
        )
        #expect(engine.handle(.opened(session, empty), at: ms(0)).announcements == 0)
        var effects = engine.handle(.listening(port: port), at: ms(0))
        var times: [UInt64] = []
        for _ in 0..<6 {
            if effects.announcements > 0 { times.append(0) }
            let wake = try #require(SyncEngine.wake(in: effects))
            times.append(wake - ms(0).uptime)
            effects = engine.handle(.timePassed, at: ms(wake - ms(0).uptime))
            times.removeLast(effects.announcements == 1 ? 0 : 1)
            effects.removeAll { if case .announce = $0 { true } else { false } }
        }
        #expect(times.prefix(4) == [0, 100, 500, 2_000])
        for (earlier, later) in zip(times.dropFirst(3), times.dropFirst(4)) {
            #expect((8_000...12_000).contains(later - earlier))
        }
    }

    @Test("While a member is missing: every second for two minutes, then every 5 s")
    func moods() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        _ = engine.handle(.unlinked(LinkID(1)), at: ms(40_000))
        var fresh = 0
        var later = 0
        for time in stride(from: 42_100 as UInt64, to: 280_000, by: 100) {
            let count = engine.handle(.timePassed, at: ms(time)).announcements
            if (50_000..<150_000).contains(time) { fresh += count }
            if (170_000..<270_000).contains(time) { later += count }
        }
        #expect((80...130).contains(fresh))
        #expect((15...27).contains(later))
    }

    @Test(
        "Members that left, and devices that were only announced, are not searched for",
        arguments: [true, false]
    )
    func notMissed(hasLeft: Bool) {
        var engine = SyncEngine.ready(device(1))
        if hasLeft {
            _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
            _ = engine.handle(.received(LinkID(1), .bye(.left)), at: ms(10_100))
        } else {
            _ = engine.handle(.announced(announcement(), source: address(2)), at: ms(10_000))
            _ = engine.handle(
                .dialFailed(session, address(2), .unknownSession),
                at: ms(10_100)
            )
        }
        var count = 0
        for time in stride(from: 15_000 as UInt64, to: 115_000, by: 500) {
            let effects = engine.handle(.timePassed, at: ms(time))
            count += effects.announcements
            #expect(effects.dials.isEmpty)
        }
        #expect(count <= 13)
    }

    @Test("An open invite is announced every second")
    func invite() {
        var engine = SyncEngine.ready(device(1))
        let effects = engine.handle(.inviteChanged(session, isOpen: true), at: ms(10_000))
        guard
            case .announce(let announcement)? = effects.first(where: {
                if case .announce = $0 { true } else { false }
            })
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(announcement.sessions == [AnnouncedSession(id: session, isInviting: true)])
        var count = 0
        for time in stride(from: 13_000 as UInt64, to: 23_000, by: 100) {
            count += engine.handle(.timePassed, at: ms(time)).announcements
        }
        #expect((8...13).contains(count))
        _ = engine.handle(.inviteChanged(session, isOpen: false), at: ms(23_000))
        #expect(engine.handle(.timePassed, at: ms(26_000)).announcements == 0)
    }

    @Test(
        "Each new run of another daemon is answered with a burst once, two runs of one device too"
    )
    func clonesAreNoStorm() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        var twin = peer
        twin.instance = device(2, instance: 2).instance
        _ = engine.link(2, with: twin, at: address(7), at: ms(10_000))
        var count = 0
        for time in stride(from: 15_000 as UInt64, to: 115_000, by: 500) {
            _ = engine.handle(.bytesReceived(LinkID(1)), at: ms(time))
            _ = engine.handle(.bytesReceived(LinkID(2)), at: ms(time))
            let (instance, place): (UInt64, UInt32) = time % 1_000 == 0 ? (1, 2) : (2, 7)
            let heard = announcement(instance: instance)
            count +=
                engine.handle(.announced(heard, source: address(place)), at: ms(time))
                .announcements
            count += engine.handle(.timePassed, at: ms(time)).announcements
        }
        #expect(count <= 13)
    }

    // MARK: Dialling

    @Test("An announced member is dialled at the source of the announcement, at most every 500 ms")
    func dial() {
        var engine = SyncEngine.ready(device(1))
        let heard = Input.announced(announcement(), source: address(2))
        #expect(engine.does(heard, at: ms(10_000)) == [.dial(session, address(2))])
        #expect(engine.does(heard, at: ms(10_001)).isEmpty)
        let failed = Input.dialFailed(session, address(2), .unreachable)
        #expect(engine.does(failed, at: ms(10_002)).isEmpty)
        #expect(engine.does(heard, at: ms(10_003)).isEmpty)
        #expect(engine.does(.timePassed, at: ms(10_499)).isEmpty)
        #expect(engine.does(.timePassed, at: ms(10_500)) == [.dial(session, address(2))])
    }

    @Test("An address that was forgotten and comes back is not dialled sooner")
    func dialAfterForgetting() {
        var engine = SyncEngine.ready(device(1))
        let typed = Input.addressTyped(session, address(2))
        #expect(engine.does(typed, at: ms(10_000)).dials == [address(2)])
        _ = engine.handle(.addressRemoved(session, address(2)), at: ms(10_100))
        #expect(engine.does(typed, at: ms(10_200)).dials.isEmpty)
        #expect(engine.does(.timePassed, at: ms(10_500)).dials == [address(2)])
    }

    @Test("While a dial is under way, no timer is set for it")
    func noSpin() {
        var engine = SyncEngine.ready(device(1))
        let heard = Input.announced(announcement(), source: address(2))
        _ = engine.handle(heard, at: ms(10_000))
        _ = engine.handle(heard, at: ms(10_600))
        let wake = SyncEngine.wake(in: engine.handle(.timePassed, at: ms(10_700)))
        #expect(wake ?? .max > ms(10_700).uptime)
        // Nor is a second connection made while the first has not said hello.
        let linked = Input.linked(LinkID(1), session, address(2), .dialled)
        #expect(engine.handle(linked, at: ms(10_800)).dials.isEmpty)
        #expect(engine.handle(.received(LinkID(1), .hello(peer)), at: ms(11_000)).dials.isEmpty)
    }

    @Test("A failed dial is repeated after 0.5 s, doubling to 15 s, each ± 20 %")
    func backoff() throws {
        var engine = SyncEngine.ready(device(1))
        _ = engine.handle(.addressTyped(session, address(2)), at: ms(10_000))
        var now: UInt64 = 10_000
        for base in [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000] as [UInt64] {
            _ = engine.handle(.dialFailed(session, address(2), .unreachable), at: ms(now))
            let earliest = max(base * 8 / 10, 500)
            for time in stride(from: now, to: now + earliest, by: 50) {
                #expect(engine.handle(.timePassed, at: ms(time)).dials.isEmpty)
            }
            var dialled: UInt64?
            for time in stride(from: now + earliest, through: now + base * 12 / 10 + 50, by: 50)
            where dialled == nil {
                if engine.handle(.timePassed, at: ms(time)).dials == [address(2)] { dialled = time }
            }
            now = try #require(dialled)
        }
    }

    @Test("A peer that breaks the protocol each time is dialled less and less often")
    func flapping() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.handle(.addressTyped(session, address(2)), at: ms(10_000))
        var dials = 1
        var link: UInt64 = 1
        for time in stride(from: 10_000 as UInt64, to: 70_000, by: 100) {
            guard time == 10_000 || engine.handle(.timePassed, at: ms(time)).dials == [address(2)]
            else { continue }
            dials += 1
            link += 1
            _ = engine.link(link, with: peer, at: address(2), at: ms(time))
            _ = engine.handle(.received(LinkID(link), .hello(peer)), at: ms(time))
        }
        #expect((6...10).contains(dials))
    }

    @Test("Ports where no daemon listens are never dialled, unless the user typed them")
    func ports() {
        var engine = SyncEngine.ready(device(1))
        for wrong in [22, 80, 47_614, 47_635] as [UInt16] {
            let heard = Input.announced(announcement(), source: address(2, port: wrong))
            #expect(engine.does(heard, at: ms(10_000)).isEmpty)
        }
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_001))
        let told = PeerMessage.addresses([address(3, port: 22), address(3, port: 47_634)])
        #expect(
            engine.does(.received(LinkID(1), told), at: ms(10_002)).dials
                == [address(3, port: 47_634)]
        )
        let typed = address(4, port: 22)
        #expect(engine.does(.addressTyped(session, typed), at: ms(10_003)).dials == [typed])
    }

    @Test("64 addresses are kept; a forged one displaces none where a member answered")
    func bound() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        let told = (100..<200).map { address($0) }
        let dials = engine.does(.received(LinkID(1), .addresses(told)), at: ms(10_001)).dials
        #expect(dials.count == Limits.addresses - 1)
        for number in 300..<400 as Range<UInt32> {
            let heard = announcement(of: UInt64(number))
            _ = engine.handle(.announced(heard, source: address(number)), at: ms(10_002))
        }
        _ = engine.handle(.unlinked(LinkID(1)), at: ms(30_000))
        #expect(engine.does(.timePassed, at: ms(31_000)).dials.contains(address(2)))
    }

    @Test("Addresses that are only announced fill a quarter of the contacts and give way to others")
    func rumours() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        var dials = 0
        for number in 300..<400 as Range<UInt32> {
            let heard = announcement(of: UInt64(number))
            dials +=
                engine.does(.announced(heard, source: address(number)), at: ms(10_002))
                .dials.count
        }
        #expect(dials == Limits.addresses / 4)
        // Although all of these are being dialled, there is room for an address sent by a member.
        let told = (100..<163).map { address($0) }
        #expect(
            engine.does(.received(LinkID(1), .addresses(told)), at: ms(10_003)).dials == told
        )
    }

    @Test("A member that left is given up, even at an address that it shares with another")
    func leftAndGone() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        _ = engine.handle(.received(LinkID(1), .bye(.left)), at: ms(10_100))
        var dials = 0
        for time in stride(from: 20_000 as UInt64, to: 400_000, by: 500) {
            let input = time == 20_000 ? Input.networkChanged : .timePassed
            guard engine.handle(input, at: ms(time)).dials == [address(2)] else { continue }
            dials += 1
            _ = engine.handle(.dialFailed(session, address(2), .unreachable), at: ms(time))
        }
        #expect(dials == Timing.maxFailedDials)
    }

    @Test("A goodbye before hello affects no other member's address")
    func leftBeforeHello() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.handle(.addressTyped(session, address(7)), at: ms(10_000))
        _ = engine.handle(.dialFailed(session, address(7), .unreachable), at: ms(10_100))
        let linked = Input.linked(LinkID(1), session, address(2), .dialled)
        _ = engine.handle(linked, at: ms(10_200))
        _ = engine.handle(.received(LinkID(1), .bye(.left)), at: ms(10_300))
        let dials = stride(from: 10_400 as UInt64, to: 12_000, by: 100).flatMap {
            engine.handle(.timePassed, at: ms($0)).dials
        }
        #expect(dials.contains(address(7)))
    }

    @Test("A member at its 65th address is found, and an address that never answers is dropped")
    func manyAddresses() {
        let old = (100..<180).map {
            Contact(stored: address($0), of: device(2).id)
        }
        var engine = SyncEngine.ready(device(1), contacts: old)
        let heard = Input.announced(announcement(), source: address(2))
        #expect(engine.does(heard, at: ms(10_000)).dials == [address(2)])
        var stranger = SyncEngine.ready(device(1))
        _ = stranger.handle(heard, at: ms(10_000))
        var now: UInt64 = 10_000
        for _ in 0..<Timing.maxFailedDials {
            _ = stranger.handle(.dialFailed(session, address(2), .unreachable), at: ms(now))
            now += 30_000
            _ = stranger.handle(.timePassed, at: ms(now))
        }
        #expect(stranger.handle(.timePassed, at: ms(now + 60_000)).dials.isEmpty)
    }

    @Test("A daemon without the session is not dialled until it announces itself")
    func unknownSession() {
        var engine = SyncEngine.ready(device(1))
        let heard = Input.announced(announcement(), source: address(2))
        _ = engine.handle(heard, at: ms(10_000))
        _ = engine.handle(.dialFailed(session, address(2), .unknownSession), at: ms(10_010))
        #expect(engine.does(.timePassed, at: ms(100_000)).isEmpty)
        #expect(engine.does(heard, at: ms(100_001)).dials == [address(2)])
    }

    @Test("A wrong key raises the alarm")
    func wrongKey() {
        var engine = SyncEngine.ready(device(1))
        let failed = Input.dialFailed(session, address(2), .wrongKey)
        #expect(engine.does(failed, at: ms(10_000)) == [.alarm(.wrongKey(session, address(2)))])
    }

    @Test("A linked peer that searches is pinged, and dialled if it is silent for 1 s")
    func suspicion() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        let heard = Input.announced(announcement(isSearching: true), source: address(2))
        #expect(engine.does(heard, at: ms(10_900)).isEmpty)
        let asked = engine.does(heard, at: ms(12_000))
        #expect(asked.dials.isEmpty)
        #expect(asked.messages.count == 1)
        #expect(engine.does(.timePassed, at: ms(13_000)).dials.isEmpty)
        #expect(engine.does(.timePassed, at: ms(13_001)).dials == [address(2)])
        // Had it answered, nothing would have happened.
        var other = SyncEngine.ready(device(1))
        _ = other.link(1, with: peer, at: address(2), at: ms(10_000))
        _ = other.handle(heard, at: ms(12_000))
        _ = other.handle(.received(LinkID(1), .pong(1)), at: ms(12_010))
        #expect(other.does(.timePassed, at: ms(13_001)).dials.isEmpty)
    }

    @Test(
        "After a wake or a change of network every link is asked and every address tried",
        arguments: [Input.resumed, .networkChanged]
    )
    func wake(input: Input) {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        _ = engine.handle(.addressTyped(session, address(9)), at: ms(10_000))
        _ = engine.handle(.dialFailed(session, address(9), .unreachable), at: ms(10_001))
        _ = engine.handle(.timePassed, at: ms(10_700))
        _ = engine.handle(.dialFailed(session, address(9), .unreachable), at: ms(10_701))
        let effects = engine.handle(input, at: ms(11_400))
        #expect(effects.announcements == 1)
        #expect(effects.messages.count == 1)
        #expect(effects.dials == [address(9)])
        #expect(engine.does(.timePassed, at: ms(12_401)).dials == [address(2)])
    }

    @Test("A new peer is sent the addresses of the others, and they are sent its address")
    func introduction() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        let third = SyncEngine.ready(device(3)).hello()
        let effects = engine.link(
            2,
            with: third,
            at: address(3, port: 50_000),
            .accepted,
            at: ms(20_000)
        )
        #expect(effects.contains(.send(LinkID(2), .addresses([address(2)]))))
        #expect(effects.contains(.send(LinkID(1), .addresses([address(3)]))))
    }

    @Test("A link-local address is sent over its link only, and gets the zone of the receiver")
    func linkLocal() throws {
        func address(_ text: String) throws -> Endpoint { try #require(Endpoint(text)) }
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(
            1,
            with: SyncEngine.ready(device(2)).hello(),
            at: try address("[fe80::2%eth0]:47615"),
            at: ms(10_001)
        )
        for (number, remote) in [(3, "[fe80::3%eth1]:47615"), (4, "[2001:db8::4]:47615")] {
            let effects = engine.link(
                UInt64(number),
                with: SyncEngine.ready(device(UInt64(number))).hello(),
                at: try address(remote),
                at: ms(10_000 + UInt64(number))
            )
            let told = effects.contains { effect in
                guard case .send(_, .addresses(let all)) = effect else { return false }
                return all.contains { $0.address.isLinkLocal }
            }
            #expect(!told, "\(effects)")
        }
        let effects = engine.link(
            5,
            with: SyncEngine.ready(device(5)).hello(),
            at: try address("[fe80::5%eth0]:47615"),
            at: ms(10_005)
        )
        let two = try [address("[2001:db8::4]:47615"), address("[fe80::2]:47615")]
        #expect(effects.contains(.send(LinkID(5), .addresses(two))))
        #expect(effects.contains(.send(LinkID(1), .addresses([try address("[fe80::5]:47615")]))))
        // An address that is received belongs to the link on which it came, if to any.
        let told = PeerMessage.addresses([try address("[fe80::9%wlan0]:47615")])
        let dials = engine.does(.received(LinkID(3), told), at: ms(10_006)).dials
        #expect(dials == [try address("[fe80::9%eth1]:47615")])
        #expect(engine.does(.received(LinkID(4), told), at: ms(10_007)).dials == [])
    }

    @Test("A lost member is dialled at all its addresses")
    func everyAddress() {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(7), at: ms(10_000))
        _ = engine.handle(.unlinked(LinkID(1)), at: ms(30_000))
        _ = engine.handle(.timePassed, at: ms(31_000))
        _ = engine.handle(.dialFailed(session, address(7), .unreachable), at: ms(31_001))
        _ = engine.link(2, with: peer, at: address(2), at: ms(31_500))
        _ = engine.handle(.timePassed, at: ms(45_000))
        _ = engine.handle(.unlinked(LinkID(2)), at: ms(60_000))
        let effects = engine.handle(.timePassed, at: ms(61_000))
        #expect(Set(effects.dials).isSubset(of: [address(2), address(7)]))
        #expect(!effects.dials.isEmpty)
    }
}
