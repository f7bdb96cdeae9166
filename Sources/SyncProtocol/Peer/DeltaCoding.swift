import JSONCoding
import SessionCRDT

/// Encodes a delta as parts, each of which is the payload of a frame.
///
/// Rows are arrays that refer to a table of ids in each part, which takes a third of the bytes of
/// objects with keys. A part ends before the row that would exceed `Limits.deltaPartBytes`; a row
/// that exceeds the limit alone has a part of its own.
struct DeltaEncoder: Sendable {
    private let delta: Delta
    private var number: Int64 = 0
    private var change = 0
    private var entries: [Entry]
    private var entry = 0
    private var isFinished = false

    init(_ delta: Delta) {
        self.delta = delta
        entries = delta.changes.first?.live.entries ?? []
    }

    /// Returns the next part; nil after the last.
    mutating func next() -> [UInt8]? {
        guard !isFinished else { return nil }
        var part = DeltaPart(vectorsOf: number == 0 ? delta : nil)
        while change < delta.changes.count {
            guard part.add(entries[entry], under: delta.changes[change].key) else { break }
            advance()
        }
        isFinished = change == delta.changes.count
        defer { number += 1 }
        return part.payload(number: number, isLast: isFinished, isUnion: delta.isUnion)
    }

    private mutating func advance() {
        entry += 1
        guard entry == entries.count else { return }
        change += 1
        entry = 0
        entries = change < delta.changes.count ? delta.changes[change].live.entries : []
    }
}

private struct DeltaPart {
    /// An upper bound of the bytes other than rows, ids and vectors.
    private static let envelopeBytes = 128
    private var rows = EntryRows()
    private var vectors = JSONWriter()

    /// Creates a part without rows; the first one has the vectors of the delta.
    init(vectorsOf delta: Delta?) {
        guard let delta else { return }
        for dot in delta.base.joined(with: delta.upto).sorted {
            let index = rows.index(of: dot.actor)
            vectors.array { json in
                json.integer(index)
                json.limited(delta.base[dot.actor])
                json.limited(delta.upto[dot.actor])
            }
        }
    }

    /// An upper bound of the length of the part.
    private var bytes: Int { rows.count + vectors.bytes.count + DeltaPart.envelopeBytes }

    /// Adds a row; returns false if the part is full.
    mutating func add(_ entry: Entry, under key: Key) -> Bool {
        let before = rows.mark
        let isBare = rows.isEmpty && vectors.bytes.isEmpty
        rows.add(entry, under: key)
        guard bytes > Limits.deltaPartBytes, !isBare else { return true }
        rows.goBack(to: before)
        return false
    }

    func payload(number: Int64, isLast: Bool, isUnion: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.bytes.reserveCapacity(bytes)
        json.object { json in
            json.name("entries")
            json.array { $0.value(rows.bytes) }
            json.name("ids")
            json.array { json in
                for id in rows.ids { json.id(id) }
            }
            json.name("last")
            json.boolean(isLast)
            json.name("part")
            json.integer(number)
            json.name("type")
            json.text("delta")
            guard number == 0 else { return }
            json.name("union")
            json.boolean(isUnion)
            json.name("vectors")
            json.array { $0.value(vectors.bytes) }
        }
        return json.bytes
    }
}

struct DeltaDecoder: Sendable {
    private typealias Table = EntryRowReader.Table

    private var nextPart: Int64 = 0
    /// The canonical bytes of the entries received so far: roughly the memory that they take,
    /// however they are written in JSON.
    private(set) var bytes = 0
    var isTooLong: Bool { bytes > Limits.deltaBytes }
    private var base = VersionVector()
    private var upto = VersionVector()
    private var isUnion = false
    private var changes: [KeyedLiveSet] = []
    /// The key of the live set that is being read; the next part may continue it.
    private var key: Key?
    private var entries: [Entry] = []
    private var reader = EntryRowReader()

    mutating func add(_ part: JSONValue) throws(JSONFieldError) {
        _ = try part.boolean("last")
        try require(part["part"]?.integer == nextPart, "part \(nextPart) is missing")
        let table = try EntryRowReader.table(try part.array("ids"))
        if nextPart == 0 {
            isUnion = try part.boolean("union")
            try readVectors(try part.array("vectors", limit: 2 * Limits.actors), table)
        }
        var last: JSONValue?
        for row in try part.array("entries") { try add(row, after: &last, table) }
        nextPart += 1
    }

    /// Returns the delta; to be called after the last part.
    mutating func finish() throws(JSONFieldError) -> Delta {
        closeSet()
        do throws(DeltaError) {
            return try Delta(base: base, upto: upto, changes: changes, isUnion: isUnion)
        } catch { throw JSONFieldError("\(error)") }
    }

    private mutating func readVectors(_ rows: JSONElements, _ table: Table) throws(JSONFieldError) {
        var sequences: (base: [ActorID: UInt64], upto: [ActorID: UInt64]) = ([:], [:])
        for row in rows {
            var numbers = try JSONValue.array(row, "vectors", limit: 3)
            try require(numbers.count == 3, "vectors has an incomplete row")
            let actor: ActorID = try EntryRowReader.id(numbers.next(), table)
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

    /// Adds a row; `last` is the key of the previous row of the part.
    private mutating func add(
        _ row: JSONValue,
        after last: inout JSONValue?,
        _ table: Table
    ) throws(JSONFieldError) {
        var fields = try JSONValue.array(row, "entries", limit: 7)
        guard fields.count == 7, let name = fields.next() else {
            throw JSONFieldError("entries has an incomplete row")
        }
        if last != name {
            let key = try reader.key(name, table)
            if key != self.key {
                closeSet()
                self.key = key
            }
            last = name
        }
        guard let key else { return }
        let entry = try EntryRowReader.entry(&fields, under: key, table)
        bytes += entry.canonicalCount(under: key)
        try require(!isTooLong, "more than \(Limits.deltaBytes) bytes")
        entries.append(entry)
    }

    private mutating func closeSet() {
        // Nearly all live sets have one entry.
        let live = entries.count == 1 ? entries.first.map { LiveSet($0) } : LiveSet(entries)
        if let key, let live { changes.append(KeyedLiveSet(key: key, live: live)) }
        key = nil
        entries.removeAll(keepingCapacity: true)
    }
}
