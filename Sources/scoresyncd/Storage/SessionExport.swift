import ControlSocket
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls that export sessions to a file; owns the exports in progress, at most one for each
/// connection.
@EventLoop
final class ExportCalls: CallGroup {
    private var exports: [ObjectIdentifier: SessionExport] = [:]

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    func register(on router: inout ControlRouter) {
        router.answerConnection(.startExport) {
            [self] request, connection async throws(ControlError) in
            try await start(request, for: connection)
        }
        router.answerConnection(.nextExport) { [self] _, connection async throws(ControlError) in
            let id = ObjectIdentifier(connection)
            guard let export = exports[id] else {
                throw .usage("no export was started on this connection")
            }
            do throws(ControlError) {
                let page = try await export.next()
                if page.isLast { exports[id] = nil }
                return page
            } catch {
                exports[id] = nil
                throw error
            }
        }
    }

    private func start(
        _ request: ExportParameters,
        for connection: ControlConnection
    ) async throws(ControlError) -> ExportBeginReply {
        let session = try sessions.session(request.session)
        let isKeyMissing = request.withKey && !session.facts.hasKey
        let end = try await storage.run { [id = session.id] store throws(StoreError) in
            try store.journalEnd(of: id)
        }
        // The committed data is the same that the disk held when the journal was requested.
        guard connection.isOpen, let committed = session.committedMap else {
            throw session.unreadableError
        }
        let facts = ExportedSession(
            id: session.id,
            title: session.title,
            joinedAt: session.facts.joinedAt,
            isCurrent: sessions.current == session.id,
            key: request.withKey && session.facts.hasKey ? session.facts.key.bytes : nil,
            vector: committed.vector,
            count: committed.live.reduce(0) { $0 + $1.value.count }
        )
        let export = SessionExport(facts, committed, withKeys: request.withKey, end, storage)
        let reply = ExportBeginReply(
            session: session.id.description,
            title: session.title,
            header: String(decoding: header.line + [0x0A], as: UTF8.self),
            rows: export.rowCount,
            isKeyMissing: isKeyMissing
        )
        await export.sort(on: queue)
        keep(export, for: connection)
        return reply
    }

    private func keep(_ export: SessionExport, for connection: ControlConnection) {
        let id = ObjectIdentifier(connection)
        if exports.updateValue(export, forKey: id) == nil {
            connection.onClose { [weak self] in self?.exports[id] = nil }
        }
    }

    private var header: ExportHeader {
        ExportHeader(
            program: Versions.program,
            at: Timestamp(milliseconds: Clock.wallMilliseconds),
            device: device.id.description,
            name: device.name
        )
    }
}

/// An export of a session page by page, as it was on disk at the start.
///
/// It holds a copy of the map, which shares its storage until the next write, and reads the journal
/// up to the line that was the last one at the start.
@EventLoop
final class SessionExport {
    /// The size of a page, which takes a few milliseconds to create.
    private static let pageBytes = 256 << 10
    private nonisolated static let linesAtOnce = 250
    private static let sorting = WorkerThread()

    private struct Position {
        var isStarted = false
        /// Whether the next lines are being read from the disk.
        var isBusy = false
        /// The slot of the next key, and the index of its next entry.
        var slot = 0
        var entry = 0
        /// The last line of the journal that was exported with all its replaced entries.
        var line = Int64.min
        /// The number of replaced entries of the next line that were exported; nil if its row was
        /// not.
        var replaced: Int?
        var lines = 0
        var rows = 0
    }

    /// The number of rows, in which those of the journal are an estimate.
    let rowCount: Int

    private let facts: ExportedSession
    private let live: LiveSets
    /// The slots sorted by key, so that equal sessions give equal lines.
    private var order: [Int] = []
    private let digest: Digest
    private let withKeys: Bool
    private let lastLine: Int64?
    private let storage: Storage
    private var position = Position()
    private var page: [UInt8] = []
    private var hash = SipHash()

    init(
        _ facts: ExportedSession,
        _ committed: CausalMap,
        withKeys: Bool,
        _ journal: (last: Int64, count: Int)?,
        _ storage: Storage
    ) {
        self.facts = facts
        self.withKeys = withKeys
        self.storage = storage
        live = committed.live
        lastLine = journal?.last
        rowCount = facts.count + (journal?.count ?? 0)
        var tally = committed.tally
        let next = Key.session(Field.next)
        if !withKeys, let set = committed[next] {
            tally.change(next, from: set, to: set.withoutKeys(under: next))
        }
        digest = tally.digest
    }

    /// Sorts the keys without blocking the event queue; must be called before the first page.
    func sort(on queue: EventQueue) async {
        order = await queue.run(on: SessionExport.sorting) { [live] in
            live.indices.sorted { live[$0].key < live[$1].key }
        }
    }

    func next() async throws(ControlError) -> ExportNextReply {
        guard !position.isBusy else {
            throw .usage("the previous page is still being prepared")
        }
        page = position.isStarted ? [] : facts.line + [0x0A]
        position.isStarted = true
        if position.slot < live.count { addEntries() }
        guard position.slot == live.count, page.count < SessionExport.pageBytes else {
            return finishedPage(isLast: false)
        }
        guard let lastLine else { return lastPage() }
        position.isBusy = true
        defer { position.isBusy = false }
        let after = position.line
        let records = try await storage.run { [id = facts.id] store throws(StoreError) in
            let filter = HistoryFilter(before: lastLine + 1, after: after)
            let limit = SessionExport.linesAtOnce
            return try store.history(of: id, filter, oldestFirst: true, limit: limit)
        }
        guard !records.isEmpty else { return lastPage() }
        add(records)
        return finishedPage(isLast: false)
    }

    private func lastPage() -> ExportNextReply {
        hash.add(page)
        let end = ExportEnd(
            id: facts.id,
            entries: facts.count,
            journal: position.lines,
            digest: digest,
            check: hash
        )
        page += end.line + [0x0A]
        return finishedPage(isLast: true)
    }

    private func finishedPage(isLast: Bool) -> ExportNextReply {
        if !isLast { hash.add(page) }
        let text = String(decoding: page, as: UTF8.self)
        page = []
        return ExportNextReply(text: text, rows: position.rows, isLast: isLast)
    }

    /// Adds live entries until the page is full or none are left.
    private func addEntries() {
        var rows = ExportRows(.entries)
        while position.slot < live.count, page.count < SessionExport.pageBytes {
            let (key, set) = live[order[position.slot]]
            while position.entry < set.count, !rows.isFull {
                let entry = set[position.entry]
                rows.add(withKeys ? entry : entry.withoutKeys(under: key), under: key)
                position.entry += 1
                position.rows += 1
            }
            if position.entry == set.count {
                position.slot += 1
                position.entry = 0
            }
            if rows.isFull { flush(&rows, .entries) }
        }
        flush(&rows, .entries)
    }

    /// Adds lines of the journal until the page is full; the next page reads the remaining ones
    /// again.
    private func add(_ records: [JournalRecord]) {
        var rows = ExportRows(.journal)
        for record in records where page.count < SessionExport.pageBytes {
            let line = record.line
            if position.replaced == nil {
                let entry = line.entry
                rows.add(
                    withKeys ? entry : entry.withoutKeys(under: line.key),
                    under: line.key,
                    recordedAt: record.recordedAt
                )
                position.lines += 1
                position.rows += 1
                position.replaced = 0
            }
            while let done = position.replaced, done < line.replaced.count,
                page.count < SessionExport.pageBytes
            {
                if rows.isFull { flush(&rows, .journal) }
                let entry = line.replaced[done]
                rows.add(replaced: withKeys ? entry : entry.withoutKeys(under: line.key))
                position.replaced = done + 1
            }
            if position.replaced == line.replaced.count {
                position.replaced = nil
                position.line = record.number
            }
            if rows.isFull { flush(&rows, .journal) }
        }
        flush(&rows, .journal)
    }

    private func flush(_ rows: inout ExportRows, _ kind: ExportRows.Kind) {
        guard !rows.isEmpty else { return }
        page += rows.line + [0x0A]
        rows = ExportRows(kind)
    }
}
