import JSONCoding
import SessionCRDT

/// Cuts a delta into parts, each the payload of a frame.
///
/// Bulk travels as arrays, with a table of the ids of each part: a third of the bytes of keyed
/// objects. A part is closed before the row that would make it longer than
/// `Limits.deltaPartBytes`; a row that is longer alone has a part for itself.
struct DeltaEncoder: Sendable {
    private let delta: Delta
    private var number: Int64 = 0
    private var change = 0
    private var entries: [Entry]
    private var entry = 0
    private var isFinished = false

    /// The parts of a delta.
    init(_ delta: Delta) {
        self.delta = delta
        entries = delta.changes.first?.live.entries ?? []
    }

    /// The next part; nil after the last.
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

/// One part while it is being filled.
private struct DeltaPart {
    /// What a part costs besides its rows, ids and vectors, in bytes; more than it can be.
    private static let envelopeBytes = 128
    /// What an id costs in the table, in bytes.
    private static let idBytes = 35

    /// How many ids are looked through one by one: usually all that there are.
    private static let fewIDs = 16

    private var ids: [ID<DeltaPart>] = []
    /// The places of the ids behind the few.
    private var indices: [ID<DeltaPart>: Int64] = [:]
    private var vectors = JSONWriter()
    private var rows = JSONWriter()

    /// A part without rows, with the vectors of the delta if it is the first.
    init(vectorsOf delta: Delta?) {
        guard let delta else { return }
        for dot in delta.base.joined(with: delta.upto).sorted {
            let index = index(of: dot.actor)
            vectors.array { json in
                json.integer(index)
                json.limited(delta.base[dot.actor])
                json.limited(delta.upto[dot.actor])
            }
        }
    }

    /// How long the part is at most.
    private var bytes: Int {
        rows.bytes.count + vectors.bytes.count + ids.count * DeltaPart.idBytes
            + DeltaPart.envelopeBytes
    }

    /// Adds a row; false when the part is long enough without it.
    mutating func add(_ entry: Entry, under key: Key) -> Bool {
        let before = (rows: rows.bytes.count, ids: ids.count)
        let isBare = rows.bytes.isEmpty && vectors.bytes.isEmpty
        write(entry, under: key)
        guard bytes > Limits.deltaPartBytes, !isBare else { return true }
        rows.bytes.removeSubrange(before.rows...)
        ids.removeSubrange(before.ids...)
        return false
    }

    /// The part as it travels, keys sorted.
    func payload(number: Int64, isLast: Bool, isUnion: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.bytes.reserveCapacity(bytes)
        json.object { json in
            json.name("entries")
            json.array { $0.value(rows.bytes) }
            json.name("ids")
            json.array { json in
                for id in ids { json.id(id) }
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

    /// The place of an id in the table.
    private mutating func index<Tag>(of id: ID<Tag>) -> Int64 {
        for (index, other) in ids.prefix(DeltaPart.fewIDs).enumerated()
        where other.low == id.low && other.high == id.high { return Int64(index) }
        let plain = ID<DeltaPart>(high: id.high, low: id.low)
        if let index = indices[plain] { return index }
        let index = Int64(ids.count)
        ids.append(plain)
        if index >= DeltaPart.fewIDs { indices[plain] = index }
        return index
    }

    private mutating func write(_ entry: Entry, under key: Key) {
        rows.open("[")
        write(key)
        rows.integer(index(of: entry.dot.actor))
        rows.integer(Int64(truncatingIfNeeded: entry.dot.sequence))
        rows.integer(entry.stamp.milliseconds)
        rows.integer(UInt64(entry.stamp.counter))
        rows.integer(index(of: entry.author))
        rows.value(entry.value)
        rows.close("]")
    }

    private mutating func write(_ key: Key) {
        guard case .cell(let cell) = key else { return rows.text(key.description) }
        rows.open("[")
        rows.integer(index(of: cell.player))
        rows.text(cell.row.description)
        if let round = cell.round { rows.integer(UInt64(round)) }
        rows.close("]")
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
