import FoundationEssentials
import SessionCRDT
import SyncTestKit
import Testing

@testable import SessionStore

/// The state that shows a database that is older than what the device had.
struct LastKnownStateTests {
    /// Writes of one actor in a session of a store.
    private struct Writer {
        let id: SessionID
        private var last: UInt64 = 0

        init(_ number: UInt64) { id = SessionID(high: number, low: 1) }

        func add(to store: SessionStore) throws {
            let key = [UInt8](repeating: 1, count: SessionStore.keyBytes)
            try store.add(SessionRecord(id: id, key: key, joinedAt: 0))
        }

        /// Commits writes, each of which replaces the one before.
        mutating func write(_ count: UInt64, to store: SessionStore) throws {
            for sequence in (last + 1)...(last + count) {
                let entry = Entry(
                    dot: dot(sequence),
                    stamp: Stamp(bits: sequence),
                    author: store.device,
                    value: .integer(1)
                )
                let batch = Batch(
                    removed: sequence > 1 ? [dot(sequence - 1)] : [],
                    inserted: [KeyedEntry(key: .session(Field.title), entry: entry)],
                    advanced: [entry.dot],
                    journal: []
                )
                try store.commit([(id, batch)], at: 1)
            }
            last += count
        }

        private func dot(_ sequence: UInt64) -> Dot {
            Dot(actor: ActorID(high: id.high, low: 9), sequence: sequence)
        }
    }

    private static let name = "scoresync.db.last-known"

    /// A copy of the files as a kill would leave them.
    private func copy(_ scratch: ScratchDirectory, _ suffixes: String...) throws -> ScratchDirectory
    {
        let copy = try ScratchDirectory()
        for suffix in suffixes where try scratch.files.contains("scoresync.db\(suffix)") {
            try copy.write(scratch.bytes(of: "scoresync.db\(suffix)"), to: "scoresync.db\(suffix)")
        }
        return copy
    }

    @Test("After its log was lost, the missing writes are counted until they have come back")
    func lostLog() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        var writer = Writer(1)
        try writer.add(to: store)
        try writer.write(3, to: store)
        store.checkpoint()
        let older = writer
        try writer.write(20, to: store)
        store.saveLastKnownState()
        let copy = try copy(scratch, "", ".last-known")
        #expect(try copy.open().missingWrites() == [writer.id: 20])
        // It is known until then, regardless of new writes.
        let next = try copy.open()
        var others = older
        try others.write(19, to: next)
        next.saveLastKnownState()
        #expect(next.missingWrites() == [writer.id: 1])
        #expect(try copy.open().missingWrites() == [writer.id: 1])
        try others.write(1, to: next)
        #expect(next.missingWrites() == [:])
        next.saveLastKnownState()
        #expect(try copy.open().missingWrites() == [:])
    }

    @Test("A lost session is missing until it is there again, or was left")
    func lostSession() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        var writer = Writer(1)
        try writer.add(to: store)
        try writer.write(2, to: store)
        store.saveLastKnownState()
        let copy = try copy(scratch, ".last-known")
        let empty = try copy.open()
        #expect(empty.missingWrites() == [writer.id: 2])
        empty.saveLastKnownState()
        #expect(try copy.open().missingWrites() == [writer.id: 2])
        try Writer(1).add(to: empty)
        #expect(empty.missingWrites() == [writer.id: 2])
        var again = Writer(1)
        try again.write(2, to: empty)
        #expect(empty.missingWrites() == [:])
        let other = try self.copy(scratch, ".last-known")
        let left = try other.open()
        #expect(left.missingWrites { $0 == writer.id } == [:])
        left.saveLastKnownState()
        #expect(left.missingWrites() == [:])
        #expect(try other.open().missingWrites() == [:])
    }

    @Test("Nothing is missing after a kill at any moment", arguments: 1...20)
    func kills(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var scratch = try ScratchDirectory()
        var store = try scratch.open()
        var writers: [Writer] = []
        var left: Set<SessionID> = []
        for step in 0..<60 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let writer = Writer(UInt64(step))
                try writer.add(to: store)
                writers.append(writer)
            case 1 where !writers.isEmpty:
                let writer = writers.removeFirst()
                try store.remove(writer.id)
                left.insert(writer.id)
            case 2: store.saveLastKnownState()
            case 3: store.checkpoint()
            case 4:
                scratch = try copy(scratch, "", "-wal", ".last-known")
                store = try scratch.open()
                let missing = store.missingWrites(wasLeft: left.contains)
                #expect(missing == [:], "seed \(seed), step \(step)")
            default:
                guard let index = writers.indices.randomElement(using: &generator) else { break }
                try writers[index].write(UInt64(step % 3 + 1), to: store)
            }
        }
    }

    @Test("Nothing is missing after a restore or a repair, or without the file or a part of it")
    func reset() throws {
        let scratch = try ScratchDirectory()
        let backup = scratch.path + "/backup"
        var writer = Writer(1)
        do {
            let store = try scratch.open()
            try writer.add(to: store)
            try store.backUp(to: backup, replacing: false)
            try writer.write(20, to: store)
            store.saveLastKnownState()
            store.truncateLog()
        }
        let state = try scratch.bytes(of: Self.name)
        // A repair says itself what is lost.
        let damaged = try copy(scratch, "", ".last-known")
        var bytes = try damaged.bytes(of: "scoresync.db")
        for index in 4_096..<bytes.count where index % 7 < 3 { bytes[index] = 0xA5 }
        try damaged.write(bytes, to: "scoresync.db")
        let repaired = try damaged.open()
        #expect(repaired.repairReport != nil)
        #expect(repaired.missingWrites() == [:])
        _ = try Restoration(of: backup, into: scratch.path)
        #expect(try scratch.open().missingWrites() == [:])
        for length in state.indices {
            let part = try copy(scratch, "")
            try part.write(state.prefix(length), to: Self.name)
            // Only without its last byte, a line feed, it is complete.
            let expected = length == state.count - 1 ? [writer.id: 20 as UInt64] : [:]
            #expect(try part.open().missingWrites() == expected, "\(length) bytes")
        }
    }
}
