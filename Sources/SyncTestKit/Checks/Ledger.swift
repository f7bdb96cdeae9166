import SessionCRDT
import SyncEngine

/// What was really written in one session, known from the journals alone: the second opinion that
/// the engine's own merge is held against.
struct Ledger {
    /// A write, and what its writer had in front of it.
    struct Record {
        let line: JournalLine
        var replaced: [Dot] { line.replaced.map(\.dot) }
    }

    /// Every write that reached a disk.
    private(set) var records: [Dot: Record] = [:]
    /// Every write that anybody tried, on disk or not.
    private(set) var minted: [Dot: KeyedEntry] = [:]
    /// The writes that were reported as saved.
    private(set) var saved: Set<Dot> = []
    /// Saved writes that went with the only disk that had them.
    private(set) var lost: Set<Dot> = []
    /// Saved writes that a disk has lost, whose owner may have been relied on: nobody promises them
    /// any more.
    private var doubtful: Set<Dot> = []

    /// Notes the writes that are about to go to disk.
    ///
    /// - Returns: what is wrong with them.
    mutating func note(_ batch: Batch) -> String? {
        for line in batch.journal {
            let stored = KeyedEntry(key: line.key, entry: line.entry)
            if let before = minted[line.entry.dot], before != stored {
                return "dot \(Brief.name(line.entry.dot)) means two things: \(before) and \(stored)"
            }
            minted[line.entry.dot] = stored
        }
        return nil
    }

    /// Notes the writes that are on a disk now.
    mutating func commit(_ batch: Batch) {
        for line in batch.journal where records[line.entry.dot] == nil {
            records[line.entry.dot] = Record(line: line)
        }
    }

    mutating func save(_ dot: Dot) { saved.insert(dot) }

    /// A disk that had seen `before` was lost or set back: what no other disk has may be gone for
    /// good, unless the engine had promised that others have it.
    mutating func forgive(
        _ before: VersionVector,
        kept: [VersionVector],
        but promised: Set<Dot>
    ) {
        let held = promised.subtracting(doubtful)
        for dot in saved where !kept.contains(where: { $0.covers(dot) }) && !held.contains(dot) {
            lost.insert(dot)
        }
        for dot in saved where before.covers(dot) { doubtful.insert(dot) }
    }

    /// The saved writes that are in no way accounted for by who has seen `vector`.
    func missing(from vector: VersionVector) -> [Dot] {
        saved.filter { !vector.covers($0) && !lost.contains($0) }.sorted()
    }

    /// The entries that must be live for who has seen `vector`: every write that nobody has
    /// knowingly replaced.
    func live(seen vector: VersionVector) -> [Key: Set<Dot>] {
        var replaced: Set<Dot> = []
        var live: [Key: Set<Dot>] = [:]
        for (dot, record) in records where vector.covers(dot) {
            replaced.formUnion(record.replaced)
        }
        for (dot, record) in records where vector.covers(dot) && !replaced.contains(dot) {
            live[record.line.key, default: []].insert(dot)
        }
        return live
    }
}
