import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// What the words that users type mean here.
extension Daemon {
    /// The session that a text names: its id or a beginning of it, or its title; nil: the current.
    ///
    /// Who names it uses it, so that its next games are taken up further.
    func session(_ text: String?) throws(ControlError) -> SessionID {
        let session = try found(text)
        noteUse(of: session)
        return session
    }

    private func found(_ text: String?) throws(ControlError) -> SessionID {
        let ids = held.keys.sorted()
        guard let text else {
            if let current, held[current] != nil { return current }
            if ids.count == 1 { return ids[0] }
            guard !ids.isEmpty else {
                throw ControlError(
                    .notFound,
                    "there is no session yet; try: scorectl session new rounds"
                )
            }
            throw ControlError(
                .notFound,
                "no session is in use; choose one with: scorectl session use SESSION",
                candidates: ids.map(title)
            )
        }
        return try Match(text, among: ids, \.description, title).only(
            of: text,
            "sessions",
            missing: "there is no session “\(text)”",
            known: ids.map(title),
            precise: { "\($0.description.prefix(8)) \(title(of: $0))" }
        )
    }

    /// The title of a session, before its data has come the one it was greeted with.
    func title(of session: SessionID) -> String {
        let title = document(session).title
        if !title.isEmpty { return title }
        return held[session]?.greeting ?? String(session.description.prefix(8))
    }

    /// What a device is called here, also before it has written in the session: as it was met, or
    /// as the sessions before call it.
    func name(of device: DeviceID, in session: SessionID) -> String {
        if let name = document(session).devices[device] ?? metNames[device] { return name }
        guard device != self.device.id else { return self.device.name }
        var looked: Set<SessionID> = []
        var open = [session]
        while let next = open.popLast() {
            guard looked.insert(next).inserted else { continue }
            let live = engine.replicas[next]?.committed[.device(device)]
            if let name = live?.winner.value.string { return name }
            open += held.filter { $0.value.successors.contains(next) }.keys.sorted()
        }
        return document(session).name(of: device)
    }

    /// The player that a text names, among those given.
    func player(_ text: String, among players: [Player]) throws(ControlError) -> Player {
        try Match(text, among: players, \.name, \.id.description).only(
            of: text,
            "players",
            missing: "there is no player “\(text)”",
            known: players.map(\.name),
            precise: { "\($0.name) (\($0.id.description.prefix(8)))" }
        )
    }

    /// The players that texts name, each once.
    func players(_ texts: [String], among players: [Player]) throws(ControlError) -> [Player] {
        guard !texts.isEmpty else { throw ControlError(.usage, "name a player") }
        var named: [Player] = []
        for text in texts {
            let player = try player(text, among: players)
            if !named.contains(player) { named.append(player) }
        }
        return named
    }

    /// The sheet that a session is played by.
    func sheet(of document: SessionDocument) throws(ControlError) -> Sheet {
        do throws(SheetError) {
            return try shelf.sheet(of: document)
        } catch { throw ControlError(error, of: document) }
    }

    /// The session as it is on disk.
    func document(_ session: SessionID) -> SessionDocument { derived(session).document }

    /// What the session comes to by its sheet, as it is on disk.
    func standings(_ session: SessionID, by sheet: Sheet) -> Standings {
        let derived = derived(session)
        if let standings = derived.standings { return standings }
        let standings = sheet.rules.standings(of: derived.book)
        documents[session]?.standings = standings
        return standings
    }

    /// What is derived from the session as it is on disk, once after each change.
    func derived(_ session: SessionID) -> DerivedDocument {
        guard let committed = engine.replicas[session]?.committed else {
            return DerivedDocument(CausalMap())
        }
        if let derived = documents[session], derived.isTrue(of: committed) { return derived }
        let derived = DerivedDocument(committed)
        documents[session] = derived
        return derived
    }

    /// The session as the next write will find it, which may not be on disk yet.
    func draft(_ session: SessionID) -> (document: SessionDocument, book: Book) {
        guard let map = engine.replicas[session]?.map, map.isSealed || map.hasOpenChanges else {
            let derived = derived(session)
            return (derived.document, derived.book)
        }
        let document = SessionDocument(map.headLive)
        return (document, Book(document))
    }
}

extension ControlError {
    /// The rules do not allow it.
    init(_ violation: RuleViolation) {
        let candidates = violation.candidates
        self.init(
            .refused,
            violation.description,
            candidates: candidates.isEmpty ? nil : candidates
        )
    }
}
