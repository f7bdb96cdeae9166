import JSONCoding
import SessionCRDT

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
        if let lastRow, name.isSpelled(like: lastRow.name) { return lastRow.symbol }
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
