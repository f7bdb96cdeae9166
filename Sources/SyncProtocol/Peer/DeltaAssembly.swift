import SessionCRDT

/// A delta of which some parts have come.
struct DeltaAssembly: Sendable {
    /// The table of ids of a part, whatever they name.
    private typealias Table = [ID<DeltaAssembly>]

    private var nextPart: Int64 = 0
    private var bytes = 0
    private var base = VersionVector()
    private var upto = VersionVector()
    private var isUnion = false
    private var changes: [KeyedLiveSet] = []
    /// The key whose live set is being read; the next part may go on with it.
    private var key: Key?
    private var entries: [Entry] = []

    /// The beginning of a delta.
    init() {}

    /// Adds the fields of the next part, whose payload was so many bytes long.
    mutating func add(_ part: JSONFields, bytes: Int) throws(JSONFieldError) {
        self.bytes += bytes
        guard self.bytes <= Limits.deltaBytes else {
            throw JSONFieldError("longer than \(Limits.deltaBytes) bytes")
        }
        _ = try part.boolean("last")
        guard part["part"] == .integer(nextPart) else {
            throw JSONFieldError("part \(nextPart) is missing")
        }
        var table: Table = []
        for id in try part.array("ids") { table.append(try id.id("ids")) }
        if nextPart == 0 {
            isUnion = try part.boolean("union")
            try readVectors(try part.array("vectors", limit: 2 * Limits.actors), table)
        }
        for row in try part.array("entries") { try add(row, table) }
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
        _ rows: [JSONTree],
        _ table: Table
    ) throws(JSONFieldError) {
        var sequences: (base: [ActorID: UInt64], upto: [ActorID: UInt64]) = ([:], [:])
        for row in rows {
            let numbers = try row.array("vectors", limit: 3)
            guard numbers.count == 3 else { throw JSONFieldError("vectors has a row without end") }
            let actor: ActorID = try id(numbers[0], table)
            let base = UInt64(try numbers[1].integer("base", in: 0...Limits.largestInteger))
            let upto = UInt64(try numbers[2].integer("upto", in: 0...Limits.largestInteger))
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

    private mutating func add(_ row: JSONTree, _ table: Table) throws(JSONFieldError) {
        let row = try row.array("entries", limit: 7)
        guard row.count == 7 else { throw JSONFieldError("entries has a row without end") }
        let key = try DeltaAssembly.key(row[0], table)
        let sequence = try row[2].integer("sequence", in: 1...Limits.largestInteger)
        let milliseconds = try row[3].integer("milliseconds", in: 0...Int64(Stamp.lastMillisecond))
        let counter = try row[4].integer("counter", in: 0...65_535)
        let value = try DeltaAssembly.value(row[6])
        if let violation = EntryLimits.violation(key, value) { throw JSONFieldError(violation) }
        let entry = Entry(
            dot: Dot(actor: try id(row[1], table), sequence: UInt64(sequence)),
            stamp: Stamp(
                milliseconds: UInt64(milliseconds),
                counter: UInt16(truncatingIfNeeded: counter)
            ),
            author: try id(row[5], table),
            value: value
        )
        if key != self.key {
            closeSet()
            self.key = key
        }
        entries.append(entry)
    }

    private mutating func closeSet() {
        if let key, let live = LiveSet(entries) {
            changes.append(KeyedLiveSet(key: key, live: live))
        }
        key = nil
        entries.removeAll(keepingCapacity: true)
    }

    private func id<Tag>(_ tree: JSONTree, _ table: Table) throws(JSONFieldError) -> ID<Tag> {
        try DeltaAssembly.id(tree, table)
    }

    private static func id<Tag>(
        _ tree: JSONTree,
        _ table: Table
    ) throws(JSONFieldError) -> ID<Tag> {
        guard case .integer(let index) = tree, index >= 0, index < table.count else {
            throw JSONFieldError("an index is outside the table of ids")
        }
        let id = table[Int(index)]
        return ID<Tag>(high: id.high, low: id.low)
    }

    private static func key(_ tree: JSONTree, _ table: Table) throws(JSONFieldError) -> Key {
        switch tree {
        case .text(let text):
            guard (1...Limits.keyBytes).contains(text.utf8.count) else {
                throw JSONFieldError("a key is empty or longer than \(Limits.keyBytes) bytes")
            }
            return Key(text)
        case .array(let parts):
            guard (2...3).contains(parts.count), case .text(let name) = parts[1],
                let row = Symbol(name)
            else { throw JSONFieldError("a cell is not a player, a row and perhaps a round") }
            let player: PlayerID = try id(parts[0], table)
            guard parts.count == 3 else { return .cell(Cell(player: player, row: row)) }
            let round = try parts[2].integer("round", in: 1...Int64(Cell.lastRound))
            return .cell(Cell(player: player, row: row, round: UInt32(round)))
        case .null, .boolean, .integer, .fraction, .object:
            throw JSONFieldError("a key is neither a text nor a cell")
        }
    }

    private static func value(_ tree: JSONTree) throws(JSONFieldError) -> Value {
        switch tree {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .text(let text): return .text(text)
        case .object(let fields):
            // Two fields exactly: what was left out here would be lost to everybody behind.
            guard fields.count == 2, case .text(let kind) = fields["kind"],
                case .text(let text) = fields["text"]
            else { throw JSONFieldError("a value is not just a kind and a text") }
            return .foreign(kind: ExactText(kind), text: ExactText(text))
        case .fraction, .array:
            throw JSONFieldError("a value is a fraction or an array")
        }
    }
}
