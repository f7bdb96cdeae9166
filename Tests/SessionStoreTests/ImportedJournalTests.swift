import SessionCRDT
import SessionStore
import Testing

struct ImportedJournalTests {
    private let scratch: ScratchDirectory
    private let store: SessionStore
    private let session = SessionID(high: 0, low: 1)
    private let key = Key.session(Field.title)

    init() throws {
        scratch = try ScratchDirectory()
        store = try scratch.open()
        // Without a key, as in a file.
        try store.add(SessionRecord(id: session, key: [], joinedAt: 0))
    }

    private func line(_ sequence: UInt64, _ replaced: UInt64...) -> JournalLine {
        JournalLine(key: key, entry: entry(sequence), replaced: replaced.map(entry))
    }

    private func entry(_ sequence: UInt64) -> Entry {
        Entry(
            dot: Dot(actor: ActorID(high: 0, low: 2), sequence: sequence),
            stamp: Stamp(bits: sequence),
            author: DeviceID(high: 0, low: 3),
            value: .integer(Int64(sequence))
        )
    }

    private func commit(_ lines: [JournalLine] = [], earlier: [JournalLine] = []) throws {
        let batch = Batch(
            removed: [],
            inserted: [],
            advanced: [],
            journal: lines,
            earlier: earlier
        )
        try store.commit([(session, batch)], at: 50)
    }

    private var stored: [JournalLine] {
        get throws {
            try store.history(of: session, oldestFirst: true, limit: .max).map(\.line)
        }
    }

    @Test("An imported journal has its original times and order")
    func appended() throws {
        let lines: [(recordedAt: UInt64, line: JournalLine)] = [(7, line(1)), (9, line(2, 1))]
        try store.append(lines, to: session)
        let records = try store.history(of: session, oldestFirst: true, limit: .max)
        #expect(records.map(\.recordedAt) == [7, 9])
        #expect(records.map(\.line) == [line(1), line(2, 1)])
        let end = try #require(try store.journalEnd(of: session))
        #expect(end.last == 2 && end.count == 2)
        #expect(try store.journalDots(of: session) == [entry(1).dot, entry(2).dot])
    }

    @Test("Earlier lines precede the journal, each line once")
    func earlier() throws {
        try commit([line(5)])
        for _ in 1...2 { try commit(earlier: [line(1), line(2, 1, 3), line(5)]) }
        #expect(try stored == [line(1), line(2, 1, 3), line(5)])
        try commit([line(6)], earlier: [line(4)])
        #expect(try stored == [line(4), line(1), line(2, 1, 3), line(5), line(6)])
        #expect(try store.journalEnd(of: session)?.last == 2)
    }

    @Test("Earlier lines of an empty journal are all of it")
    func alone() throws {
        let none = try store.journalEnd(of: session)
        #expect(none?.last == nil)
        try commit(earlier: [line(1), line(2)])
        try commit([line(3)])
        #expect(try stored == [line(1), line(2), line(3)])
    }
}
