import JSONCoding
import SessionCRDT

/// A session of which some lines have been read.
struct SessionReading: Sendable {
    private let facts: ExportedSession
    private var reader = EntryRowReader()
    private var changes: [KeyedLiveSet] = []
    /// The key whose live set is being read.
    private var key: Key?
    private var entries: [Entry] = []
    private var count = 0
    private var tally = Tally()
    private var journal: [ImportedLine] = []
    /// The last line of the journal, to which what it replaced is added.
    private var last: (key: Key, entry: Entry, recordedAt: UInt64)?
    private var replaced: [Entry] = []
    private var journalBytes = 0
    private var hash = SipHash()

    /// A session of which nothing has been read but what the file says of it.
    init(_ facts: ExportedSession) {
        self.facts = facts
        // As many as are announced, unless that is more than anybody has.
        changes.reserveCapacity(min(facts.count, 1 << 17))
    }

    /// Counts a line of the session as it was written.
    mutating func count(_ line: [UInt8]) {
        hash.add(line)
        hash.add([0x0A])
    }

    /// Adds a line of live entries.
    mutating func addEntries(_ line: JSONValue) throws(JSONFieldError) {
        guard last == nil else { throw JSONFieldError("entries behind the journal") }
        let table = try EntryRowReader.table(try line.array("ids"))
        for row in try line.array("rows") {
            var fields = try JSONValue.array(row, "rows", limit: 7)
            guard fields.count == 7, let name = fields.next() else {
                throw JSONFieldError("a row of entries has not seven fields")
            }
            let key = try reader.key(name, table)
            if key != self.key {
                try closeSet()
                self.key = key
            }
            entries.append(try EntryRowReader.entry(&fields, under: key, table))
            count += 1
            guard count <= facts.count else { throw JSONFieldError("more entries than announced") }
        }
    }

    /// Adds a line of the journal.
    mutating func addJournal(_ line: JSONValue) throws(JSONFieldError) {
        let table = try EntryRowReader.table(try line.array("ids"))
        for row in try line.array("rows") {
            var fields = try JSONValue.array(row, "rows", limit: 8)
            if fields.count == 6, let last {
                let entry = try EntryRowReader.entry(&fields, under: last.key, table)
                try weigh(entry, last.key)
                replaced.append(entry)
                continue
            }
            guard fields.count == 8, let name = fields.next() else {
                throw JSONFieldError("a row of the journal has neither eight fields nor six")
            }
            closeLine()
            let key = try reader.key(name, table)
            let entry = try EntryRowReader.entry(&fields, under: key, table)
            let times = 0...Limits.largestInteger
            let time = try JSONValue.integer(fields.next(), "the time of a line", in: times)
            try weigh(entry, key)
            last = (key, entry, UInt64(time))
        }
    }

    /// The session, once its last line has come.
    mutating func finish(_ end: ExportEnd) throws(JSONFieldError) -> ImportedSession {
        try closeSet()
        closeLine()
        guard end.id == facts.id else { throw JSONFieldError("it ends another session") }
        guard end.entries == count, facts.count == count, end.journal == journal.count else {
            let came = "\(count) entries and \(journal.count) lines of the journal came"
            throw JSONFieldError("\(came), \(end.entries) and \(end.journal) were written")
        }
        guard end.check == ExportEnd.check(hash) else {
            throw JSONFieldError("the lines are not those that were written (check)")
        }
        guard end.digest == tally.digest else {
            throw JSONFieldError("the entries are not those that were written (digest)")
        }
        guard tally.weight.authors.allSatisfy({ tally.weight[$0] <= Limits.authorBytes }) else {
            throw JSONFieldError("more than \(Limits.authorBytes) bytes of one author")
        }
        let delta: Delta
        do throws(DeltaError) {
            delta = try Delta(base: VersionVector(), upto: facts.vector, changes: changes)
        } catch { throw JSONFieldError("\(error)") }
        return ImportedSession(facts: facts, delta: delta, journal: journal)
    }

    private mutating func closeSet() throws(JSONFieldError) {
        defer { entries.removeAll(keepingCapacity: true) }
        // Nearly all sets have one entry.
        let live = entries.count == 1 ? entries.first.map { LiveSet($0) } : LiveSet(entries)
        guard let key, let live else { return }
        tally.change(key, from: nil, to: live)
        guard tally.bytes <= Limits.mergedBytes else {
            throw JSONFieldError("more than \(Limits.mergedBytes) bytes in one session")
        }
        changes.append(KeyedLiveSet(key: key, live: live))
    }

    private mutating func closeLine() {
        guard let last else { return }
        let line = JournalLine(key: last.key, entry: last.entry, replaced: replaced)
        journal.append(ImportedLine(recordedAt: last.recordedAt, line: line))
        replaced = []
    }

    private mutating func weigh(_ entry: Entry, _ key: Key) throws(JSONFieldError) {
        journalBytes += entry.canonicalCount(under: key)
        guard journalBytes <= ExportFormat.journalBytes else {
            throw JSONFieldError("a journal of more than \(ExportFormat.journalBytes) bytes")
        }
    }
}
