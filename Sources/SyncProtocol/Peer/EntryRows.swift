import JSONCoding
import SessionCRDT

/// Rows of entries while they are written, with the table of the ids that stand in them.
///
/// Bulk travels as arrays, in a delta as in an export: a third of the bytes of keyed objects.
struct EntryRows: Sendable {
    /// A place to go back to.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let ids: Int
    }

    /// What an id costs in the table, in bytes.
    private static let idBytes = 35
    /// How many ids are looked through one by one: usually all that there are.
    private static let fewIDs = 16

    /// The ids that stand in rows, each at its index.
    private(set) var ids: [ID<EntryRows>] = []
    /// The places of the ids behind the few.
    private var indices: [ID<EntryRows>: Int64] = [:]
    private var json = JSONWriter()

    /// No rows.
    init() {}

    /// Whether there are no rows.
    var isEmpty: Bool { json.bytes.isEmpty }

    /// How long rows and table are in JSON.
    var count: Int { json.bytes.count + ids.count * EntryRows.idBytes }

    /// The rows as they are written, one behind the other.
    var bytes: [UInt8] { json.bytes }

    /// Where it stands now.
    var mark: Mark { Mark(bytes: json.bytes.count, ids: ids.count) }

    /// Takes back what was added since; nothing may be added afterwards.
    mutating func goBack(to mark: Mark) {
        json.bytes.removeSubrange(mark.bytes...)
        ids.removeSubrange(mark.ids...)
    }

    /// The place of an id in the table.
    mutating func index<Tag>(of id: ID<Tag>) -> Int64 {
        for (index, other) in ids.prefix(EntryRows.fewIDs).enumerated()
        where other.low == id.low && other.high == id.high { return Int64(index) }
        let plain = ID<EntryRows>(high: id.high, low: id.low)
        if let index = indices[plain] { return index }
        let index = Int64(ids.count)
        ids.append(plain)
        if index >= EntryRows.fewIDs { indices[plain] = index }
        return index
    }

    /// Adds a row: the key, the entry, and what else `more` writes.
    mutating func add(
        _ entry: Entry,
        under key: Key,
        and more: (inout JSONWriter) -> Void = { _ in }
    ) {
        json.open("[")
        write(key)
        write(entry)
        more(&json)
        json.close("]")
    }

    /// Adds a row about the key of the row before it.
    mutating func add(_ entry: Entry) {
        json.open("[")
        write(entry)
        json.close("]")
    }

    private mutating func write(_ entry: Entry) {
        json.integer(index(of: entry.dot.actor))
        json.integer(Int64(truncatingIfNeeded: entry.dot.sequence))
        json.integer(entry.stamp.milliseconds)
        json.integer(UInt64(entry.stamp.counter))
        json.integer(index(of: entry.author))
        json.value(entry.value)
    }

    private mutating func write(_ key: Key) {
        guard case .cell(let cell) = key else { return json.text(key.description) }
        json.open("[")
        json.integer(index(of: cell.player))
        json.text(cell.row.description)
        if let round = cell.round { json.integer(UInt64(round)) }
        json.close("]")
    }
}

extension JSONWriter {
    /// What an entry says.
    fileprivate mutating func value(_ value: Value) {
        switch value {
        case .null: null()
        case .boolean(let flag): boolean(flag)
        case .integer(let number): integer(number)
        case .text(let text): self.text(text.string)
        case .foreign(let kind, let text):
            object { json in
                json.field("kind", kind.string)
                json.field("text", text.string)
            }
        }
    }
}
