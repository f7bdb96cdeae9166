internal import JSONCoding
package import SessionCRDT

/// Reads an untrusted export line by line and returns each session when it is complete.
///
/// It checks the same syntax and ranges as messages of peers, the limits of a session, that vectors
/// cover all dots, counts and digests. It buffers one session at a time, within those limits.
package struct ExportReader: Sendable {
    package enum Step: Sendable {
        case started(ExportHeader)
        case more
        case session(ImportedSession)
        case end(sessions: Int)
    }

    private enum Stage {
        case start, betweenSessions, inSession, end, failed
    }

    package private(set) var lines = 0
    private var stage = Stage.start
    private var session: SessionReading?
    private var seen: Set<SessionID> = []

    package init() {}

    /// Reads the next line, without its line feed.
    ///
    /// After an error no more lines may be read.
    package mutating func read(_ line: [UInt8]) throws(ExportError) -> Step {
        lines += 1
        if case .start = stage {
            stage = .failed
            let header = try ExportReader.header(line)
            stage = .betweenSessions
            return .started(header)
        }
        do throws(JSONFieldError) {
            let step = try apply(try ExportReader.text(line))
            session?.count(line)
            return step
        } catch {
            stage = .failed
            session = nil
            throw .damaged(line: lines, reason: error.reason)
        }
    }

    /// Throws unless the file is complete; to be called after the last line.
    package func finish() throws(ExportError) {
        switch stage {
        case .end: return
        case .start: throw .foreign
        case .betweenSessions, .inSession, .failed: throw .cut(lines: lines)
        }
    }

    private static func header(_ line: [UInt8]) throws(ExportError) -> ExportHeader {
        guard let text = try? text(line), text.isObject else { throw .foreign }
        return try ExportHeader(text)
    }

    private static func text(_ line: [UInt8]) throws(JSONFieldError) -> JSONValue {
        guard line.count <= ExportFormat.longestLine else {
            throw JSONFieldError("longer than \(ExportFormat.longestLine) bytes")
        }
        do throws(JSONScanError) { return try JSONText(line).root } catch {
            throw JSONFieldError("\(error)")
        }
    }

    private mutating func apply(_ line: JSONValue) throws(JSONFieldError) -> Step {
        switch (stage, try line.text("type", limit: 64)) {
        case (.betweenSessions, "session"):
            try startSession(try ExportedSession(line))
            return .more
        case (.betweenSessions, "end"):
            guard try line.integer("sessions", in: 0...Limits.largestInteger) == seen.count else {
                throw JSONFieldError("wrong number of sessions")
            }
            stage = .end
            return .end(sessions: seen.count)
        case (.inSession, "entries"):
            try session?.addEntries(line)
            return .more
        case (.inSession, "journal"):
            try session?.addJournal(line)
            return .more
        case (.inSession, "session-end"):
            let end = try ExportEnd(line)
            guard let whole = try session?.finish(end) else {
                throw JSONFieldError("no session is open")
            }
            session = nil
            stage = .betweenSessions
            return .session(whole)
        case (.end, _): throw JSONFieldError("text after the end")
        case (_, let type):
            let shown = PrintableText.cleaned(type, limit: 64)
            throw JSONFieldError("unexpected line of type “\(shown)”")
        }
    }

    private mutating func startSession(_ facts: ExportedSession) throws(JSONFieldError) {
        guard seen.count < ExportFormat.sessions else {
            throw JSONFieldError("more than \(ExportFormat.sessions) sessions")
        }
        try require(seen.insert(facts.id).inserted, "duplicate session \(facts.id)")
        session = SessionReading(facts)
        stage = .inSession
    }
}

struct SessionReading: Sendable {
    private let facts: ExportedSession
    private var reader = EntryRowReader()
    private var changes: [KeyedLiveSet] = []
    private var key: Key?
    private var entries: [Entry] = []
    private var count = 0
    private var tally = Tally()
    private var journal: [ImportedLine] = []
    /// The last line of the journal; the entries that it replaced come next.
    private var last: (key: Key, entry: Entry, recordedAt: UInt64)?
    private var replaced: [Entry] = []
    private var journalBytes = 0
    private var hash = SipHash()

    init(_ facts: ExportedSession) {
        self.facts = facts
        // Limited, because the count in the file is untrusted. The journal is mostly a little longer;
        // growing would need as much memory again for a while.
        let count = min(facts.count, 1 << 17)
        changes.reserveCapacity(count)
        journal.reserveCapacity(count + count / 4)
    }

    mutating func count(_ line: [UInt8]) {
        hash.add(line)
        hash.add([0x0A])
    }

    mutating func addEntries(_ line: JSONValue) throws(JSONFieldError) {
        try require(last == nil, "entries after the journal")
        let table = try EntryRowReader.table(try line.array("ids"))
        for row in try line.array("rows") {
            var fields = try JSONValue.array(row, "rows", limit: 7)
            guard fields.count == 7, let name = fields.next() else {
                throw JSONFieldError("a row of entries must have seven fields")
            }
            let key = try reader.key(name, table)
            if key != self.key {
                try closeSet()
                self.key = key
            }
            entries.append(try EntryRowReader.entry(&fields, under: key, table))
            count += 1
            try require(count <= facts.count, "more entries than announced")
        }
    }

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
                throw JSONFieldError("a row of the journal must have eight or six fields")
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

    /// Returns the completed session; to be called with its last line.
    mutating func finish(_ end: ExportEnd) throws(JSONFieldError) -> ImportedSession {
        try closeSet()
        closeLine()
        try require(end.id == facts.id, "the end of another session")
        guard end.entries == count, facts.count == count, end.journal == journal.count else {
            let found = "found \(count) entries and \(journal.count) lines of the journal"
            throw JSONFieldError("\(found), expected \(end.entries) and \(end.journal)")
        }
        try require(end.check == ExportEnd.check(hash), "the lines were changed (check)")
        try require(end.digest == tally.digest, "the entries were changed (digest)")
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
        // Nearly all live sets have one entry.
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

/// A session from a file: valid, complete, and within the limits of a session.
package struct ImportedSession: Sendable {
    package let facts: ExportedSession
    /// The live entries, as the delta for an empty replica.
    package let delta: Delta
    /// The journal of the exporting device, the oldest line first.
    package let journal: [ImportedLine]

    package var entries: [KeyedEntry] {
        // Reserves space, because growing would need as much memory again for a while.
        var entries: [KeyedEntry] = []
        entries.reserveCapacity(delta.changes.reduce(0) { $0 + $1.live.count })
        for change in delta.changes {
            for entry in change.live { entries.append(KeyedEntry(key: change.key, entry: entry)) }
        }
        return entries
    }
}

package struct ImportedLine: Hashable, Sendable {
    /// The time at which the exporting device recorded the line, in milliseconds since 1970.
    package let recordedAt: UInt64
    package let line: JournalLine

    package init(recordedAt: UInt64, line: JournalLine) {
        (self.recordedAt, self.line) = (recordedAt, line)
    }
}
