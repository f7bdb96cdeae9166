import PeerTransport
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// What the engine wants done: one case, a few lines each.
extension Daemon {
    func run(_ effect: Effect) {
        switch effect {
        case .persist(let id, let session, let batch): persist(batch, of: session, as: id)
        case .load(let session): load(session)
        case .reply(let request, let outcome): answer(request, outcome)
        case .loaded(let session), .changed(let session, _):
            watchers.changed(session, .whole)
            lookForSuccessors(of: session)
            callComputers(of: session)
        case .peersChanged(let session):
            notePeers(of: session)
            watchers.changed(session)
        case .remember(let session, let endpoint, let device):
            remember(session, endpoint, device)
        case .acknowledged: break
        case .announce(let announcement): announce(announcement)
        case .dial(let session, let endpoint): dial(endpoint, for: session)
        case .send(let link, let message): links[link]?.send(message)
        case .close(let link): links.removeValue(forKey: link)?.close()
        case .wake(let uptime): wake(at: uptime)
        case .alarm(let alarm): raise(alarm)
        case .log(let level, let text): log.write(level, text)
        }
    }

    // MARK: The disk

    private func persist(_ batch: Batch, of session: SessionID, as id: BatchID) {
        store.commit([(session, batch)], at: Clock.wallMilliseconds) { @Sendable [weak self] in
            switch $0 {
            case .success:
                self?.alarms.clear(kind: "storage", subject: "\(session)")
                self?.handle(.persisted(id))
            case .failure(let error):
                self?.handle(.persistFailed(id, reason: "\(error)"))
            }
        }
    }

    func load(_ session: SessionID) {
        guard let held = held[session] else { return }
        store.perform(
            { store throws(StoreError) in try store.loadOpened(session, held) },
            completion: { @Sendable [weak self] result in
                switch result {
                case .success(let opened):
                    self?.alarms.clear(kind: "storage", subject: "\(session)")
                    self?.handle(.opened(session, opened))
                case .failure(let error):
                    self?.handle(.unloadable(session, reason: "\(error)"))
                }
            }
        )
    }

    /// Changes something small in the store; a failure is only told, since nothing waits for it.
    func note(
        _ what: String,
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Void
    ) {
        store.perform(body) { @Sendable [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.alarms.raise(kind: "storage", subject: what, text: "\(what): \(error)")
            self?.log.write(.error, "\(what): \(error)")
        }
    }

    private func remember(_ session: SessionID, _ endpoint: Endpoint, _ device: DeviceID) {
        let address = StoredAddress(
            address: "\(endpoint)",
            device: device,
            lastAuthenticated: Clock.wallMilliseconds,
            isTyped: held[session]?.book[endpoint]?.isTyped ?? false
        )
        held[session]?.book[endpoint] = address
        note("an address could not be noted") { store throws(StoreError) in
            try store.note(address, for: session)
        }
    }

    /// Writes down what other devices have, which need not survive a crash: it is learned again.
    func saveAcknowledged() {
        for (session, replica) in engine.replicas {
            let vector = replica.acknowledged
            guard vector != held[session]?.savedAcknowledged else { continue }
            held[session]?.savedAcknowledged = vector
            note("what peers have could not be noted") { store throws(StoreError) in
                try store.set(Setting.acknowledged, of: session, to: vector.words)
            }
        }
    }

    /// Shortens the journals to what must be kept and the newest lines.
    func shortenJournals() {
        let kept = options.journalLines
        for session in held.keys.sorted() {
            let acknowledged = engine.replicas[session]?.acknowledged ?? VersionVector()
            note("a journal could not be shortened") { store throws(StoreError) in
                _ = try store.prune(
                    session,
                    acknowledged: acknowledged,
                    keepingNewest: kept
                )
            }
        }
    }

    // MARK: Local writes

    /// Makes the mutations one commit; the completion comes once it is on disk, or cannot be.
    func write(
        _ mutations: [Mutation],
        to session: SessionID,
        then completion: @escaping (Result<Void, ControlError>) -> Void
    ) {
        do throws(ControlError) { try check(mutations) } catch {
            return completion(.failure(error))
        }
        lastRequest += 1
        let request = RequestID(lastRequest)
        writes[request] = completion
        handle(.write(request, session, mutations))
    }

    /// Refuses what peers would refuse, with the whole delta that it is in, for ever.
    func check(_ mutations: [Mutation]) throws(ControlError) {
        for mutation in mutations {
            if let reason = EntryLimits.violation(mutation.key, mutation.value) {
                throw ControlError(.refused, reason)
            }
        }
    }

    private func answer(_ request: RequestID, _ outcome: WriteOutcome) {
        guard let completion = writes.removeValue(forKey: request) else { return }
        switch outcome {
        case .saved: completion(.success(()))
        case .failed(let reason):
            completion(.failure(ControlError(.failed, "it is not known to be saved: \(reason)")))
        case .full:
            let text = "the session is too large to take more; begin a new one"
            completion(.failure(ControlError(.refused, text)))
        }
    }

    // MARK: Peers and alarms

    /// Remembers the names of the peers, and takes down what is no longer wrong with them.
    private func notePeers(of session: SessionID) {
        let online = Set(engine.peers(session).map(\.device))
        for gone in (held[session]?.online ?? []).subtracting(online) {
            held[session]?.see(gone, at: Clock.wallMilliseconds)
        }
        held[session]?.online = online
        for peer in engine.peers(session) {
            metNames[peer.device] = peer.name
            alarms.clear(kind: "version", subject: "\(peer.device)")
            if peer.skew.magnitude <= Timing.tellSkew.magnitude {
                alarms.clear(kind: "clock-skew", subject: "\(peer.device)")
            }
        }
    }

    private func raise(_ alarm: EngineAlarm) {
        let line = alarm.line
        if alarms.raise(kind: line.kind, subject: line.subject, text: line.text) {
            log.write(.warning, line.text)
        }
    }
}

extension EngineAlarm {
    /// The alarm as people read it; a later one of the same kind and subject replaces it.
    var line: (kind: String, subject: String, text: String) {
        switch self {
        case .clockSkew(_, let device, let name, let milliseconds):
            let way = milliseconds > 0 ? "ahead of" : "behind"
            let seconds = milliseconds.magnitude / 1000
            return (
                "clock-skew", "\(device)",
                "the clock of \(name) is \(seconds) s \(way) this one; scores are safe, but "
                    + "set it right"
            )
        case .clonedDevice(let device, let name):
            return (
                "cloned-home", "\(device)",
                "two daemons run as \(name): a home directory was copied; scores are safe, but "
                    + "delete one of the copies and join anew"
            )
        case .digestMismatch(let session, let device, let name):
            return (
                "digest-mismatch", "\(session) \(device)",
                "\(name) had seen the same and held something else; both were united, look at "
                    + "the scores"
            )
        case .storage(let session, let reason):
            return ("storage", "\(session)", "the disk refused: \(reason)")
        case .wrongKey(let session, let endpoint):
            return (
                "wrong-key", "\(session)",
                "\(endpoint) has another key for session \(session.description.prefix(8))"
            )
        case .version(let device, let name, let speaks):
            return (
                "version", "\(device)",
                "\(name) speaks protocol \(speaks.lowerBound)–\(speaks.upperBound), this device "
                    + "\(Versions.peer.lowerBound)–\(Versions.peer.upperBound): install the same "
                    + "version"
            )
        }
    }
}
