internal import JSONCoding
package import SessionCRDT

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
        self.id = id
        self.entries = entries
        self.journal = journal
        self.digest = digest
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
