import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@Suite("Finished sessions")
struct FinishedSessionTests {
    /// Two laptops that hold the same session, which is open.
    private func pair() -> Pair {
        var left = SyncEngine.ready(device(2))
        left.save(score(5), at: ms(9_000))
        var pair = Pair(left, .ready(device(1)))
        pair.meet(at: ms(10_000))
        return pair
    }

    @Test("A member with the same state is polled ever more rarely: it may be unable to dial")
    func poll() throws {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        let hello = pair.right.hello()
        var times: [UInt64] = []
        for time in stride(from: 20_000 as UInt64, to: 40 * 3_600_000, by: 5_000) {
            guard !pair.left.does(.timePassed, at: ms(time)).dials.isEmpty else { continue }
            times.append(time)
            let link = UInt64(times.count + 1)
            let effects = pair.left.link(link, with: hello, at: address(2), at: ms(time + 5))
            #expect(effects.messages.last == .bye(.finished))
        }
        let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(try #require(times.first) <= 11_000 + Timing.finishedPoll.lowerBound * 13 / 10)
        #expect(times.count < 20)
        let longest = Timing.finishedPoll.upperBound
        let isRare = pauses.suffix(3).allSatisfy { (longest / 2...longest * 13 / 10).contains($0) }
        #expect(isRare, "\(pauses)")
    }

    @Test("A correction by a member that cannot be dialled arrives with the next poll")
    func oneWay() throws {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        pair.right.save(score(7), at: ms(20_000))
        // Dials of the right one are lost: only the left one can connect.
        var now: UInt64 = 20_000
        while pair.left.does(.timePassed, at: ms(now)).dials.isEmpty, now < 3_600_000 {
            now += 1_000
        }
        pair = Pair(pair.left, pair.right)
        pair.meet(at: ms(now))
        #expect(pair.left.digest == pair.right.digest)
        #expect(now < 900_000)
    }

    @Test("After a change of the network members with the same state are dialled, too")
    func changedNetwork() {
        for news in [Input.networkChanged, .resumed] {
            var pair = pair()
            let finish = Input.write(RequestID(1), session, [.finished(true)])
            pair.give(finish, toLeft: true, at: ms(11_000))
            #expect(pair.left.does(news, at: ms(60_000)).dials == [address(2)])
        }
    }

    @Test("Once both hold the end, the link is closed and neither dials")
    func close() {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        #expect(pair.said.last?.message == .bye(.finished))
        #expect(pair.left.digest == pair.right.digest)
        #expect(pair.left.does(.timePassed, at: ms(18_000)).isEmpty)
        #expect(pair.right.does(.timePassed, at: ms(18_000)).isEmpty)
    }

    @Test("A member with the same state is known to be up to date, until a write")
    func upToDate() {
        var pair = pair()
        #expect(pair.left.upToDate(session) == nil)
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        #expect(pair.left.upToDate(session)?.devices == [device(1).id])
        #expect(pair.right.upToDate(session)?.devices == [device(2).id])
        // Neither a change of the network nor a member that does not answer changes that.
        _ = pair.left.handle(.networkChanged, at: ms(15_000))
        _ = pair.left.handle(.dialFailed(session, address(2), .unreachable), at: ms(15_100))
        #expect(pair.left.upToDate(session)?.devices == [device(1).id])
        pair.left.save(score(7), at: ms(20_000))
        #expect(pair.left.upToDate(session)?.devices == [])
    }

    @Test("After a restart the same is known of the same state, and nothing of another one")
    func upToDateAfterRestart() throws {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        let known = try #require(pair.left.upToDate(session))
        #expect(UpToDateDevices(words: known.words) == known)
        #expect(UpToDateDevices(words: "") == nil)
        func restarted(_ replica: ReplicaSnapshot) -> Set<DeviceID>? {
            var engine = SyncEngine(device(2))
            let contacts = [Contact(stored: address(2), of: device(1).id)]
            let opened = OpenedSession(replica: replica, contacts: contacts, upToDate: known)
            let effects = engine.handle(.opened(session, opened), at: ms(0))
            _ = engine.handle(.listening(port: port), at: ms(0))
            let dials = effects.dials + engine.handle(.timePassed, at: ms(1)).dials
            #expect(dials == [address(2)])
            return engine.upToDate(session)?.devices
        }
        #expect(restarted(pair.left.snapshot) == [device(1).id])
        pair.left.save(score(7), at: ms(20_000))
        #expect(restarted(pair.left.snapshot) == [])
    }

    @Test("A member that is met with less, or leaves, no longer has the final scores")
    func outOfDate() {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        var met = pair.left
        var hello = pair.right.hello()
        hello.vector = VersionVector()
        _ = met.link(2, with: hello, at: address(2), at: ms(20_000))
        _ = met.handle(.unlinked(LinkID(2)), at: ms(21_000))
        #expect(met.upToDate(session)?.devices == [])
    }

    @Test("A write opens the link again")
    func reopen() {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        let effects = pair.left.save([.finished(false)], at: ms(60_000))
        #expect(effects.dials == [address(2)])
    }

    @Test("An announcement with the same digest is no reason to dial, one with another is")
    func announcedDigest() {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        let same = UInt32(truncatingIfNeeded: pair.right.digest.sum >> 96)
        func heard(_ digest: UInt32?, instance: UInt64 = 1) -> Input {
            let announcement = Announcement(
                versions: Versions.peer,
                device: device(1).id,
                instance: device(1, instance: instance).instance,
                port: port,
                sessions: [AnnouncedSession(id: session, finishedDigest: digest)]
            )
            return .announced(announcement, source: address(2))
        }
        #expect(pair.left.does(heard(same), at: ms(60_000)).isEmpty)
        var other = pair.left
        #expect(other.does(heard(same ^ 1), at: ms(60_000)).dials == [address(2)])
        other = pair.left
        #expect(other.does(heard(nil), at: ms(60_000)).dials == [address(2)])
        // A new run is met once.
        #expect(pair.left.does(heard(same, instance: 2), at: ms(60_000)).dials == [address(2)])
    }

    @Test("Old addresses of a member with the same state are not dialled until a write")
    func staleAddress() {
        var pair = pair()
        let stale = address(8)
        let opened = Contact(stored: stale, of: device(1).id)
        var engine = SyncEngine.ready(device(2), pair.left.snapshot, contacts: [opened])
        _ = engine.handle(.dialFailed(session, stale, .unreachable), at: ms(2_100))
        pair.left = engine
        pair.meet(at: ms(10_000))
        _ = pair.left.handle(.dialFailed(session, stale, .unreachable), at: ms(10_500))
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: false, at: ms(11_000))
        for time in stride(from: 12_000 as UInt64, to: 19_000, by: 500) {
            #expect(pair.left.handle(.timePassed, at: ms(time)).dials.isEmpty)
        }
        let effects = pair.left.save([.finished(false)], at: ms(19_000))
        #expect(effects.dials.contains(stale))
    }

    @Test("A missing member is dialled ever more rarely, and soon again after a write")
    func missed() throws {
        let known = Contact(stored: address(2), of: device(2).id)
        var engine = SyncEngine.ready(device(1), contacts: [known])
        engine.save([.finished(true)], at: ms(3_000))
        /// The times of dials, of which each fails, from one that has just failed on.
        func dials(_ times: ClosedRange<UInt64>) -> [UInt64] {
            let failure = Input.dialFailed(session, address(2), .unreachable)
            _ = engine.handle(failure, at: ms(times.lowerBound))
            return stride(from: times.lowerBound + 500, through: times.upperBound, by: 500).filter {
                guard !engine.handle(.timePassed, at: ms($0)).dials.isEmpty else { return false }
                _ = engine.handle(failure, at: ms($0))
                return true
            }
        }
        let first = dials(3_000...7_200_000)
        let pauses = zip(first.dropFirst(), first).map { $0 - $1 }
        #expect(first.count < 30 && pauses.suffix(5).allSatisfy { $0 >= 480_000 }, "\(pauses)")
        let effects = engine.save(score(5), at: ms(7_300_000))
        #expect(effects.dials == [address(2)])
        let next = try #require(dials(7_300_000...7_400_000).first)
        #expect(next <= 7_300_000 + Timing.redialBackoff.upperBound * 5 / 2)
    }

    @Test("A write that was reported as failed but is stored reaches paused peers")
    func lateTruth() throws {
        var engine = pair().left
        engine.save([.finished(true)], at: ms(11_000))
        let before = engine.vector
        let effects = engine.does(.write(RequestID(2), session, score(9)), at: ms(11_001))
        // The peer has all that is on disk so far, and closes.
        let ack = Acknowledgement(vector: before, digest: engine.digest)
        _ = engine.handle(.received(LinkID(1), .ack(ack)), at: ms(11_002))
        _ = engine.handle(.received(LinkID(1), .bye(.finished)), at: ms(11_003))
        guard case .persist(let batch, _, let changes)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        _ = engine.handle(.persistFailed(batch, .failed, reason: "unknown"), at: ms(11_004))
        let gone = Set(changes.removed)
        let kept = engine.snapshot.entries.filter { !gone.contains($0.entry.dot) }
        var vector = before
        for dot in changes.advanced { vector.advance(to: dot) }
        let replica = ReplicaSnapshot(entries: kept + changes.inserted, vector: vector)
        let opened = Input.opened(session, OpenedSession(replica: replica))
        #expect(engine.does(opened, at: ms(11_100)).dials == [address(2)])
    }

    @Test("A write during the peer's goodbye is sent")
    func goodbyeTooSoon() {
        var engine = SyncEngine.ready(device(1))
        engine.save([.finished(true)], at: ms(9_000))
        var peer = SyncEngine.ready(device(2)).hello()
        peer.vector = engine.vector
        _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
        engine.save(score(5), at: ms(10_001))
        _ = engine.handle(.received(LinkID(1), .bye(.finished)), at: ms(10_002))
        #expect(engine.does(.timePassed, at: ms(11_000)).dials == [address(2)])
    }

    @Test("A finished session is announced after an event, and otherwise every five minutes")
    func announcedRarely() {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        var times: [UInt64] = []
        for time in stride(from: 11_000 as UInt64, through: 16_000, by: 500) {
            let count = pair.left.handle(.timePassed, at: ms(time)).announcements
            if count > 0 { times.append(time) }
        }
        // The end is told at once, for who cannot be dialled from here, and some times again.
        #expect((2...4).contains(times.count))
        times = []
        for time in stride(from: 20_000 as UInt64, through: 700_000, by: 10_000) {
            let count = pair.left.handle(.timePassed, at: ms(time)).announcements
            if count > 0 { times.append(time) }
        }
        #expect(times.count == 2)
        #expect(times.allSatisfy { $0 >= 300_000 })
        pair.left.save([.finished(true)], at: ms(700_500))
        #expect(pair.left.handle(.timePassed, at: ms(700_600)).announcements == 1)
    }

    @Test("A member that leaves a finished session withdraws only its own acknowledgement")
    func leaving() {
        var pair = pair()
        pair.give(.write(RequestID(1), session, [.finished(true)]), toLeft: true, at: ms(11_000))
        var engine = pair.left
        #expect(engine.isSynced(session))
        // A third has agreed on the end as well, and leaves.
        var third = SyncEngine.ready(device(3)).hello(at: ms(12_000))
        (third.vector, third.digest) = (engine.vector, engine.digest)
        _ = engine.link(7, with: third, at: address(3), .accepted, at: ms(12_000))
        _ = engine.link(8, with: third, at: address(3), .accepted, at: ms(13_000))
        _ = engine.does(.received(LinkID(8), .bye(.left)), at: ms(13_001))
        #expect(engine.isSynced(session))
    }
}
