import SessionCRDT
import SessionStore

/// Writes numbered batches into two sessions and checks which of them are stored.
///
/// Batch n replaces the three cells of both sessions by n, so that a partial batch shows as two
/// different numbers.
struct Writer {
    private static let sessions = [SessionID(high: 0, low: 1), SessionID(high: 0, low: 2)]
    private static let actor = ActorID(high: 2, low: 1)
    private static let keys = (0..<3).map { player in
        Key.cell(Cell(player: PlayerID(high: 1, low: player), row: Symbol(known: "points")))
    }

    private let store: SessionStore
    private var last: Int64

    init(_ store: SessionStore) throws(StoreError) {
        self.store = store
        if try store.sessions().isEmpty {
            for id in Writer.sessions {
                try store.add(
                    SessionRecord(id: id, key: [UInt8](repeating: 7, count: 32), joinedAt: 1)
                )
            }
        }
        last = Int64(try store.load(Writer.sessions[0]).vector[Writer.actor]) / 3
    }

    /// Writes batches until one fails, and prints each that is committed.
    mutating func write(_ count: Int, extraBytes: Int) {
        for _ in 0..<count {
            do throws(StoreError) {
                let next = last + 1
                let batch = batch(next, extraBytes: extraBytes)
                try store.commit(Writer.sessions.map { ($0, batch) }, at: UInt64(next))
                last = next
                printLine("done \(next)")
            } catch {
                return printLine("error \(error)")
            }
        }
    }

    /// Prints the number of batches in the store, or an inconsistency.
    func read() {
        do throws(StoreError) {
            var numbers: Set<Int64> = []
            for session in Writer.sessions {
                let replica = try store.load(session)
                let history = try store.history(of: session, limit: 3)
                let vector = Int64(replica.vector[Writer.actor])
                guard vector % 3 == 0 else {
                    return printLine("torn: the vector ends at \(vector)")
                }
                numbers.insert(vector / 3)
                numbers.formUnion(history.compactMap(\.line.entry.value.integer))
                numbers.formUnion(replica.entries.compactMap(\.entry.value.integer))
                let cells = replica.entries.filter { Writer.keys.contains($0.key) }
                guard cells.count == (vector == 0 ? 0 : 3) else {
                    return printLine("torn: \(cells.count) cells")
                }
            }
            printLine(
                numbers.count == 1 ? "holds \(numbers.max() ?? 0)" : "torn: \(numbers.sorted())"
            )
        } catch {
            printLine("error \(error)")
        }
    }

    private func batch(_ number: Int64, extraBytes: Int) -> Batch {
        var lines: [JournalLine] = []
        var removed: [Dot] = []
        for (index, key) in Writer.keys.enumerated() {
            let replaced = number > 1 ? [entry(index, of: number - 1)] : []
            removed += replaced.map(\.dot)
            lines.append(
                JournalLine(key: key, entry: entry(index, of: number), replaced: replaced)
            )
        }
        if extraBytes > 0 {
            // Only in the journal, which grows.
            let text = String(repeating: "x", count: extraBytes)
            let entry = Entry(
                dot: lines[0].entry.dot,
                stamp: Stamp(bits: 1),
                author: store.device,
                value: .text(text)
            )
            let line = JournalLine(key: Writer.keys[0], entry: entry, replaced: [])
            lines.insert(line, at: 0)
        }
        return Batch(
            removed: removed,
            inserted: lines.suffix(3).map { KeyedEntry(key: $0.key, entry: $0.entry) },
            advanced: lines.suffix(1).map(\.entry.dot),
            journal: lines
        )
    }

    private func entry(_ index: Int, of number: Int64) -> Entry {
        Entry(
            dot: Dot(actor: Writer.actor, sequence: UInt64(3 * (number - 1)) + UInt64(index + 1)),
            stamp: Stamp(milliseconds: UInt64(number)),
            author: store.device,
            value: .integer(number)
        )
    }
}
