internal import JSONCoding
package import SessionCRDT

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
