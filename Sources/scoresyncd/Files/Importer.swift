import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Takes sessions of a file in: a new one is on disk whole or not at all, one that is held is
/// merged through the engine as what a peer sends, so that nothing that is here is lowered.
struct Importer: Sendable {
    private let sessions: SessionCatalog
    private let intake: SessionIntake
    private let writer: SessionWriter
    private let disk: Disk
    private let loop: EngineLoop

    init(
        _ sessions: SessionCatalog,
        _ intake: SessionIntake,
        _ writer: SessionWriter,
        _ disk: Disk,
        _ loop: EngineLoop
    ) {
        self.sessions = sessions
        self.intake = intake
        self.writer = writer
        self.disk = disk
        self.loop = loop
    }

    /// Takes a session in, or says what would become of it.
    func take(
        _ imported: ImportedSession,
        for file: ImportFile,
        then answer: @escaping Answer<ImportedSummary>
    ) {
        guard let session = sessions[imported.facts.id] else {
            return begin(imported, for: file, then: answer)
        }
        merge(imported, into: session, for: file, then: answer)
    }

    /// Makes one of the new sessions the current one, where there was none.
    func finish(_ file: ImportFile, then answer: @escaping Answer<Void>) {
        guard !file.isDryRun, sessions.current == nil,
            let first = file.first.flatMap({ sessions[$0] })
        else { return answer(.success(())) }
        intake.use(first) { result in answer(result.map { _ in }) }
    }

    // MARK: One that is not here

    private func begin(
        _ imported: ImportedSession,
        for file: ImportFile,
        then answer: @escaping Answer<ImportedSummary>
    ) {
        let facts = imported.facts
        let summary = ImportedSummary(
            id: facts.id.description,
            title: facts.title,
            outcome: .new,
            entries: facts.count,
            journal: imported.journal.count,
            hasKey: facts.key != nil
        )
        guard !file.isDryRun else { return answer(.success(summary)) }
        let record = SessionRecord(
            id: facts.id,
            key: facts.key ?? [],
            joinedAt: facts.joinedAt
        )
        let batch = Batch(
            removed: [],
            inserted: imported.entries,
            advanced: facts.vector.sorted,
            journal: []
        )
        intake.take(
            record,
            greeting: facts.title,
            beginning: batch,
            journal: imported.journal,
            makingCurrent: sessions.current == nil && facts.isCurrent
        ) { result in
            switch result {
            case .success(let session):
                if file.first == nil { file.first = session.id }
                answer(.success(summary))
            case .failure(let error): answer(.failure(error))
            }
        }
    }

    // MARK: One that is held

    private func merge(
        _ imported: ImportedSession,
        into session: Session,
        for file: ImportFile,
        then answer: @escaping Answer<ImportedSummary>
    ) {
        let key = imported.facts.key
        guard let seen = loop.engine.replicas[session.id]?.map.headVector else {
            return answer(.failure(session.unreadableError))
        }
        if let key, session.facts.hasKey, session.facts.key != Secret(key) {
            let text = "session \(session.shortID) is held here with another key; leave it first"
            return answer(.failure(ControlError(.refused, text)))
        }
        let news = imported.delta.changes.reduce(0) { sum, change in
            sum + change.live.count { !seen.covers($0.dot) }
        }
        let isNews = !seen.covers(imported.delta.upto)
        disk.ask(isLong: true) { [id = session.id] store throws(StoreError) in
            let known = try store.journalDots(of: id)
            return imported.journal.map(\.line).filter { !known.contains($0.entry.dot) }
        } then: { [self] result in
            let lines: [JournalLine]
            switch result {
            case .success(let missing): lines = missing
            case .failure(let error): return answer(.failure(error))
            }
            let bringsKey = key != nil && !session.facts.hasKey
            let isSame = !isNews && lines.isEmpty && !bringsKey
            let summary = ImportedSummary(
                id: session.id.description,
                title: session.title,
                outcome: isSame ? .same : .changed,
                entries: news,
                journal: lines.count,
                hasKey: key != nil || session.facts.hasKey
            )
            guard !file.isDryRun, !isSame else { return answer(.success(summary)) }
            writer.take(imported.delta, telling: lines, into: session) { [self] result in
                if case .failure(let error) = result { return answer(.failure(error)) }
                guard bringsKey, let key else { return answer(.success(summary)) }
                intake.restore(key, of: session) { answer($0.map { summary }) }
            }
        }
    }
}
