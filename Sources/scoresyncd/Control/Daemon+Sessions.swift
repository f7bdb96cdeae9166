import ControlSocket
import PeerTransport
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about sessions.
extension Daemon {
    func routeSessions(_ router: inout ControlRouter) {
        on(SessionListRequest.self, &router) { daemon, _ in daemon.listSessions() }
        on(SessionShowRequest.self, &router) { daemon, request throws(ControlError) in
            let session = try daemon.session(request.session)
            var summary = daemon.summary(of: session)
            summary.options = daemon.chosenOptions(session)
            return SessionReply(session: summary)
        }
        onLater(SessionNewRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.newSession(request, then: answer)
        }
        onLater(SessionUseRequest.self, &router) { daemon, request, answer throws(ControlError) in
            daemon.use(try daemon.session(request.session), then: answer)
        }
        onLater(SessionRenameRequest.self, &router) {
            daemon,
            request,
            answer throws(ControlError) in
            let session = try daemon.session(request.session)
            let title = try Daemon.name(request.title, of: "a title")
            daemon.write([.title(title)], to: session) { result in
                answer(result.map { SessionReply(session: daemon.summary(of: session)) })
            }
        }
        onLater(SessionFinishRequest.self, &router) {
            daemon,
            request,
            answer throws(ControlError) in
            let session = try daemon.session(request.session)
            daemon.write([.finished(request.finished)], to: session) { result in
                answer(result.map { SessionReply(session: daemon.summary(of: session)) })
            }
        }
        onLater(SessionInviteRequest.self, &router) {
            daemon,
            request,
            answer throws(ControlError) in
            try daemon.changeInvite(request, then: answer)
        }
        onLater(SessionLeaveRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.leaveSession(request, then: answer)
        }
        onLater(JoinRequest.self, &router) { daemon, request, answer in
            daemon.join(request, then: answer)
        }
    }

    /// A name that people gave: trimmed, 1–200 bytes, without control characters.
    static func name(_ text: String, of what: String) throws(ControlError) -> String {
        let name = text.drop(while: \.isWhitespace)
        let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) }
        let trimmed = String(name[..<(end ?? name.endIndex)])
        guard (1...200).contains(trimmed.utf8.count),
            trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw ControlError(
                .refused,
                "\(what) has 1 to 200 bytes and no control characters"
            )
        }
        return trimmed
    }

    /// A session as lists show it.
    func summary(of session: SessionID) -> SessionSummary {
        let document = document(session)
        let me = held[session]?.me
        return SessionSummary(
            id: session.description,
            title: title(of: session),
            game: document.game?.description ?? "",
            status: document.isFinished ? "finished" : "open",
            current: session == current,
            players: document.players.count(where: \.isPresent),
            synced: engine.isSynced(session),
            peersOnline: engine.peers(session).count,
            inviteExpires: invites.invite(to: session, at: Clock.now.uptime).map {
                Timestamp(milliseconds: $0.expires)
            },
            me: document.players.first { $0.id == me }?.name
        )
    }

    private func listSessions() -> SessionListReply {
        let latestFirst = held.sorted { ($1.value.joinedAt, $0.key) < ($0.value.joinedAt, $1.key) }
        return SessionListReply(sessions: latestFirst.map { summary(of: $0.key) })
    }

    // MARK: New

    private func newSession(
        _ request: SessionNewRequest,
        then answer: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) throws(ControlError) {
        let sheet = try sheet(named: request.game)
        let usual = "\(sheet.name) \(LocalTime.date(Int64(clamping: Clock.wallMilliseconds)))"
        let title = try Daemon.name(request.title ?? usual, of: "a title")
        var mutations: [Mutation] = [.title(title), .finished(false)]
        mutations += try beginning(of: sheet)
        let chosen = try options(request.options, of: sheet)
        let recalled = request.fresh == true ? [] : recalledOptions(of: sheet, beside: chosen)
        mutations += Daemon.mutations((chosen + recalled))
        let typed = try newNames(request.players, beside: [])
        let selected = typed.isEmpty ? roster.selected.map(\.name) : []
        let names = typed.isEmpty ? selected : typed
        let set = (chosen + recalled).map { ($0.name, $0.value) }
        try Daemon.refuseCrowd(
            of: names.count,
            in: Book(players: [], cells: [:], options: Dictionary(uniqueKeysWithValues: set)),
            by: sheet,
            hint: selected.isEmpty
                ? nil
                : "See who is selected with 'scorectl people', or name who plays with --player."
        )
        let players = names.map { (id: PlayerID.random(using: &generator), name: $0) }
        mutations += players.flatMap { Mutation.add($0.id, name: $0.name) }
        if !players.isEmpty { mutations.append(.seats(players.map(\.id))) }
        try check(mutations)
        let record = SessionRecord(
            id: SessionID.random(using: &generator),
            key: try newKey(),
            joinedAt: Clock.wallMilliseconds
        )
        let notes = Daemon.notes(recalled: recalled, selected: selected) ?? []
        take(record, greeting: title, beginning: firstBatch(mutations)) {
            @Sendable [weak self] result in
            guard let self, case .success(let reply) = result else { return answer(result) }
            notePeople(typed)
            remember(chosen, of: sheet, forgettingOthers: request.fresh == true)
            listNotes(of: record.id, chosen: chosen + recalled) { listNotes in
                let notes = notes + listNotes
                answer(
                    .success(
                        SessionReply(session: reply.session, notes: notes.isEmpty ? nil : notes)
                    )
                )
            }
        }
    }

    /// What a session begins with, as one commit of this device.
    func firstBatch(_ mutations: [Mutation]) -> Batch? {
        var map = StagedMap(CausalMap())
        var clock = HybridClock()
        let stamp = clock.tick(physical: Clock.wallMilliseconds)
        let actor = ActorID.random(using: &generator)
        let all = mutations + [.device(device.id, name: device.name)]
        for (place, mutation) in all.enumerated() {
            let entry = Entry(
                dot: Dot(actor: actor, sequence: UInt64(place + 1)),
                stamp: stamp,
                author: device.id,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
        return map.seal()
    }

    func newKey() throws(ControlError) -> [UInt8] {
        do throws(CryptoFailure) {
            return try SecureRandom.bytes(SessionStore.keyBytes)
        } catch { throw ControlError(.failed, "\(error)") }
    }

    // MARK: Invite and leave

    private func changeInvite(
        _ request: SessionInviteRequest,
        then answer: @escaping @Sendable (Result<InviteReply, ControlError>) -> Void
    ) throws(ControlError) {
        let session = try session(request.session)
        if request.close {
            closeInvite(to: session)
            return answer(.success(InviteReply(code: nil, expires: nil)))
        }
        let minutes = request.minutes ?? Daemon.usualMinutes
        guard (1...Daemon.mostMinutes).contains(minutes) else {
            throw ControlError(
                .usage,
                "an invite lasts from 1 to \(Daemon.mostMinutes) minutes, not \(minutes)"
            )
        }
        invite(to: session, minutes: minutes, then: answer)
    }

    private func leaveSession(
        _ request: SessionLeaveRequest,
        then answer: @escaping @Sendable (Result<Done, ControlError>) -> Void
    ) throws(ControlError) {
        let session = try session(request.session)
        let unsynced = engine.unsyncedCells(session)
        let results = results(of: session)
        guard request.force || !engine.hasUnsyncedWrites(session) else {
            throw ControlError(
                .refused,
                (unsynced == 0 ? "what you changed is" : "\(unsynced) of your scores are")
                    + " on no other laptop and would be lost; leave all the same with --force"
            )
        }
        store.perform(
            { store throws(StoreError) in
                try store.atomically(to: "leave a session") { () throws(StoreError) in
                    if let results { try store.keep(results, of: session) }
                    try store.remove(session)
                    if try store.setting(Setting.current) == session.description {
                        try store.set(Setting.current, to: nil)
                    }
                    try store.changeMemory { $0.leave(session) }
                }
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                if case .failure(let error) = result {
                    return answer(.failure(ControlError(.failed, "\(error)")))
                }
                memory.leave(session)
                closeInvite(to: session)
                handle(.left(session))
                held[session] = nil
                documents[session] = nil
                ended[session] = nil
                computers.forget(session)
                if current == session { current = nil }
                watchers.left(session)
                answer(.success(Done()))
            }
        )
    }
}
