import ControlSocket
import Descriptors
import Dispatch
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls that write sessions into a file: owns what is being exported, one session for each
/// connection at most, until it is over or the connection ends.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class ExportCalls: @unchecked Sendable {
    private var exports: [ObjectIdentifier: SessionExport] = [:]
    private let sessions: SessionCatalog
    private let disk: Disk
    private let device: Device
    private let queue: EventQueue

    init(_ sessions: SessionCatalog, _ disk: Disk, by device: Device, on queue: EventQueue) {
        self.sessions = sessions
        self.disk = disk
        self.device = device
        self.queue = queue
    }

    func register(on router: inout ControlRouter) {
        router.on(.startExport) { [self] request, call in
            do throws(ControlError) { try begin(request, call) } catch { call.fail(error) }
        }
        router.on(.nextExport) { [self] _, call in
            let connection = ObjectIdentifier(call.connection)
            guard let export = exports[connection] else {
                return call.fail(ControlError(.usage, "no export was begun on this connection"))
            }
            export.next { [self] result in
                if case .success(let page) = result, !page.isLast { return call.respond(result) }
                exports[connection] = nil
                call.respond(result)
            }
        }
    }

    private func begin(
        _ request: ExportParameters,
        _ call: ControlCall<ExportBeginReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        let isKeyMissing = request.withKey && !session.facts.hasKey
        disk.ask { [id = session.id] store throws(StoreError) in
            try store.journalEnd(of: id)
        } then: { [self] result in
            let end: (last: Int64, count: Int)?
            switch result {
            case .failure(let error): return call.fail(error)
            case .success(let found): end = found
            }
            // Here what is committed is just what the disk held when the journal was asked for.
            guard call.connection.isOpen,
                let export = sessions.export(session, withKey: request.withKey, end, disk)
            else { return call.fail(session.unreadableError) }
            let reply = ExportBeginReply(
                session: session.id.description,
                title: session.title,
                header: String(decoding: header.line + [0x0A], as: UTF8.self),
                rows: export.rowCount,
                isKeyMissing: isKeyMissing
            )
            export.sort(on: queue) { [self] in
                keep(export, for: call.connection)
                call.respond(reply)
            }
        }
    }

    private func keep(_ export: SessionExport, for connection: ControlConnection) {
        let id = ObjectIdentifier(connection)
        if exports.updateValue(export, forKey: id) == nil {
            connection.onClose { @Sendable [weak self] in self?.exports[id] = nil }
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

extension SessionCatalog {
    /// An export of what is on disk of a session now; nil where that cannot be read.
    fileprivate func export(
        _ session: Session,
        withKey: Bool,
        _ journal: (last: Int64, count: Int)?,
        _ disk: Disk
    ) -> SessionExport? {
        guard let committed = session.committedMap else { return nil }
        let facts = ExportedSession(
            id: session.id,
            title: session.title,
            joinedAt: session.facts.joinedAt,
            isCurrent: current == session.id,
            key: withKey && session.facts.hasKey ? session.facts.key.bytes : nil,
            vector: committed.vector,
            count: committed.live.reduce(0) { $0 + $1.value.count }
        )
        return SessionExport(facts, committed, withKeys: withKey, journal, disk)
    }
}

/// A session on its way into a file, page by page: what was on disk when it began, whatever is
/// written meanwhile.
///
/// It holds a copy of the map, which costs nothing until somebody writes, and reads the journal up
/// to the line that was the last. Invariant for `@unchecked Sendable`: used on the daemon's queue
/// only.
final class SessionExport: @unchecked Sendable {
    /// How long a page gets, in bytes: a few milliseconds of work.
    private static let pageBytes = 256 << 10
    /// How many lines of the journal are read at a time.
    private static let linesAtOnce = 250

    /// How many rows there are, of the journal about.
    let rowCount: Int

    private let facts: ExportedSession
    private let live: LiveSets
    /// The slots in the order of their keys, so that the same state gives the same lines.
    private var order: [Int] = []
    private let digest: Digest
    private let withKeys: Bool
    private let lastLine: Int64?
    private let disk: Disk
    private var place = ExportPlace()
    private var page: [UInt8] = []
    /// The hash of what was written.
    private var hash = SipHash()

    init(
        _ facts: ExportedSession,
        _ committed: CausalMap,
        withKeys: Bool,
        _ journal: (last: Int64, count: Int)?,
        _ disk: Disk
    ) {
        self.facts = facts
        self.withKeys = withKeys
        self.disk = disk
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

    /// Puts the keys in order, beside the queue; before the first lines.
    func sort(on queue: EventQueue, then done: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { @Sendable [live] in
            let order = live.indices.sorted { live[$0].key < live[$1].key }
            queue.async { @Sendable [self] in
                self.order = order
                done()
            }
        }
    }

    /// The next lines.
    func next(then answer: @escaping Answer<ExportNextReply>) {
        guard !place.isBusy else {
            return answer(.failure(ControlError(.usage, "the last page is still being made")))
        }
        page = place.isBegun ? [] : facts.line + [0x0A]
        place.isBegun = true
        if place.slot < live.count { addEntries() }
        guard place.slot == live.count, page.count < SessionExport.pageBytes else {
            return tell(isLast: false, answer)
        }
        guard let lastLine else { return end(answer) }
        place.isBusy = true
        let after = place.line
        disk.ask { [id = facts.id] store throws(StoreError) in
            let filter = HistoryFilter(before: lastLine + 1, after: after)
            let limit = SessionExport.linesAtOnce
            return try store.history(of: id, filter, oldestFirst: true, limit: limit)
        } then: { [self] result in
            place.isBusy = false
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let records) where records.isEmpty: end(answer)
            case .success(let records):
                add(records)
                tell(isLast: false, answer)
            }
        }
    }

    private func end(_ answer: Answer<ExportNextReply>) {
        hash.add(page)
        let end = ExportEnd(
            id: facts.id,
            entries: facts.count,
            journal: place.lines,
            digest: digest,
            check: hash
        )
        page += end.line + [0x0A]
        tell(isLast: true, answer)
    }

    private func tell(isLast: Bool, _ answer: Answer<ExportNextReply>) {
        if !isLast { hash.add(page) }
        let text = String(decoding: page, as: UTF8.self)
        page = []
        answer(.success(ExportNextReply(text: text, rows: place.rows, isLast: isLast)))
    }

    /// Adds live entries until the page is full or there are no more.
    private func addEntries() {
        var rows = ExportRows(.entries)
        while place.slot < live.count, page.count < SessionExport.pageBytes {
            let (key, set) = live[order[place.slot]]
            while place.entry < set.count, !rows.isFull {
                let entry = set[place.entry]
                rows.add(withKeys ? entry : entry.withoutKeys(under: key), under: key)
                place.entry += 1
                place.rows += 1
            }
            if place.entry == set.count {
                place.slot += 1
                place.entry = 0
            }
            if rows.isFull { flush(&rows, .entries) }
        }
        flush(&rows, .entries)
    }

    /// Adds lines of the journal until the page is full; the rest is read again for the next.
    private func add(_ records: [JournalRecord]) {
        var rows = ExportRows(.journal)
        for record in records where page.count < SessionExport.pageBytes {
            let line = record.line
            if place.replaced == nil {
                let entry = line.entry
                rows.add(
                    withKeys ? entry : entry.withoutKeys(under: line.key),
                    under: line.key,
                    recordedAt: record.recordedAt
                )
                place.lines += 1
                place.rows += 1
                place.replaced = 0
            }
            while let done = place.replaced, done < line.replaced.count,
                page.count < SessionExport.pageBytes
            {
                if rows.isFull { flush(&rows, .journal) }
                let entry = line.replaced[done]
                rows.add(replaced: withKeys ? entry : entry.withoutKeys(under: line.key))
                place.replaced = done + 1
            }
            if place.replaced == line.replaced.count {
                place.replaced = nil
                place.line = record.number
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

/// How far an export has come.
private struct ExportPlace {
    var isBegun = false
    /// Whether the disk is asked for the next lines.
    var isBusy = false
    /// The slot of the key that is next, and which of its entries.
    var slot = 0
    var entry = 0
    /// The last line of the journal that is written whole.
    var line = Int64.min
    /// How much of what the line after it replaced is written; nil where that line is not.
    var replaced: Int?
    /// How many lines of the journal are written.
    var lines = 0
    /// How many rows are written.
    var rows = 0
}
