import JSONCoding
package import SessionCRDT

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

/// Reads rows of entries, as a delta and an export have them, whoever wrote them.
struct EntryRowReader: Sendable {
    /// The table of ids of a part, whatever they name.
    typealias Table = [ID<EntryRowReader>]

    /// The names of rows that have come, because few of them come often; and the last of them.
    private var rows: [String: Symbol] = [:]
    private var lastRow: (name: JSONValue, symbol: Symbol)?

    /// A reader that has read nothing.
    init() {}

    /// The table of ids.
    static func table(_ elements: JSONElements) throws(JSONFieldError) -> Table {
        var table: Table = []
        for id in elements { table.append(try JSONValue.id(id, "ids")) }
        return table
    }

    /// The id at an index.
    static func id<Tag>(_ value: JSONValue?, _ table: Table) throws(JSONFieldError) -> ID<Tag> {
        guard let index = value?.integer, index >= 0, index < table.count else {
            throw JSONFieldError("an index is outside the table of ids")
        }
        let id = table[Int(index)]
        return ID<Tag>(high: id.high, low: id.low)
    }

    /// What a row is about.
    mutating func key(_ value: JSONValue, _ table: Table) throws(JSONFieldError) -> Key {
        if let text = value.string {
            guard (1...Limits.keyBytes).contains(text.utf8.count) else {
                throw JSONFieldError("a key is empty or longer than \(Limits.keyBytes) bytes")
            }
            return Key(text)
        }
        guard value.isArray else { throw JSONFieldError("a key is neither a text nor a cell") }
        var parts = value.elements
        let count = parts.count
        let first = parts.next()
        guard (2...3).contains(count), let row = parts.next().flatMap({ row($0) }) else {
            throw JSONFieldError("a cell is not a player, a row and perhaps a round")
        }
        let player: PlayerID = try EntryRowReader.id(first, table)
        guard count == 3 else { return .cell(Cell(player: player, row: row)) }
        let rounds = 1...Int64(Cell.lastRound)
        let round = try JSONValue.integer(parts.next(), "round", in: rounds)
        return .cell(Cell(player: player, row: row, round: UInt32(round)))
    }

    /// The entry of the next six fields of a row about `key`, within the limits of all peers.
    static func entry(
        _ fields: inout JSONElements,
        under key: Key,
        _ table: Table
    ) throws(JSONFieldError) -> Entry {
        let actor: ActorID = try id(fields.next(), table)
        let sequences = 1...Limits.largestInteger
        let sequence = try JSONValue.integer(fields.next(), "sequence", in: sequences)
        let times = 0...Int64(Stamp.lastMillisecond)
        let milliseconds = try JSONValue.integer(fields.next(), "milliseconds", in: times)
        let counter = try JSONValue.integer(fields.next(), "counter", in: 0...65_535)
        let author: DeviceID = try id(fields.next(), table)
        let value = try value(fields.next())
        if let violation = EntryLimits.violation(key, value) { throw JSONFieldError(violation) }
        return Entry(
            dot: Dot(actor: actor, sequence: UInt64(sequence)),
            stamp: Stamp(
                milliseconds: UInt64(milliseconds),
                counter: UInt16(truncatingIfNeeded: counter)
            ),
            author: author,
            value: value
        )
    }

    private mutating func row(_ name: JSONValue) -> Symbol? {
        if let lastRow, name == lastRow.name { return lastRow.symbol }
        guard let text = name.string, let row = rows[text] ?? Symbol(text) else { return nil }
        rows[text] = row
        lastRow = (name, row)
        return row
    }

    private static func value(_ value: JSONValue?) throws(JSONFieldError) -> Value {
        if let number = value?.integer { return .integer(number) }
        if let text = value?.string { return .text(text) }
        if let flag = value?.boolean { return .boolean(flag) }
        guard let value, !value.isNull else { return .null }
        guard value.isObject else { throw JSONFieldError("a value is a fraction or an array") }
        // Two fields exactly: what was left out here would be lost to everybody behind.
        guard value.members.count == 2, let kind = value["kind"]?.string,
            let text = value["text"]?.string
        else { throw JSONFieldError("a value is not just a kind and a text") }
        return .foreign(kind: ExactText(kind), text: ExactText(text))
    }
}

/// What an entry may say so that every peer takes it.
///
/// One entry that breaks these rules makes peers refuse the whole delta, for ever; so the same
/// check stands before a local write and behind the wire.
package enum EntryLimits {
    /// The longest kind of a value of a later version, in bytes of UTF-8.
    package static let kindBytes = 64

    /// Why no peer takes an entry that says `value` under `key`, in words; nil when all do.
    ///
    /// How a text is spelled in JSON does not matter: whatever passes here fits into a frame, with
    /// six bytes for each of its own (`Limits.frameBytes`).
    package static func violation(_ key: Key, _ value: Value) -> String? {
        if case .foreign(let text) = key,
            !(1...Limits.keyBytes).contains(text.string.utf8.count)
        {
            return "a key is empty or longer than \(Limits.keyBytes) bytes"
        }
        let isSheet = key == .session(Field.sheet)
        let limit = isSheet ? Limits.sheetBytes : Limits.textBytes
        switch value {
        case .null, .boolean: return nil
        case .integer(let number):
            guard number.magnitude > UInt64(Limits.largestInteger) else { return nil }
            return "an integer is outside ±\(Limits.largestInteger)"
        case .text(let text): return violation(text, limit: limit)
        case .foreign(let kind, let text):
            guard (1...kindBytes).contains(kind.string.utf8.count) else {
                return "the kind of a value is empty or longer than \(kindBytes) bytes"
            }
            return violation(text, limit: limit)
        }
    }

    private static func violation(_ text: ExactText, limit: Int) -> String? {
        text.string.utf8.count <= limit ? nil : "a text is longer than \(limit) bytes"
    }
}
