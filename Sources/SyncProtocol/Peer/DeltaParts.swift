import SessionCRDT

/// Cuts a delta into parts, each the payload of a frame.
///
/// Bulk travels as arrays, with a table of the ids of each part: a third of the bytes of keyed
/// objects. A part is closed before the row that would make it longer than
/// `Limits.deltaPartBytes`; a row that is longer alone has a part for itself.
struct DeltaParts: Sendable {
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

    private var ids: [ID<DeltaPart>] = []
    private var indices: [ID<DeltaPart>: Int64] = [:]
    private var vectors: [UInt8] = []
    private var rows: [UInt8] = []

    /// A part without rows, with the vectors of the delta if it is the first.
    init(vectorsOf delta: Delta?) {
        guard let delta else { return }
        for dot in delta.base.joined(with: delta.upto).sorted {
            let index = index(of: dot.actor)
            separate(&vectors)
            let base = JSONTree.integer(limited: delta.base[dot.actor])
            let upto = JSONTree.integer(limited: delta.upto[dot.actor])
            JSONTree.array([.integer(index), base, upto]).write(to: &vectors)
        }
    }

    /// Adds a row; false when the part is long enough without it.
    mutating func add(_ entry: Entry, under key: Key) -> Bool {
        let before = (rows: rows.count, ids: ids.count)
        let isBare = rows.isEmpty && vectors.isEmpty
        write(entry, under: key)
        let bytes =
            rows.count + vectors.count + ids.count * DeltaPart.idBytes + DeltaPart.envelopeBytes
        guard bytes > Limits.deltaPartBytes, !isBare else { return true }
        rows.removeSubrange(before.rows...)
        ids.removeSubrange(before.ids...)
        return false
    }

    /// The part as it travels, keys sorted.
    func payload(number: Int64, isLast: Bool, isUnion: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            rows.count + vectors.count + ids.count * DeltaPart.idBytes + DeltaPart.envelopeBytes
        )
        bytes.append(contentsOf: "{\"entries\":[".utf8)
        bytes.append(contentsOf: rows)
        bytes.append(contentsOf: "],\"ids\":".utf8)
        JSONTree.array(ids.map { .text($0.description) }).write(to: &bytes)
        bytes.append(contentsOf: ",\"last\":\(isLast),\"part\":\(number),\"type\":\"delta\"".utf8)
        if number == 0 {
            bytes.append(contentsOf: ",\"union\":\(isUnion),\"vectors\":[".utf8)
            bytes.append(contentsOf: vectors)
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The place of an id in the table.
    private mutating func index<Tag>(of id: ID<Tag>) -> Int64 {
        let plain = ID<DeltaPart>(high: id.high, low: id.low)
        if let index = indices[plain] { return index }
        let index = Int64(ids.count)
        ids.append(plain)
        indices[plain] = index
        return index
    }

    private func separate(_ list: inout [UInt8]) {
        if !list.isEmpty { list.append(UInt8(ascii: ",")) }
    }

    private mutating func write(_ entry: Entry, under key: Key) {
        separate(&rows)
        rows.append(UInt8(ascii: "["))
        write(key)
        for number in [
            index(of: entry.dot.actor), Int64(truncatingIfNeeded: entry.dot.sequence),
            Int64(entry.stamp.milliseconds), Int64(entry.stamp.counter), index(of: entry.author),
        ] {
            rows.append(UInt8(ascii: ","))
            JSONTree.append(number, to: &rows)
        }
        rows.append(UInt8(ascii: ","))
        write(entry.value)
        rows.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ key: Key) {
        switch key {
        case .session, .player, .membership, .device, .foreign:
            JSONString.append(key.description, to: &rows)
        case .cell(let cell):
            rows.append(UInt8(ascii: "["))
            JSONTree.append(index(of: cell.player), to: &rows)
            rows.append(UInt8(ascii: ","))
            JSONString.append(cell.row.description, to: &rows)
            if let round = cell.round {
                rows.append(UInt8(ascii: ","))
                JSONTree.append(Int64(round), to: &rows)
            }
            rows.append(UInt8(ascii: "]"))
        }
    }

    private mutating func write(_ value: Value) {
        switch value {
        case .null: JSONTree.null.write(to: &rows)
        case .boolean(let flag): JSONTree.boolean(flag).write(to: &rows)
        case .integer(let number): JSONTree.append(number, to: &rows)
        case .text(let text): JSONString.append(text.string, to: &rows)
        case .foreign(let kind, let text):
            let object: JSONTree = ["kind": .text(kind.string), "text": .text(text.string)]
            object.write(to: &rows)
        }
    }
}
