import JSONCoding
import SessionCRDT

/// A delta of which some parts have come.
struct DeltaDecoder: Sendable {
    /// The table of ids of a part, whatever they name.
    private typealias Table = [ID<DeltaDecoder>]

    private var nextPart: Int64 = 0
    /// How many canonical bytes the entries have that have come: what a session of them weighs,
    /// and about the memory that they take, however they are spelled in JSON.
    private(set) var bytes = 0
    private var base = VersionVector()
    private var upto = VersionVector()
    private var isUnion = false
    private var changes: [KeyedLiveSet] = []
    /// The key whose live set is being read; the next part may go on with it.
    private var key: Key?
    private var entries: [Entry] = []
    /// The names of rows that have come, because few of them come often; and the last of them.
    private var rows: [String: Symbol] = [:]
    private var lastRow: (name: JSONValue, symbol: Symbol)?

    /// The beginning of a delta.
    init() {}

    /// Adds the fields of the next part.
    mutating func add(_ part: JSONValue) throws(JSONFieldError) {
        _ = try part.boolean("last")
        guard part["part"]?.integer == nextPart else {
            throw JSONFieldError("part \(nextPart) is missing")
        }
        var table: Table = []
        for id in try part.array("ids") { table.append(try JSONValue.id(id, "ids")) }
        if nextPart == 0 {
            isUnion = try part.boolean("union")
            try readVectors(try part.array("vectors", limit: 2 * Limits.actors), table)
        }
        var last: JSONValue?
        for row in try part.array("entries") { try add(row, after: &last, table) }
        nextPart += 1
    }

    /// The whole delta, once the last part has been added.
    mutating func finish() throws(JSONFieldError) -> Delta {
        closeSet()
        do throws(DeltaError) {
            return try Delta(base: base, upto: upto, changes: changes, isUnion: isUnion)
        } catch { throw JSONFieldError("\(error)") }
    }

    private mutating func readVectors(
        _ rows: JSONElements,
        _ table: Table
    ) throws(JSONFieldError) {
        var sequences: (base: [ActorID: UInt64], upto: [ActorID: UInt64]) = ([:], [:])
        for row in rows {
            var numbers = try JSONValue.array(row, "vectors", limit: 3)
            guard numbers.count == 3 else { throw JSONFieldError("vectors has a row without end") }
            let actor: ActorID = try DeltaDecoder.id(numbers.next(), table)
            let range = 0...Limits.largestInteger
            let base = UInt64(try JSONValue.integer(numbers.next(), "base", in: range))
            let upto = UInt64(try JSONValue.integer(numbers.next(), "upto", in: range))
            guard base > 0 || upto > 0,
                sequences.base.updateValue(base, forKey: actor) == nil
            else {
                throw JSONFieldError("vectors has an actor twice or without a number")
            }
            sequences.upto[actor] = upto
        }
        base = VersionVector(sequences.base)
        upto = VersionVector(sequences.upto)
        guard max(base.count, upto.count) <= Limits.actors else {
            throw JSONFieldError("a vector has more than \(Limits.actors) actors")
        }
    }

    /// Adds a row; `last` is the key of the row before it in the same part.
    private mutating func add(
        _ row: JSONValue,
        after last: inout JSONValue?,
        _ table: Table
    ) throws(JSONFieldError) {
        var fields = try JSONValue.array(row, "entries", limit: 7)
        guard fields.count == 7, let name = fields.next() else {
            throw JSONFieldError("entries has a row without end")
        }
        if last.map({ !$0.isSpelled(like: name) }) ?? true {
            let key = try key(name, table)
            if key != self.key {
                closeSet()
                self.key = key
            }
            last = name
        }
        let actor: ActorID = try DeltaDecoder.id(fields.next(), table)
        let dot = Dot(
            actor: actor,
            sequence: UInt64(
                try JSONValue.integer(fields.next(), "sequence", in: 1...Limits.largestInteger)
            )
        )
        let lastMillisecond = Int64(Stamp.lastMillisecond)
        let stamp = Stamp(
            milliseconds: UInt64(
                try JSONValue.integer(fields.next(), "milliseconds", in: 0...lastMillisecond)
            ),
            counter: UInt16(
                truncatingIfNeeded: try JSONValue.integer(fields.next(), "counter", in: 0...65_535)
            )
        )
        let author: DeviceID = try DeltaDecoder.id(fields.next(), table)
        let value = try DeltaDecoder.value(fields.next())
        if let violation = key.flatMap({ EntryLimits.violation($0, value) }) {
            throw JSONFieldError(violation)
        }
        let entry = Entry(dot: dot, stamp: stamp, author: author, value: value)
        if let key { bytes += entry.canonicalCount(under: key) }
        guard bytes <= Limits.deltaBytes else {
            throw JSONFieldError("more than \(Limits.deltaBytes) bytes")
        }
        entries.append(entry)
    }

    private mutating func closeSet() {
        // Nearly all sets have one entry.
        let live = entries.count == 1 ? entries.first.map { LiveSet($0) } : LiveSet(entries)
        if let key, let live {
            changes.append(KeyedLiveSet(key: key, live: live))
        }
        key = nil
        entries.removeAll(keepingCapacity: true)
    }

    private static func id<Tag>(
        _ value: JSONValue?,
        _ table: Table
    ) throws(JSONFieldError) -> ID<Tag> {
        guard let index = value?.integer, index >= 0, index < table.count else {
            throw JSONFieldError("an index is outside the table of ids")
        }
        let id = table[Int(index)]
        return ID<Tag>(high: id.high, low: id.low)
    }

    private mutating func key(_ value: JSONValue, _ table: Table) throws(JSONFieldError) -> Key {
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
        let player: PlayerID = try DeltaDecoder.id(first, table)
        guard count == 3 else { return .cell(Cell(player: player, row: row)) }
        let rounds = 1...Int64(Cell.lastRound)
        let round = try JSONValue.integer(parts.next(), "round", in: rounds)
        return .cell(Cell(player: player, row: row, round: UInt32(round)))
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
