import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

struct JournalTests {
    private let scratch: ScratchDirectory
    private let store: SessionStore
    private let session = SessionID(high: 0, low: 1)
    private let ann = PlayerID(high: 0, low: 10)
    private let bob = PlayerID(high: 0, low: 11)
    private let mine = ActorID(high: 0, low: 20)
    private let theirs = ActorID(high: 0, low: 21)
    private let stranger = DeviceID(high: 0, low: 30)
    private let birds = Symbol(known: "birds")
    private let eggs = Symbol(known: "eggs")

    init() throws {
        scratch = try ScratchDirectory()
        store = try scratch.open()
        let key = [UInt8](repeating: 1, count: 32)
        try store.add(SessionRecord(id: session, key: key, joinedAt: 0))
    }

    private func entry(_ actor: ActorID, _ sequence: UInt64, _ number: Int64) -> Entry {
        Entry(
            dot: Dot(actor: actor, sequence: sequence),
            stamp: Stamp(bits: sequence),
            author: actor == mine ? store.device : stranger,
            value: .integer(number)
        )
    }

    private func cell(_ player: PlayerID, _ row: Symbol, _ round: UInt32? = nil) -> Key {
        .cell(Cell(player: player, row: row, round: round))
    }

    private func write(_ key: Key, _ entry: Entry, over replaced: [Entry] = []) throws {
        let batch = Batch(
            removed: replaced.map(\.dot),
            inserted: [KeyedEntry(key: key, entry: entry)],
            advanced: [entry.dot],
            journal: [JournalLine(key: key, entry: entry, replaced: replaced)]
        )
        try store.commit([(session, batch)], at: 1_000)
    }

    private func numbers(_ filter: HistoryFilter, limit: Int = 100) throws -> [Int64] {
        try store.history(of: session, filter, limit: limit).map(\.number)
    }

    @Test("History is filtered by key, player, row and author, and comes in pages")
    func filters() throws {
        try write(cell(ann, birds), entry(mine, 1, 1))
        try write(cell(ann, eggs), entry(theirs, 1, 2))
        try write(cell(bob, birds, 3), entry(mine, 2, 3))
        try write(.membership(ann), entry(mine, 3, 4))
        try write(.player(ann, Field.name), entry(theirs, 2, 5))
        try write(.session(Field.title), entry(theirs, 3, 6))
        try write(cell(ann, Symbol(known: "birdsong")), entry(mine, 4, 7))
        try write(cell(ann, birds, 10), entry(mine, 5, 8))
        try write(.foreign(ExactText("cell/\(ann)/birds\0/1")), entry(theirs, 4, 9))

        #expect(try numbers(HistoryFilter()) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
        #expect(try numbers(HistoryFilter(.key(cell(ann, birds)))) == [1])
        #expect(try numbers(HistoryFilter(.key(cell(bob, eggs)))) == [])
        #expect(try numbers(HistoryFilter(.player(ann))) == [8, 7, 5, 4, 2, 1])
        #expect(try numbers(HistoryFilter(.cells())) == [8, 7, 3, 2, 1])
        #expect(try numbers(HistoryFilter(.cells(player: ann))) == [8, 7, 2, 1])
        #expect(try numbers(HistoryFilter(.cells(row: birds))) == [8, 3, 1])
        #expect(try numbers(HistoryFilter(.cells(player: ann, row: birds))) == [8, 1])
        #expect(try numbers(HistoryFilter(author: store.device)) == [8, 7, 4, 3, 1])
        #expect(try numbers(HistoryFilter(author: DeviceID(high: 9, low: 9))) == [])
        #expect(try numbers(HistoryFilter(.cells(row: birds), author: store.device)) == [8, 3, 1])
        #expect(try numbers(HistoryFilter(), limit: 2) == [9, 8])
        #expect(try numbers(HistoryFilter(before: 8), limit: 2) == [7, 6])
        #expect(try numbers(HistoryFilter(), limit: -1) == [])
    }

    @Test("A line is removed once it is superseded, an own one only once a peer has it")
    func prunes() throws {
        let key = cell(ann, birds)
        let writes = [
            entry(mine, 1, 1), entry(theirs, 1, 2), entry(mine, 2, 3), entry(theirs, 2, 4),
            entry(mine, 3, 5),
        ]
        try write(key, writes[0])
        for (before, after) in zip(writes, writes.dropFirst()) {
            try write(key, after, over: [before])
        }
        let live = cell(bob, birds)
        try write(live, entry(theirs, 3, 6))
        try write(live, entry(theirs, 4, 7))

        let acknowledged = VersionVector([mine: 1, theirs: 100])
        #expect(try store.prune(session, acknowledged: acknowledged, keepingNewest: 6).removed == 1)
        #expect(try numbers(HistoryFilter()) == [7, 6, 5, 4, 3, 2])
        #expect(try store.prune(session, acknowledged: acknowledged, keepingNewest: 0).removed == 2)
        #expect(try numbers(HistoryFilter()) == [7, 6, 5, 3])

        // Line 3 still has the entry that it replaced.
        let third = try #require(try store.history(of: session, limit: 10).last)
        #expect(third.line == JournalLine(key: key, entry: writes[2], replaced: [writes[1]]))

        let more = VersionVector([mine: 2])
        #expect(try store.prune(session, acknowledged: more, keepingNewest: 1).removed == 1)
        #expect(try numbers(HistoryFilter()) == [7, 6, 5])
        let stored = try store.load(session)
        #expect(stored.entries.count == 3)
    }

    @Test("Numbers of lines are never reused, not even after everything was pruned")
    func numbersAreNotReused() throws {
        try write(cell(ann, birds), entry(theirs, 1, 1))
        let gone = Batch(
            removed: [entry(theirs, 1, 1).dot],
            inserted: [],
            advanced: [],
            journal: []
        )
        try store.commit([(session, gone)], at: 1)
        #expect(
            try store.prune(session, acknowledged: VersionVector(), keepingNewest: 0).removed == 0
        )
        try write(cell(ann, birds), entry(theirs, 2, 1))
        #expect(try numbers(HistoryFilter()) == [2, 1])
    }

    @Test("A long journal is pruned in short parts, past the lines that stay")
    func prunesInPieces() throws {
        let pieces = 3
        var last: Entry?
        let rounds = UInt64(pieces * SessionStore.linesPerPrune)
        // The first lines stay, because they were not acknowledged.
        for sequence in 1...20 as ClosedRange<UInt64> {
            let next = entry(mine, sequence, 1)
            try write(cell(ann, birds), next, over: last.map { [$0] } ?? [])
            last = next
        }
        var journal: [JournalLine] = []
        for sequence in 1...rounds {
            let next = entry(theirs, sequence, 2)
            journal.append(JournalLine(key: cell(bob, birds), entry: next, replaced: []))
        }
        let newest = try #require(journal.last?.entry)
        let batch = Batch(
            removed: [],
            inserted: [KeyedEntry(key: cell(bob, birds), entry: newest)],
            advanced: [newest.dot],
            journal: journal
        )
        try store.commit([(session, batch)], at: 1)

        var removed: [Int] = []
        var first: Int64? = .min
        while let from = first {
            let pruned = try store.prune(
                session,
                acknowledged: VersionVector(),
                keepingNewest: 10,
                from: from
            )
            removed.append(pruned.removed)
            first = pruned.next
        }
        #expect(removed.count == pieces + 1)
        #expect(removed.allSatisfy { $0 <= SessionStore.linesPerPrune })
        #expect(removed.reduce(0, +) == Int(rounds) - 10)
        #expect(try numbers(HistoryFilter(), limit: 100).count == 30)
    }

    @Test("Pruning an empty journal removes nothing")
    func prunesEmpty() throws {
        #expect(
            try store.prune(session, acknowledged: VersionVector(), keepingNewest: 5).removed == 0
        )
    }
}
