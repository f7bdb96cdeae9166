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
    private var rows = EntryRows()
    private var vectors = JSONWriter()

    /// A part without rows, with the vectors of the delta if it is the first.
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

    /// How long the part is at most.
    private var bytes: Int { rows.count + vectors.bytes.count + DeltaPart.envelopeBytes }

    /// Adds a row; false when the part is long enough without it.
    mutating func add(_ entry: Entry, under key: Key) -> Bool {
        let before = rows.mark
        let isBare = rows.isEmpty && vectors.bytes.isEmpty
        rows.add(entry, under: key)
        guard bytes > Limits.deltaPartBytes, !isBare else { return true }
        rows.goBack(to: before)
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
