import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Evidence for a silent link")
struct SilenceTests {
    private let peer = SyncEngine.ready(device(2)).hello(at: ms(10_000))

    private func announcement(isSearching: Bool = false) -> Announcement {
        Announcement(
            versions: Versions.peer,
            device: device(2).id,
            instance: device(2).instance,
            port: port,
            sessions: [AnnouncedSession(id: session, isSearching: isSearching)]
        )
    }

    private func linked() -> SyncEngine {
        var engine = SyncEngine.ready(device(1))
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        return engine
    }

    /// The time of the first ping, while the peer announces this every ten seconds.
    private func firstPing(
        _ announcement: Announcement?,
        from source: Endpoint,
        until end: UInt64 = 300_000
    ) -> UInt64? {
        var engine = linked()
        for time in stride(from: 10_000 as UInt64, through: 300_000, by: 100) {
            var sent = engine.messages(after: .timePassed, at: ms(time))
            if time % 10_000 == 0, time <= end, let announcement {
                sent += engine.messages(
                    after: .announced(announcement, source: source),
                    at: ms(time)
                )
            }
            if sent.contains(where: \.isPing) { return time - 10_000 }
        }
        return nil
    }

    @Test("A peer whose announcement is complete is pinged only after two minutes")
    func announced() {
        #expect(firstPing(nil, from: address(2)) == 5_000)
        #expect(firstPing(announcement(), from: address(2)) == 120_000)
        // From elsewhere it says nothing about the path of the link.
        #expect(firstPing(announcement(), from: address(3)) == 5_000)
        // Two announcements are heard, at 0 and at 10 s.
        #expect(firstPing(announcement(), from: address(2), until: 20_000) == 23_000)
        #expect(firstPing(announcement(isSearching: true), from: address(2)) == 5_000)
    }

    @Test("A peer that announces itself and does not answer a delta is given up after 15 s")
    func announcedWithoutAnswer() {
        var engine = linked()
        engine.save(score(1), at: ms(20_000))
        // Short messages arrive, so the peer seems only slow.
        _ = engine.messages(after: .received(LinkID(1), .pong(1)), at: ms(20_100))
        for time in stride(from: 20_200 as UInt64, to: 35_100, by: 100) {
            let input =
                time % 5_000 == 0
                ? .announced(announcement(), source: address(2)) : Input.timePassed
            #expect(engine.does(input, at: ms(time)).closed.isEmpty, "\(time)")
        }
        #expect(engine.does(.timePassed, at: ms(35_100)).closed == [LinkID(1)])
    }

    @Test("An announced peer that does not answer is given up after 10 s")
    func announcedAndGone() {
        var engine = linked()
        _ = engine.handle(.announced(announcement(), source: address(2)), at: ms(20_000))
        #expect(engine.messages(after: .timePassed, at: ms(33_000)).count == 1)
        _ = engine.handle(.announced(announcement(), source: address(2)), at: ms(40_000))
        #expect(engine.does(.timePassed, at: ms(42_999)).closed.isEmpty)
        #expect(engine.does(.timePassed, at: ms(43_000)).closed == [LinkID(1)])
    }

    @Test("A daemon that has lost a peer announces it for two minutes")
    func searching() {
        var engine = linked()
        func isSearching(_ input: Input, at time: UInt64) -> Bool? {
            engine.handle(input, at: ms(time)).compactMap { effect -> Bool? in
                guard case .announce(let announcement) = effect else { return nil }
                return announcement.sessions.contains(where: \.isSearching)
            }.first
        }
        #expect(isSearching(.timePassed, at: 20_000) == false)
        #expect(isSearching(.unlinked(LinkID(1)), at: 30_000) == true)
        #expect(isSearching(.timePassed, at: 149_999) == true)
        #expect(isSearching(.timePassed, at: 156_000) == false)
    }

    @Test("The receiver of a delta in parts reports progress at once and every two seconds")
    func parts() throws {
        var engine = linked()
        var signs: [UInt64] = []
        for time in stride(from: 10_100 as UInt64, through: 20_000, by: 100) {
            let sent = engine.messages(after: .partReceived(LinkID(1)), at: ms(time))
            if sent.contains(where: \.isPing) { signs.append(time - 10_000) }
            // A message between two parts, such as the answer, is no reason to report progress.
            _ = engine.messages(after: .received(LinkID(1), .pong(time)), at: ms(time + 10))
        }
        // The delta as a whole ends it, and a part that comes next is of another.
        let delta = try Delta(base: VersionVector(), upto: VersionVector(), changes: [])
        _ = engine.messages(after: .received(LinkID(1), .delta(delta)), at: ms(20_050))
        let sent = engine.messages(after: .partReceived(LinkID(1)), at: ms(20_100))
        #expect(sent.contains { $0.isPing })
        #expect(signs == [100, 2_100, 4_100, 6_100, 8_100])
    }

    @Test("A peer is in sync only once it has answered")
    func asked() throws {
        var engine = linked()
        #expect(engine.isSynced(session))
        let number = try #require(
            engine.messages(after: .peerCheckRequested(session), at: ms(11_000)).compactMap {
                message -> UInt64? in
                if case .ping(let number) = message { number } else { nil }
            }.first
        )
        #expect(!engine.isSynced(session))
        #expect(engine.peers(session).map(\.isSynced) == [false])
        let effects = engine.handle(.received(LinkID(1), .pong(number)), at: ms(11_001))
        #expect(effects.contains(.peersChanged(session)))
        #expect(engine.isSynced(session))
    }

    @Test("Setting a clock while linked raises an alarm on both sides")
    func clockIsSet() throws {
        var engine = linked()
        let set = Moment(uptime: ms(12_000).uptime, wall: ms(12_000).wall + 60_000)
        let effects = engine.does(.timePassed, at: set)
        #expect(effects.messages == [.clock(set.wall)])
        #expect(effects.alarms == [skew(-60_000, of: 2)])
        #expect(engine.peers(session).map(\.skew) == [-60_000])
        let later = Moment(uptime: set.uptime + 100, wall: set.wall + 5_000)
        #expect(engine.does(.timePassed, at: later).messages.isEmpty)

        var other = SyncEngine.ready(device(2))
        _ = other.link(1, with: engine.hello(at: ms(10_000)), at: address(1), at: ms(10_000))
        #expect(
            other.does(.received(LinkID(1), .clock(set.wall)), at: ms(12_000)).alarms
                == [skew(60_000, of: 1)]
        )
        #expect(other.peers(session).map(\.skew) == [60_000])
        let back = Input.received(LinkID(1), .clock(ms(13_000).wall))
        let effectsOfSettingBack = other.handle(back, at: ms(13_000))
        #expect(effectsOfSettingBack.contains(.peersChanged(session)))
        #expect(other.peers(session).map(\.skew) == [0])
    }

    private func skew(_ milliseconds: Int64, of number: UInt64) -> EngineAlarm {
        .clockSkew(
            session,
            device(number).id,
            name: "laptop-\(number)",
            milliseconds: milliseconds
        )
    }
}

extension PeerMessage {
    fileprivate var isPing: Bool { if case .ping = self { true } else { false } }
}
