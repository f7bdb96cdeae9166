internal import JSONCoding
package import SessionCRDT

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
        self.id = id
        self.title = title
        self.joinedAt = joinedAt
        self.isCurrent = isCurrent
        self.key = key
        self.vector = vector
        self.count = count
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
