import CPlatform
import Descriptors
import PeerTransport
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The laptops that knock: they ask to be admitted to an open session without its join code.
///
/// A knock hands nothing over until a person has answered it, here or at a linked member. Nothing is
/// stored: a restart of the daemon ends all knocks.
@EventLoop
final class Knocks: DaemonPart {
    /// The time for which a laptop waits for an answer.
    static let patience = Duration.seconds(testSeconds ?? 60)
    /// The time for which a laptop may take to open its second link after the exchange.
    private static let reopening = Duration.seconds(5)
    private static let maxExchanges = 16

    private struct Caller {
        let session: SessionID
        let laptop: String
        let source: KnockLimits.Source
    }

    /// The keys of the second link of a laptop that has just finished the exchange.
    private struct Agreed {
        let caller: Caller
        let symbols: [KnockSymbol]
        let key: Secret
        /// The key that only a laptop that this one knows can derive, and the last game with it.
        let known: (key: Secret, lastPlayed: UInt64)?
    }

    private struct Waiting {
        let caller: Caller
        let knock: Knock
        let transport: TransportLink
    }

    let daemon: Daemon
    private var exchanges = 0
    private var agreed: [KnockID: Agreed] = [:]
    private var waiting: [KnockID: Waiting] = [:]
    private var limits = KnockLimits()

    init(_ daemon: Daemon) { self.daemon = daemon }

    #if DEBUG
    private nonisolated static var testSeconds: Int? {
        let text = platform_environment("SCORESYNC_TEST_KNOCK_SECONDS")
        return text.flatMap { Int(String(cString: $0)) }
    }
    #else
    private nonisolated static var testSeconds: Int? { nil }
    #endif

    // MARK: The exchange

    /// Handles a link that was opened with the public key of knocks.
    func accept(_ transport: TransportLink, to session: SessionID) {
        guard exchanges < Knocks.maxExchanges, let session = sessions[session] else {
            return transport.abort()
        }
        exchanges += 1
        EventLoop.start { [self] in
            let link = KnockLink(transport, on: queue)
            await answer(link, session)
            link.close()
            exchanges -= 1
        }
    }

    private func answer(_ link: KnockLink, _ session: Session) async {
        let door = Door(
            device: device.id,
            laptop: device.name,
            title: session.title,
            game: (try? session.board.sheet.get().name) ?? ""
        )
        link.send(.door(door))
        guard case .knock(let laptop, let commitment)? = await link.next(),
            mayKnock(.init(device: laptop.device, address: link.remote.address)),
            let own = try? AgreementKey()
        else { return }
        link.send(.key(own.publicKey))
        guard case .open(let key)? = await link.next() else { return }
        let transcript = KnockTranscript(
            session: session.id,
            door: door,
            joiner: laptop,
            commitment: commitment,
            inviterKey: own.publicKey,
            joinerKey: key
        )
        let isKnown = expect(transcript, own, from: link.remote, in: session)
        if let isKnown { link.send(.ready(isKnown: isKnown)) }
    }

    /// Waits for the second link of a laptop; returns whether this laptop knows it, nil if the
    /// exchange is not valid.
    private func expect(
        _ transcript: KnockTranscript,
        _ own: AgreementKey,
        from remote: Endpoint,
        in session: Session
    ) -> Bool? {
        let laptop = transcript.joiner
        guard let result = try? AgreedKnock(transcript, own: own),
            let key = try? result.admissionKey(known: nil)
        else { return nil }
        var known: (key: Secret, lastPlayed: UInt64)?
        if let friend = settings.memory.knownLaptop(laptop.device),
            let key = try? result.admissionKey(known: friend.secret)
        {
            known = (key, friend.lastPlayed)
        }
        agreed[result.id] = Agreed(
            caller: Caller(
                session: session.id,
                laptop: laptop.name,
                source: .init(device: laptop.device, address: remote.address)
            ),
            symbols: result.symbols,
            key: key,
            known: known
        )
        queue.async(after: Knocks.reopening) { [self] in agreed[result.id] = nil }
        return known != nil
    }

    private func mayKnock(_ source: KnockLimits.Source) -> Bool {
        let others = waiting.values.map(\.caller.source) + agreed.values.map(\.caller.source)
        return limits.allow(source, beside: others)
    }

    // MARK: Waiting for an answer

    /// Returns the key of the second link of a laptop that has knocked; nil if it is unknown.
    func key(for knock: KnockID, ofKnown isKnown: Bool) -> Secret? {
        isKnown ? agreed[knock]?.known?.key : agreed[knock]?.key
    }

    /// Handles the second link of a laptop that has knocked.
    func wait(_ transport: TransportLink, _ id: KnockID, isKnown: Bool) {
        guard let agreed = agreed.removeValue(forKey: id) else { return transport.abort() }
        let caller = agreed.caller
        let knock = Knock(
            id: id,
            laptop: caller.laptop,
            symbols: isKnown ? [] : agreed.symbols,
            lastPlayed: isKnown ? agreed.known?.lastPlayed : nil
        )
        waiting[id] = Waiting(caller: caller, knock: knock, transport: transport)
        transport.onEvent = { [weak self] event in
            if case .closed = event { self?.remove(id) }
        }
        queue.async(after: Knocks.patience) { [self] in
            if let late = remove(id) { decline(late, because: .other) }
        }
        log.write(.info, from: .others, "\(knock.laptop) at \(transport.remote) asks to join")
        changed(caller.session)
    }

    @discardableResult
    private func remove(_ id: KnockID) -> Waiting? {
        guard let removed = waiting.removeValue(forKey: id) else { return nil }
        changed(removed.caller.session)
        return removed
    }

    private func decline(_ waiting: Waiting, because reason: ByeReason = .declined) {
        waiting.transport.onEvent = { _ in }
        PeerLink(waiting.transport).send(.bye(reason))
        waiting.transport.close()
    }

    private func changed(_ session: SessionID) {
        let knocks = waiting.values.filter { $0.caller.session == session }.map(\.knock)
        driver.handle(.knocksChanged(session, knocks.sorted { $0.id < $1.id }))
        watchers.changed(session)
    }

    /// Answers a laptop that waits here; returns whether there is one with this id.
    ///
    /// Only the members of the session at which it knocked can answer.
    @discardableResult
    func answer(
        _ id: KnockID,
        _ answer: KnockAnswer,
        in session: SessionID,
        by name: String
    ) -> Bool {
        guard waiting[id]?.caller.session == session, let waiting = remove(id) else { return false }
        let (caller, laptop) = (waiting.caller, waiting.knock.laptop)
        if answer == .yes, let session = sessions[session] {
            log.write(.info, "\(name) admitted \(laptop) to \(session.title)")
            invites.admit(waiting.transport, to: session)
            return true
        }
        if answer == .mute { limits.mute(caller.source, in: session) }
        log.write(.info, "\(name) refused \(laptop)")
        decline(waiting)
        return true
    }

    /// Refuses all laptops that wait at a session whose invite has ended.
    func end(of session: SessionID) {
        limits.unmute(in: session)
        agreed = agreed.filter { $0.value.caller.session != session }
        for (id, late) in waiting where late.caller.session == session {
            remove(id)
            decline(late)
        }
    }

    // MARK: The list for clients

    /// Returns the laptops that wait to be admitted to a session, here or at a linked member.
    func all(of session: Session) -> [KnockSummary] {
        let name = NamedSession(id: session.id.description, title: session.title)
        let here = waiting.values.filter { $0.caller.session == session.id }.map {
            KnockSummary($0.knock, in: name)
        }
        let elsewhere = driver.engine.peers(session.id).flatMap { peer in
            peer.knocks.map { KnockSummary($0, in: name).with { $0.at = peer.name } }
        }
        return (here + elsewhere).sorted { ($0.laptop, $0.id) < ($1.laptop, $1.id) }
    }

    /// Answers a laptop that waits here or at a linked member.
    func answer(
        _ knock: KnockSummary,
        _ answer: KnockAnswer,
        of session: Session
    ) throws(ControlError) {
        guard let id = KnockID(knock.id) else { throw .usage("“\(knock.id)” is not a knock") }
        if self.answer(id, answer, in: session.id, by: device.name) { return }
        let peer = driver.engine.peers(session.id).first { $0.knocks.contains { $0.id == id } }
        guard let peer else { throw .notFound("\(knock.laptop) does not wait any more") }
        driver.handle(.knockAnswered(session.id, peer.device, id, answer))
    }
}
