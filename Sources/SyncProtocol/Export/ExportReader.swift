internal import JSONCoding
package import SessionCRDT

/// Reads an export line by line, whoever wrote it, and hands each session out when it is whole.
///
/// It trusts nothing: forms and numbers as of a peer, the limits of a session, dots within vectors,
/// counts and digests. It keeps one session at a time, which is bounded as sessions are.
package struct ExportReader: Sendable {
    /// What a line came to.
    package enum Step: Sendable {
        /// The file began.
        case begun(ExportHeader)
        /// More is needed.
        case more
        /// A session is whole.
        case session(ImportedSession)
        /// The file is whole, with so many sessions.
        case over(sessions: Int)
    }

    private enum Stage {
        case beginning
        case between
        case inside
        case over
        case failed
    }

    /// How many lines have been read.
    package private(set) var lines = 0
    private var stage = Stage.beginning
    private var session: SessionReading?
    private var seen: Set<SessionID> = []

    /// A reader before the first line.
    package init() {}

    /// Reads the next line, without its end.
    ///
    /// - Throws: what is wrong with it; then nothing more can be read.
    package mutating func read(_ line: [UInt8]) throws(ExportError) -> Step {
        lines += 1
        if case .beginning = stage {
            stage = .failed
            let header = try ExportReader.header(line)
            stage = .between
            return .begun(header)
        }
        do throws(JSONFieldError) {
            let step = try take(try ExportReader.text(line))
            session?.count(line)
            return step
        } catch {
            stage = .failed
            session = nil
            throw .damaged(line: lines, reason: error.reason)
        }
    }

    /// Makes sure that the file is whole, when there are no more lines.
    package func finish() throws(ExportError) {
        switch stage {
        case .over: return
        case .beginning: throw .foreign
        case .between, .inside, .failed: throw .cut(lines: lines)
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

    private mutating func take(_ line: JSONValue) throws(JSONFieldError) -> Step {
        switch (stage, try line.text("type", limit: 64)) {
        case (.between, "session"):
            try begin(try ExportedSession(line))
            return .more
        case (.between, "end"):
            guard try line.integer("sessions", in: 0...Limits.largestInteger) == seen.count else {
                throw JSONFieldError("the number of sessions is another one")
            }
            stage = .over
            return .over(sessions: seen.count)
        case (.inside, "entries"):
            try session?.addEntries(line)
            return .more
        case (.inside, "journal"):
            try session?.addJournal(line)
            return .more
        case (.inside, "session-end"):
            let end = try ExportEnd(line)
            guard let whole = try session?.finish(end) else {
                throw JSONFieldError("no session is open")
            }
            session = nil
            stage = .between
            return .session(whole)
        case (.over, _): throw JSONFieldError("more after the end")
        case (_, let type):
            let shown = PrintableText.cleaned(type, limit: 64)
            throw JSONFieldError("“\(shown)” does not belong here")
        }
    }

    private mutating func begin(_ facts: ExportedSession) throws(JSONFieldError) {
        guard seen.count < ExportFormat.sessions else {
            throw JSONFieldError("more than \(ExportFormat.sessions) sessions")
        }
        guard seen.insert(facts.id).inserted else {
            throw JSONFieldError("session \(facts.id) is there twice")
        }
        session = SessionReading(facts)
        stage = .inside
    }
}

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

/// A session as a file has it, checked: sound, whole, and within the limits of a session.
package struct ImportedSession: Sendable {
    /// What the file says of it.
    package let facts: ExportedSession
    /// All that is live, as the delta for who has seen nothing.
    package let delta: Delta
    /// What happened on the device that wrote the file, the oldest first.
    package let journal: [ImportedLine]

    /// What is live, one by one.
    package var entries: [KeyedEntry] {
        // Made at its size: growing it would take as much memory again.
        var entries: [KeyedEntry] = []
        entries.reserveCapacity(delta.changes.reduce(0) { $0 + $1.live.count })
        for change in delta.changes {
            for entry in change.live {
                entries.append(KeyedEntry(key: change.key, entry: entry))
            }
        }
        return entries
    }
}

/// A line of a journal as a file has it.
package struct ImportedLine: Hashable, Sendable {
    /// When it was noted, in milliseconds since 1970 by the clock of who noted it.
    package let recordedAt: UInt64
    /// What happened.
    package let line: JournalLine

    /// A line of these parts.
    package init(recordedAt: UInt64, line: JournalLine) {
        (self.recordedAt, self.line) = (recordedAt, line)
    }
}
