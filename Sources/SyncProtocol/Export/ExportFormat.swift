internal import JSONCoding
package import SessionCRDT

/// The format of exported sessions and its limits (PROTOCOL, section 10).
package enum ExportFormat {
    /// The value of `format` in the first line.
    package static let name = "scoresync-export"
    /// The version that is written, and the highest that is read.
    package static let version: Int64 = 1
    /// The length at which a line of rows is ended.
    package static let lineBytes = 64 << 10
    /// The maximum length of a line, which must fit into a frame to the daemon.
    ///
    /// Even the longest entry fits if each of its bytes takes six in JSON.
    package static let longestLine = lineBytes + 6 * Limits.sheetBytes + 4096
    /// The maximum size of the journal of a session, in canonical bytes.
    package static let journalBytes = 4 * Limits.mergedBytes
    package static let sessions = 100_000
    static let titleBytes = Limits.textBytes

    /// Whether content begins with the first line of an export, of any version.
    package static func isHeader(_ content: [UInt8]) -> Bool {
        let line = Array(content.prefix { $0 != 0x0A })
        return (try? JSONText(line).root["format"]?.string) == name
    }
}

/// The first line of an export: format and origin.
package struct ExportHeader: Hashable, Sendable {
    /// The version of ScoreSync that wrote the file.
    package let program: String
    package let at: Timestamp
    package let device: String
    package let name: String

    package init(program: String, at: Timestamp, device: String, name: String) {
        (self.program, self.at, self.device, self.name) = (program, at, device, name)
    }

    /// The encoded line, without a line feed.
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

    /// Decodes the first line of a file.
    ///
    /// - Throws: `foreign` if the file is not an export, `newer` if its format version is higher.
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

/// The line that precedes the entries of a session.
package struct ExportedSession: Hashable, Sendable {
    package let id: SessionID
    package let title: String
    /// The time at which the exporting device joined the session, in milliseconds since 1970.
    package let joinedAt: UInt64
    package let isCurrent: Bool
    /// The session's key; nil if keys were left out.
    package let key: [UInt8]?
    package let vector: VersionVector
    /// The number of live entries.
    package let count: Int

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
            throw JSONFieldError("key is not a key")
        }
        key = bytes
    }
}

extension ExportedSession: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description without the key, which must not appear in a log.
    package var description: String { "session \(id), \(count) entries" }

    package var debugDescription: String { description }
}

/// A line of an export that is being built: live entries, or lines of the journal.
package struct ExportRows: Sendable {
    package enum Kind: String, Sendable {
        case entries
        /// Lines of the journal, the oldest first.
        case journal
    }

    private let kind: Kind
    private var rows = EntryRows()

    package init(_ kind: Kind) { self.kind = kind }

    package var isEmpty: Bool { rows.isEmpty }
    package var isFull: Bool { rows.count >= ExportFormat.lineBytes }

    package mutating func add(_ entry: Entry, under key: Key) { rows.add(entry, under: key) }

    /// Adds a line of the journal; the entries that it replaced must be added next.
    package mutating func add(_ entry: Entry, under key: Key, recordedAt: UInt64) {
        rows.add(entry, under: key) { $0.limited(recordedAt) }
    }

    /// Adds an entry that the last line of the journal replaced; the latest one comes first.
    package mutating func add(replaced entry: Entry) { rows.add(entry) }

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

/// The line that ends a session, with counts and hashes to prove that the session is intact.
package struct ExportEnd: Hashable, Sendable {
    package let id: SessionID
    package let entries: Int
    package let journal: Int
    /// The digest of the live entries in the file.
    package let digest: Digest
    /// The hash of the session's lines before this one, including line feeds (`SipHash`).
    package let check: Digest

    package init(id: SessionID, entries: Int, journal: Int, digest: Digest, check hash: SipHash) {
        (self.id, self.entries, self.journal, self.digest) = (id, entries, journal, digest)
        check = ExportEnd.check(hash)
    }

    static func check(_ hash: SipHash) -> Digest {
        var check = Digest()
        check.add(hash.result)
        return check
    }

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

    /// Returns the last line of a file with this number of sessions, without its end.
    package static func line(ofFileWith sessions: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("sessions", UInt64(sessions))
            json.field("type", "end")
        }
        return json.bytes
    }

    init(_ line: JSONValue) throws(JSONFieldError) {
        let numbers = 0...Limits.largestInteger
        id = try line.id("id")
        entries = Int(try line.integer("entries", in: numbers))
        journal = Int(try line.integer("journal", in: numbers))
        digest = try line.digest("digest")
        check = try line.digest("check")
    }
}

package enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first line is not the header of an export.
    case foreign
    /// The file has a higher format version than this program reads.
    case newer(version: Int64, program: String)
    /// The file ends prematurely, after this number of complete lines.
    case cut(lines: Int)
    case damaged(line: Int, reason: String)

    package var description: String {
        switch self {
        case .foreign:
            "not a ScoreSync export; CSV files, BG Stats files and backups cannot be imported"
        case .newer(let version, let program):
            "written by a later ScoreSync (\(program), format \(version)); update this one"
        case .cut(let lines):
            "the file is incomplete: it ends after line \(lines)"
        case .damaged(let line, let reason): "the file is damaged: line \(line): \(reason)"
        }
    }
}

extension LiveSet {
    /// Returns the live set with the keys of next sessions removed from its values; ids remain.
    ///
    /// Dots and stamps are kept. If a replica merges both forms of an entry, the longer one wins,
    /// so the form without a key never replaces the original.
    package func withoutKeys(under key: Key) -> LiveSet {
        guard key == .session(Field.next) else { return self }
        return LiveSet(map { $0.withoutKeys(under: key) }) ?? self
    }
}

extension Entry {
    package func withoutKeys(under key: Key) -> Entry {
        guard key == .session(Field.next) else { return self }
        let text: String
        switch value {
        case .null, .boolean, .integer: return self
        case .text(let value):
            // A text that is not an id may be a key, in any form.
            let first = value.string.prefix { $0 != " " }
            text = SessionID(first).map(\.description) ?? ""
        case .foreign: text = ""
        }
        return Entry(dot: dot, stamp: stamp, author: author, value: .text(text))
    }
}
