import FoundationEssentials
import SessionCRDT
import SyncTestKit
import Testing

@testable import SessionStore

/// Losses after damage to the files, and what other members send again.
struct DamagedFileTests {
    private static let maxEntriesPerPage = 130

    @Test(
        "Noise in any page loses at most its entries, which another member sends again",
        arguments: 1...2 as ClosedRange<UInt64>
    )
    func noiseInEachPage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let original = try ScratchDirectory()
        let filled = try Self.filled(in: original)
        let bytes = try original.bytes(of: "scoresync.db")
        var repaired = 0
        for page in 0..<bytes.count / 4_096 {
            let scratch = try ScratchDirectory()
            var damaged = bytes
            for index in page * 4_096..<(page + 1) * 4_096 {
                damaged[index] = .random(in: 0...255, using: &generator)
            }
            try scratch.write(damaged, to: "scoresync.db")
            let store = try scratch.open()
            let place = Comment(rawValue: "seed \(seed), page \(page + 1)")
            for session in filled.sessions {
                try expect(store, toHaveKept: session, place)
            }
            guard let report = store.repairReport else { continue }
            repaired += 1
            #expect(try scratch.bytes(of: "scoresync.db.damaged-1") == damaged, place)
            #expect(store.damagedDatabases.map(\.text) == [report.text], place)
        }
        // Only noise in free pages and those of a long row goes unnoticed.
        #expect(repaired >= bytes.count / 4_096 - 2, "seed \(seed)")
    }

    /// Checks a session after damage to one page, before and after a merge with another member.
    private func expect(
        _ store: SessionStore,
        toHaveKept session: (record: SessionRecord, map: CausalMap),
        _ place: Comment
    ) throws {
        let replica = try store.load(session.record.id)
        #expect(
            replica.entries.count >= session.map.live.count - Self.maxEntriesPerPage,
            place
        )
        let kept = try CausalMap(entries: replica.entries, vector: replica.vector)
        let shown = FilledStore.shown(session.map)
        for (key, set) in kept.live { #expect(set.winner.value == shown[key], place) }
        let merged = try #require(FilledStore.merge(kept, session.map), place)
        #expect(merged.0.vector == merged.1.vector, place)
        #expect(merged.0.live == merged.1.live, place)
        #expect(merged.0.tally.digest == merged.1.tally.digest, place)
        #expect(FilledStore.shown(merged.0) == shown, place)
    }

    @Test("Noise in the history loses part of it, and nothing else")
    func noiseInHistory() throws {
        let original = try ScratchDirectory()
        let filled = try Self.filled(in: original)
        let bytes = try original.bytes(of: "scoresync.db")
        let pages = Self.leaves(of: "line", in: original)
        #expect(pages.count > 5)
        let device = try original.open().device
        for page in pages {
            let scratch = try ScratchDirectory()
            var damaged = bytes
            for index in (page - 1) * 4_096..<page * 4_096 { damaged[index] = 0x5A }
            try scratch.write(damaged, to: "scoresync.db")
            let store = try scratch.open()
            let text = try #require(store.repairReport?.text)
            #expect(text.hasSuffix("lost: part of the history"))
            #expect(try store.sessions() == filled.sessions.map(\.record))
            #expect(try store.setting("device.name") == "laptop")
            #expect(store.device == device)
            #expect(try store.people() == filled.people)
            #expect(try store.sheets() == [filled.sheet])
            #expect(try store.results() == filled.results)
            for session in filled.sessions {
                let id = session.record.id
                let replica = try store.load(id)
                let map = try CausalMap(entries: replica.entries, vector: replica.vector)
                #expect(map.live == session.map.live)
                #expect(map.vector == session.map.vector)
                #expect(try store.history(of: id, limit: .max).count > 300)
                #expect(try store.addresses(of: id) == [filled.address])
                #expect(try store.setting("me", of: id) == "ann")
            }
        }
    }

    /// The leaf pages of a table whose rows have keys.
    private static func leaves(of table: String, in scratch: ScratchDirectory) -> [Int] {
        let pages = DatabasePages(database: scratch.database)
        guard let shape = TableShape.all.first(where: { $0.table == table }) else { return [] }
        return (2...Int(pages.pageCount)).filter { number in
            guard let page = TreePage(UInt32(number), of: pages), !page.isInterior,
                case .row(let record)? = page.cells.first
            else { return false }
            return shape.values(of: record) != nil
        }
    }

    @Test("An empty database with a complete log loses nothing")
    func emptyDatabase() throws {
        let scratch = try ScratchDirectory()
        let copy = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store, withCompleteLog: true)
        try copy.write([], to: "scoresync.db")
        try copy.write(scratch.bytes(of: "scoresync.db-wal"), to: "scoresync.db-wal")
        try Self.expect(copy, toHold: filled, of: store.device, isRepaired: true)
    }

    @Test("A database truncated to 2,048 bytes with a complete log loses nothing")
    func cutDatabase() throws {
        let scratch = try ScratchDirectory()
        let copy = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store, withCompleteLog: true)
        let database = try scratch.bytes(of: "scoresync.db")
        try copy.write(database.prefix(2_048), to: "scoresync.db")
        try copy.write(scratch.bytes(of: "scoresync.db-wal"), to: "scoresync.db-wal")
        try Self.expect(copy, toHold: filled, of: store.device, isRepaired: false)
    }

    @Test("A log without a database restores everything")
    func loneLog() throws {
        let scratch = try ScratchDirectory()
        let copy = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store, withCompleteLog: true)
        try copy.write(scratch.bytes(of: "scoresync.db-wal"), to: "scoresync.db-wal")
        try Self.expect(copy, toHold: filled, of: store.device, isRepaired: true)
    }

    @Test(
        "Damage in the middle of the log loses at most one page, and is reported",
        arguments: 1...6
    )
    func damagedLog(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        var log = try scratch.bytes(of: "scoresync.db-wal")
        let frames = store.logPages
        let frame = 32 + Int.random(in: frames / 8...frames / 2, using: &generator) * (4_096 + 24)
        // For every second seed, the frame's header too.
        for index in frame + (seed % 2 == 0 ? 0 : 24)..<frame + 24 + 4_096 {
            log[index] = .random(in: 0...255, using: &generator)
        }
        let copy = try ScratchDirectory()
        try copy.write(scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        try copy.write(log, to: "scoresync.db-wal")
        let opened = try copy.open()
        let report = try #require(opened.repairReport, "seed \(seed)")
        #expect(report.text.contains("log"))
        for session in filled.sessions {
            try expect(opened, toHaveKept: session, "seed \(seed)")
        }
    }

    @Test("A log that ends in the middle of a commit, as after a power failure, is not damaged")
    func tornLog() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try FilledStore(store)
        var log = try scratch.bytes(of: "scoresync.db-wal")
        let last = 32 + (store.logPages - 1) * (4_096 + 24)
        for index in last + 100..<last + 200 { log[index] ^= 0xFF }
        let copy = try ScratchDirectory()
        try copy.write(scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        try copy.write(log, to: "scoresync.db-wal")
        #expect(try copy.open().repairReport == nil)
    }

    private static func expect(
        _ scratch: ScratchDirectory,
        toHold filled: FilledStore,
        of device: DeviceID,
        isRepaired: Bool
    ) throws {
        let store = try scratch.open()
        #expect((store.repairReport != nil) == isRepaired)
        if let text = store.repairReport?.text { #expect(text.contains("nothing was lost")) }
        #expect(store.device == device)
        #expect(try store.sessions() == filled.sessions.map(\.record))
        for session in filled.sessions {
            let replica = try store.load(session.record.id)
            let map = try CausalMap(entries: replica.entries, vector: replica.vector)
            #expect(map.live == session.map.live)
            #expect(map.vector == session.map.vector)
            #expect(try store.history(of: session.record.id, limit: .max).count > 400)
        }
    }

    /// A filled store whose database is one file.
    private static func filled(in scratch: ScratchDirectory) throws -> FilledStore {
        let store = try scratch.open()
        let filled = try FilledStore(store)
        store.truncateLog()
        return filled
    }
}
