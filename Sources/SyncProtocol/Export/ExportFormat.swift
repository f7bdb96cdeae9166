internal import JSONCoding
package import SessionCRDT

/// What a file of exported sessions is called, and its bounds (PROTOCOL, section 10).
package enum ExportFormat {
    /// What the first line says that it is.
    package static let name = "scoresync-export"
    /// The version that is written, and the newest that is read.
    package static let version: Int64 = 1
    /// From which length on rows begin a new line, in bytes.
    package static let lineBytes = 64 << 10
    /// The longest line that is read, in bytes: what was longer could not be handed to a daemon.
    ///
    /// The longest entry fits even where each of its bytes takes six.
    package static let longestLine = lineBytes + 6 * Limits.sheetBytes + 4096
    /// The most that the journal of one session comes to, in canonical bytes.
    package static let journalBytes = 4 * Limits.mergedBytes
    /// The most sessions in one file.
    package static let sessions = 100_000
    /// The longest title that stands beside a session, in bytes.
    static let titleBytes = Limits.textBytes
}

/// The first line of an export: what the file is, and where it comes from.
package struct ExportHeader: Hashable, Sendable {
    /// The version of the program that wrote it.
    package let program: String
    /// When it was written.
    package let at: Timestamp
    /// The device that wrote it.
    package let device: String
    /// What that device is called.
    package let name: String

    /// A header of these parts.
    package init(program: String, at: Timestamp, device: String, name: String) {
        (self.program, self.at, self.device, self.name) = (program, at, device, name)
    }

    /// The line, without its end.
    package var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("at", at.description)
            json.field("device", device)
            json.field("format", ExportFormat.name)
            json.field("name", printable: name, limit: Limits.nameBytes)
            json.field("program", program)
            json.name("version")
            json.integer(ExportFormat.version)
        }
        return json.bytes
    }

    /// The header that a line is.
    ///
    /// - Throws: `foreign` where it begins no export, `newer` where a later version wrote it.
    init(_ line: JSONValue) throws(ExportError) {
        guard line["format"]?.string == ExportFormat.name, let version = line["version"]?.integer
        else { throw .foreign }
        let program = line["program"]?.string ?? "?"
        guard version <= ExportFormat.version else {
            throw .newer(version: version, program: PrintableText.cleaned(program, limit: 64))
        }
        guard version > 0, let at = line["at"]?.string.flatMap({ Timestamp($0) }),
            let device = line["device"]?.string.flatMap({ DeviceID($0) })
        else { throw .foreign }
        (self.program, self.at) = (program, at)
        self.device = device.description
        name = PrintableText.cleaned(line["name"]?.string ?? "", limit: Limits.nameBytes)
    }
}

/// What an export says of a session before its entries.
package struct ExportedSession: Hashable, Sendable {
    /// The session.
    package let id: SessionID
    /// Its title, for whoever looks into the file.
    package let title: String
    /// When the device that wrote the file came to it, in milliseconds since 1970.
    package let joinedAt: UInt64
    /// Whether it was the current one there.
    package let isCurrent: Bool
    /// Its key; nil where keys were left out.
    package let key: [UInt8]?
    /// What has been seen of it.
    package let vector: VersionVector
    /// How many entries are live.
    package let count: Int

    /// A session of these parts.
    package init(
        id: SessionID,
        title: String,
        joinedAt: UInt64,
        isCurrent: Bool,
        key: [UInt8]?,
        vector: VersionVector,
        count: Int
    ) {
        (self.id, self.title, self.joinedAt, self.isCurrent) = (id, title, joinedAt, isCurrent)
        (self.key, self.vector, self.count) = (key, vector, count)
    }

    /// The line, without its end.
    package var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.name("current")
            json.boolean(isCurrent)
            json.field("entries", UInt64(count))
            json.field("id", id)
            json.field("joined", joinedAt)
            if let key { json.field("key", Hexadecimal.text(of: key)) }
            json.field("title", printable: title, limit: ExportFormat.titleBytes)
            json.field("type", "session")
            json.field("vector", vector)
        }
        return json.bytes
    }

    /// The session that a line begins.
    init(_ line: JSONValue) throws(JSONFieldError) {
        id = try line.id("id")
        title = try line.printable("title", limit: ExportFormat.titleBytes)
        let numbers = 0...Limits.largestInteger
        joinedAt = UInt64(try line.integer("joined", in: numbers))
        isCurrent = try line.boolean("current")
        count = Int(try line.integer("entries", in: numbers))
        vector = try line.vector("vector")
        guard let field = line["key"], !field.isNull else {
            key = nil
            return
        }
        let bytes = field.string.flatMap { Hexadecimal.bytes(of: $0) }
        guard let bytes, bytes.count == Successor.keyBytes else {
            throw JSONFieldError("key is no key")
        }
        key = bytes
    }
}

extension ExportedSession: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the key, which must not get into a log.
    package var description: String { "session \(id), \(count) entries" }

    package var debugDescription: String { description }
}

/// A line of an export while it is filled: entries that are live, or the journal.
package struct ExportRows: Sendable {
    /// What the rows are.
    package enum Kind: String, Sendable {
        /// Entries that are live.
        case entries
        /// What happened, the oldest first.
        case journal
    }

    private let kind: Kind
    private var rows = EntryRows()

    /// A line without rows.
    package init(_ kind: Kind) { self.kind = kind }

    /// Whether there are no rows.
    package var isEmpty: Bool { rows.isEmpty }

    /// Whether it is long enough.
    package var isFull: Bool { rows.count >= ExportFormat.lineBytes }

    /// Adds a live entry.
    package mutating func add(_ entry: Entry, under key: Key) { rows.add(entry, under: key) }

    /// Adds a line of the journal; what it replaced follows.
    package mutating func add(_ entry: Entry, under key: Key, recordedAt: UInt64) {
        rows.add(entry, under: key) { $0.limited(recordedAt) }
    }

    /// Adds what the last line of the journal replaced, the latest first.
    package mutating func add(replaced entry: Entry) { rows.add(entry) }

    /// The line, without its end.
    package var line: [UInt8] {
        var json = JSONWriter()
        json.bytes.reserveCapacity(rows.count + 64)
        json.object { json in
            json.name("ids")
            json.array { json in
                for id in rows.ids { json.id(id) }
            }
            json.name("rows")
            json.array { $0.value(rows.bytes) }
            json.field("type", kind.rawValue)
        }
        return json.bytes
    }
}

/// What an export says behind a session: by it is known that nothing is missing or changed.
package struct ExportEnd: Hashable, Sendable {
    /// The session.
    package let id: SessionID
    /// How many live entries came.
    package let entries: Int
    /// How many lines of the journal came.
    package let journal: Int
    /// The digest of the live entries, as they stand in the file.
    package let digest: Digest
    /// The hash of the session's lines before this one, with their ends (`SipHash`).
    package let check: Digest

    /// An end of these parts.
    package init(
        id: SessionID,
        entries: Int,
        journal: Int,
        digest: Digest,
        check hash: SipHash
    ) {
        (self.id, self.entries, self.journal, self.digest) = (id, entries, journal, digest)
        check = ExportEnd.check(hash)
    }

    /// The check of lines by their hash.
    static func check(_ hash: SipHash) -> Digest {
        var check = Digest()
        check.add(hash.result)
        return check
    }

    /// The line, without its end.
    package var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("check", check.description)
            json.field("digest", digest.description)
            json.field("entries", UInt64(entries))
            json.field("id", id)
            json.field("journal", UInt64(journal))
            json.field("type", "session-end")
        }
        return json.bytes
    }

    /// The last line of a file with so many sessions, without its end.
    package static func line(ofFileWith sessions: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("sessions", UInt64(sessions))
            json.field("type", "end")
        }
        return json.bytes
    }

    /// The end that a line is.
    init(_ line: JSONValue) throws(JSONFieldError) {
        let numbers = 0...Limits.largestInteger
        id = try line.id("id")
        entries = Int(try line.integer("entries", in: numbers))
        journal = Int(try line.integer("journal", in: numbers))
        digest = try line.digest("digest")
        check = try line.digest("check")
    }
}

/// Why a file cannot be imported; nothing of it was taken then.
package enum ExportError: Error, Hashable, Sendable {
    /// The first line is not that of an export.
    case foreign
    /// A later version of the program wrote it.
    case newer(version: Int64, program: String)
    /// It ends before its last line; so many lines are whole.
    case cut(lines: Int)
    /// A line says something that no export says.
    case damaged(line: Int, reason: String)
}

extension ExportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .foreign:
            "it is no export of ScoreSync; what 'scorectl export' writes can be imported, but not "
                + "what it writes with --format csv or bgstats"
        case .newer(let version, let program):
            "it was written by a later ScoreSync (\(program), form \(version)); update this one"
        case .cut(let lines):
            "it ends in the middle, after line \(lines): the rest of the file is missing"
        case .damaged(let line, let reason): "it is damaged: line \(line): \(reason)"
        }
    }
}

extension LiveSet {
    /// The same without keys of next sessions, of which only their ids are left.
    ///
    /// Dots and stamps stay, so that what says less than the original is never taken for it where
    /// both meet: of two forms of one dot the longer one stays everywhere.
    package func withoutKeys(under key: Key) -> LiveSet {
        guard key == .session(Field.next) else { return self }
        return LiveSet(map { $0.withoutKeys(under: key) }) ?? self
    }
}

extension Entry {
    /// The same without the key of a next session.
    package func withoutKeys(under key: Key) -> Entry {
        guard key == .session(Field.next) else { return self }
        let text: String
        switch value {
        case .null, .boolean, .integer: return self
        case .text(let value):
            // Whatever is no id may be a key, however it is spelled.
            let first = value.string.prefix { $0 != " " }
            text = SessionID(first).map(\.description) ?? ""
        case .foreign: text = ""
        }
        return Entry(dot: dot, stamp: stamp, author: author, value: .text(text))
    }
}
