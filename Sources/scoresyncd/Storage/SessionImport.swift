import ControlSocket
import Descriptors
import Dispatch
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls that take sessions in from a file: owns what is being read, one file for each
/// connection at most, until the connection ends.
///
/// Lines are read beside the daemon's queue; what they come to is taken in on it. Invariant for
/// `@unchecked Sendable`: used on the daemon's queue only.
final class ImportCalls: @unchecked Sendable {
    private static let reading = DispatchQueue(label: "scoresync.import", qos: .userInitiated)

    private var files: [ObjectIdentifier: ImportFile] = [:]
    private let importer: Importer
    private let queue: EventQueue

    init(_ importer: Importer, _ queue: EventQueue) {
        self.importer = importer
        self.queue = queue
    }

    func register(on router: inout ControlRouter) {
        router.on(.startImport) { [self] request, call in
            let id = ObjectIdentifier(call.connection)
            let file = ImportFile(isDryRun: request.dryRun)
            if files.updateValue(file, forKey: id) == nil {
                call.connection.onClose { @Sendable [weak self] in self?.files[id] = nil }
            }
            call.respond(Done())
        }
        router.on(.addImport) { [self] request, call in
            do throws(ControlError) {
                let file = try file(of: call.connection)
                try add(request.text, to: file) { call.respond($0) }
            } catch { call.fail(error) }
        }
        router.on(.finishImport) { [self] _, call in
            do throws(ControlError) {
                let file = try file(of: call.connection)
                files[ObjectIdentifier(call.connection)] = nil
                do throws(ExportError) { try file.finish() } catch {
                    throw ControlError(.failed, "\(error)")
                }
                importer.finish(file) { result in
                    call.respond(result.map { ImportReply(sessions: []) })
                }
            } catch { call.fail(error) }
        }
    }

    private func file(of connection: ControlConnection) throws(ControlError) -> ImportFile {
        guard let file = files[ObjectIdentifier(connection)] else {
            throw ControlError(.usage, "no import was begun on this connection")
        }
        guard !file.isBusy else {
            throw ControlError(.usage, "the lines before are still being read")
        }
        return file
    }

    private func add(
        _ text: String,
        to file: ImportFile,
        then answer: @escaping Answer<ImportReply>
    ) throws(ControlError) {
        guard text.utf8.last == 0x0A else {
            throw ControlError(.usage, "import.add takes whole lines")
        }
        file.isBusy = true
        ImportCalls.reading.async { @Sendable [queue] in
            let read = file.read(text)
            queue.async { @Sendable [self] in
                take(read.sessions.reversed(), read.error, into: file, [], then: answer)
            }
        }
    }

    /// Takes sessions in, the last one first; then tells of a line that could not be read.
    ///
    /// Nobody keeps a session that is on its way to disk: it is the size of all that is held of it.
    private func take(
        _ sessions: [ImportedSession],
        _ error: ExportError?,
        into file: ImportFile,
        _ done: [ImportedSummary],
        then answer: @escaping Answer<ImportReply>
    ) {
        var rest = sessions
        guard let session = rest.popLast() else {
            file.isBusy = false
            if let error { return answer(.failure(ControlError(.failed, "\(error)"))) }
            return answer(.success(ImportReply(sessions: done)))
        }
        importer.take(session, for: file) { [self, rest] result in
            switch result {
            case .success(let summary):
                take(rest, error, into: file, done + [summary], then: answer)
            case .failure(let error):
                file.isBusy = false
                answer(.failure(error))
            }
        }
    }
}

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

/// A file that is being read: how far, and what came of it.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only, and by who reads its lines
/// while it is busy: a copy of the reader would be one of all that it has read.
final class ImportFile: @unchecked Sendable {
    /// Whether it is only checked.
    let isDryRun: Bool
    /// What has been read of it.
    private var reader = ExportReader()
    /// Whether lines are being read or taken in.
    var isBusy = false
    /// The first session that was not here before.
    var first: SessionID?

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// Reads whole lines, while it is busy; what they came to.
    func read(_ text: String) -> ImportedLines {
        var sessions: [ImportedSession] = []
        do throws(ExportError) {
            for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                .dropLast()
            {
                guard case .session(let session) = try reader.read(Array(line)) else { continue }
                sessions.append(session)
            }
            return ImportedLines(sessions: sessions, error: nil)
        } catch { return ImportedLines(sessions: sessions, error: error) }
    }

    /// Makes sure that the file is whole, when there are no more lines.
    func finish() throws(ExportError) { try reader.finish() }
}

/// What lines of a file came to.
struct ImportedLines: Sendable {
    /// The sessions that are whole with them.
    let sessions: [ImportedSession]
    /// What is wrong with the first line that could not be read.
    let error: ExportError?
}
