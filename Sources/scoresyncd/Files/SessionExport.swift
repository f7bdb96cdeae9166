import Descriptors
import Dispatch
import SessionCRDT
import SessionStore
import SyncProtocol

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
