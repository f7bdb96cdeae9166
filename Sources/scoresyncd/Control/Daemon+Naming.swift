import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// What the words that users type mean here.
extension Daemon {
    /// The session that a text names: its id or a beginning of it, or its title; nil: the current.
    func session(_ text: String?) throws(ControlError) -> SessionID {
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
        switch Match(text, among: ids, \.description, title) {
        case .one(let id): return id
        case .none:
            throw ControlError(
                .notFound,
                "there is no session “\(text)”",
                candidates: ids.map(title)
            )
        case .many(let ids):
            throw ControlError(
                .notFound,
                "“\(text)” could be several sessions",
                candidates: ids.map { "\($0.description.prefix(8)) \(title(of: $0))" }
            )
        }
    }

    /// The title of a session, before its data has come the one it was greeted with.
    func title(of session: SessionID) -> String {
        let title = document(session).title
        if !title.isEmpty { return title }
        return held[session]?.greeting ?? String(session.description.prefix(8))
    }

    /// The player that a text names, among those given.
    func player(_ text: String, among players: [Player]) throws(ControlError) -> Player {
        switch Match(text, among: players, \.name, \.id.description) {
        case .one(let player): return player
        case .none:
            throw ControlError(
                .notFound,
                "there is no player “\(text)”",
                candidates: players.map(\.name)
            )
        case .many(let players):
            throw ControlError(
                .notFound,
                "“\(text)” could be several players",
                candidates: players.map { "\($0.name) (\($0.id.description.prefix(8)))" }
            )
        }
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
            return try SheetLibrary.builtIn.sheet(of: document)
        } catch {
            throw ControlError(.notFound, "\(error)")
        }
    }

    /// The session as it is on disk.
    func document(_ session: SessionID) -> SessionDocument {
        guard let committed = engine.replicas[session]?.committed else {
            return SessionDocument([:])
        }
        if let derived = documents[session], derived.vector == committed.vector,
            derived.digest == committed.tally.digest
        {
            return derived.document
        }
        let document = SessionDocument(committed.live)
        documents[session] = DerivedDocument(
            vector: committed.vector,
            digest: committed.tally.digest,
            document: document
        )
        return document
    }

    /// The session as the next write will find it, which may not be on disk yet.
    func draft(_ session: SessionID) -> SessionDocument {
        guard let map = engine.replicas[session]?.map, map.isSealed || map.hasOpenChanges else {
            return document(session)
        }
        return SessionDocument(map.headLive)
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
