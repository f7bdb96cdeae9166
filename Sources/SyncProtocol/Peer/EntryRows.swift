import JSONCoding
package import SessionCRDT

/// Encodes entries as rows with a table of the ids in them, for deltas and exports.
struct EntryRows: Sendable {
    /// A state to which the rows can be reset.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let ids: Int
    }

    /// The length of an id in the JSON of the table.
    private static let idBytes = 35
    /// The number of ids that are searched linearly, which usually are all.
    private static let maxLinearIDs = 16

    private(set) var ids: [ID<EntryRows>] = []
    /// The indices of the ids after the first ``maxLinearIDs``.
    private var indices: [ID<EntryRows>: Int64] = [:]
    private var json = JSONWriter()

    var isEmpty: Bool { json.bytes.isEmpty }

    var count: Int { json.bytes.count + ids.count * EntryRows.idBytes }

    var bytes: [UInt8] { json.bytes }
    var mark: Mark { Mark(bytes: json.bytes.count, ids: ids.count) }

    /// Removes the rows added after a mark; no more rows may be added then.
    mutating func goBack(to mark: Mark) {
        json.bytes.removeSubrange(mark.bytes...)
        ids.removeSubrange(mark.ids...)
    }

    /// Returns the index of an id in the table; a new id is added to the table.
    mutating func index<Tag>(of id: ID<Tag>) -> Int64 {
        for (index, other) in ids.prefix(EntryRows.maxLinearIDs).enumerated()
        where other.low == id.low && other.high == id.high { return Int64(index) }
        let plain = ID<EntryRows>(high: id.high, low: id.low)
        if let index = indices[plain] { return index }
        let index = Int64(ids.count)
        ids.append(plain)
        if index >= EntryRows.maxLinearIDs { indices[plain] = index }
        return index
    }

    /// Adds a row with a key, an entry, and the fields that `more` writes.
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

/// Decodes the rows of deltas and exports.
struct EntryRowReader: Sendable {
    /// The table of ids of all kinds.
    typealias Table = [ID<EntryRowReader>]

    /// A cache of parsed names of sheet rows: a delta repeats a few names many times.
    private var rows: [String: Symbol] = [:]
    /// The name of a sheet row that was parsed last.
    private var lastRow: (name: JSONValue, symbol: Symbol)?

    static func table(_ elements: JSONElements) throws(JSONFieldError) -> Table {
        try elements.map { (id) throws(JSONFieldError) in try JSONValue.id(id, "ids") }
    }

    static func id<Tag>(_ value: JSONValue?, _ table: Table) throws(JSONFieldError) -> ID<Tag> {
        guard let index = value?.integer, index >= 0, index < table.count else {
            throw JSONFieldError("an index is outside the table of ids")
        }
        let id = table[Int(index)]
        return ID<Tag>(high: id.high, low: id.low)
    }

    mutating func key(_ value: JSONValue, _ table: Table) throws(JSONFieldError) -> Key {
        if let text = value.string {
            guard (1...Limits.keyBytes).contains(text.utf8.count) else {
                throw JSONFieldError("a key is empty or longer than \(Limits.keyBytes) bytes")
            }
            return Key(text)
        }
        try require(value.isArray, "a key is neither a text nor a cell")
        var parts = value.elements
        let count = parts.count
        let first = parts.next()
        guard (2...3).contains(count), let row = parts.next().flatMap({ row($0) }) else {
            throw JSONFieldError("a cell is not [player, row] or [player, row, round]")
        }
        let player: PlayerID = try EntryRowReader.id(first, table)
        guard count == 3 else { return .cell(Cell(player: player, row: row)) }
        let rounds = 1...Int64(Cell.lastRound)
        let round = try JSONValue.integer(parts.next(), "round", in: rounds)
        return .cell(Cell(player: player, row: row, round: UInt32(round)))
    }

    /// Decodes the six fields of an entry with this key and checks the limits of entries.
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
        try require(value.isObject, "a value is a fraction or an array")
        // Exactly two fields: further ones would be lost for peers that receive the entry from
        // here.
        guard value.members.count == 2, let kind = value["kind"]?.string,
            let text = value["text"]?.string
        else { throw JSONFieldError("a value has other fields than kind and text") }
        return .foreign(kind: ExactText(kind), text: ExactText(text))
    }
}

/// The limits of an entry, the same for all peers.
///
/// Peers would reject a whole delta again and again because of an entry beyond the limits, so local
/// writes are checked as well as received entries.
package enum EntryLimits {
    /// The maximum length of the kind of a value of a later version, in bytes of UTF-8.
    package static let kindBytes = 64

    /// Returns the reason why peers would reject an entry; nil if they accept it.
    ///
    /// A text within the limits fits into a frame (`Limits.frameBytes`) even if each of its bytes
    /// takes six in JSON.
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
