import ControlSocket
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol
import Synchronization

/// The calls that import sessions from a file; owns the files being read, at most one for each
/// connection.
@EventLoop
final class ImportCalls: CallGroup {
    private static let reading = WorkerThread()

    private var files: [ObjectIdentifier: ImportFile] = [:]

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    func register(on router: inout ControlRouter) {
        router.on(.startImport) { [self] request, call in
            let id = ObjectIdentifier(call.connection)
            let file = ImportFile(isDryRun: request.dryRun)
            if files.updateValue(file, forKey: id) == nil {
                call.connection.onClose { [weak self] in self?.files[id] = nil }
            }
            call.respond(Done())
        }
        router.answerConnection(.addImport) {
            [self] request, connection async throws(ControlError) in
            try await add(request.text, to: try file(of: connection))
        }
        router.answerConnection(.finishImport) {
            [self] _, connection async throws(ControlError) in
            let file = try file(of: connection)
            files[ObjectIdentifier(connection)] = nil
            do throws(ExportError) { try file.finish() } catch {
                throw .failed("\(error)")
            }
            try await Importer(daemon: daemon).finish(file)
            return ImportReply([])
        }
    }

    private func file(of connection: ControlConnection) throws(ControlError) -> ImportFile {
        guard let file = files[ObjectIdentifier(connection)] else {
            throw .usage("no import was started on this connection")
        }
        guard !file.isBusy else {
            throw .usage("the previous lines are still being read")
        }
        return file
    }

    /// Reads lines without blocking the event queue, and stores the sessions that they complete;
    /// then throws the error of the first line that could not be read.
    private func add(
        _ text: String,
        to file: ImportFile
    ) async throws(ControlError) -> ImportReply {
        guard text.utf8.last == 0x0A else {
            throw .usage("import.add requires whole lines")
        }
        file.isBusy = true
        defer { file.isBusy = false }
        let importer = Importer(daemon: daemon)
        let lines = await queue.run(on: ImportCalls.reading) { file.read(text) }
        var done: [ImportedSummary] = []
        // Each session is released after it is stored, because it may be large.
        var sessions = Array(lines.sessions.reversed())
        while let session = sessions.popLast() {
            done.append(try await importer.store(session, for: file))
        }
        if let error = lines.error { throw .failed("\(error)") }
        return ImportReply(done)
    }
}

/// Stores the sessions of a file: a new session in one transaction; a known one is merged by the
/// engine like a peer's data, so that nothing on this device is lost.
@EventLoop
struct Importer: DaemonPart {
    let daemon: Daemon

    /// Stores a session; in a dry run it only reports what would change.
    ///
    /// The content is passed on instead of kept, because it may be as large as all the rest.
    func store(
        _ imported: consuming ImportedSession,
        for file: ImportFile
    ) async throws(ControlError) -> ImportedSummary {
        let imported = imported
        guard let session = sessions[imported.facts.id] else {
            return try await create(imported, for: file)
        }
        return try await merge(imported, into: session, for: file)
    }

    /// Makes the first new session the current one, if there is no current session.
    func finish(_ file: ImportFile) async throws(ControlError) {
        guard !file.isDryRun, sessions.current == nil,
            let first = file.first.flatMap({ sessions[$0] })
        else { return }
        try await lifecycle.use(first)
    }

    private func create(
        _ imported: consuming ImportedSession,
        for file: ImportFile
    ) async throws(ControlError) -> ImportedSummary {
        let (facts, journal) = (imported.facts, imported.journal)
        let summary = ImportedSummary(id: facts.id.description, title: facts.title, outcome: .new)
            .with {
                $0.entries = facts.count
                $0.journal = journal.count
                $0.hasKey = facts.key != nil
            }
        guard !file.isDryRun else { return summary }
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
        let session = try await lifecycle.add(
            record,
            title: facts.title,
            starting: batch,
            journal: journal,
            makingCurrent: sessions.current == nil && facts.isCurrent
        )
        if file.first == nil { file.first = session.id }
        return summary
    }

    private func merge(
        _ imported: ImportedSession,
        into session: Session,
        for file: ImportFile
    ) async throws(ControlError) -> ImportedSummary {
        let key = imported.facts.key
        guard let seen = driver.engine.replicas[session.id]?.map.headVector else {
            throw session.unreadableError
        }
        if let key, session.facts.hasKey, session.facts.key != Secret(key) {
            let text = "session \(session.shortID) is held here with another key; leave it first"
            throw .refused(text)
        }
        let news = imported.delta.changes.reduce(0) { sum, change in
            sum + change.live.count { !seen.covers($0.dot) }
        }
        let isNews = !seen.covers(imported.delta.upto)
        let lines = try await storage.run(isLong: true) {
            [id = session.id] store throws(StoreError) in
            let known = try store.journalDots(of: id)
            return imported.journal.map(\.line).filter { !known.contains($0.entry.dot) }
        }
        let bringsKey = key != nil && !session.facts.hasKey
        let isSame = !isNews && lines.isEmpty && !bringsKey
        let summary = ImportedSummary(
            id: session.id.description,
            title: session.title,
            outcome: isSame ? .same : .changed
        ).with {
            $0.entries = news
            $0.journal = lines.count
            $0.hasKey = key != nil || session.facts.hasKey
        }
        guard !file.isDryRun, !isSame else { return summary }
        try await writer.merge(imported.delta, lines, into: session)
        if bringsKey, let key { try await lifecycle.restore(key, of: session) }
        return summary
    }
}

@EventLoop
final class ImportFile {
    let isDryRun: Bool
    /// The parser, which is used on the import queue while `isBusy` is true.
    private let reader = Mutex(ExportReader())
    /// Whether lines are being read or stored.
    var isBusy = false
    var first: SessionID?

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// Reads complete lines while the file is busy; returns the sessions that they complete, and
    /// the error of the first line that could not be read.
    nonisolated func read(_ text: String) -> (sessions: [ImportedSession], error: ExportError?) {
        reader.withLock { reader in
            var sessions: [ImportedSession] = []
            do throws(ExportError) {
                for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .dropLast()
                {
                    guard case .session(let session) = try reader.read(Array(line)) else {
                        continue
                    }
                    sessions.append(session)
                }
                return (sessions, nil)
            } catch { return (sessions, error) }
        }
    }

    /// Throws unless the file is complete; to be called after its last line.
    func finish() throws(ExportError) {
        try reader.withLock { reader throws(ExportError) in try reader.finish() }
    }
}
