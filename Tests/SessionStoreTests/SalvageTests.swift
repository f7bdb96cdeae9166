import FoundationEssentials
import SessionCRDT
import SyncTestKit
import Testing

@testable import SessionStore

/// What is kept of a damaged database, and what members give back.
@Suite("A damaged database")
struct SalvageTests {
    /// How many live entries stand in one page at most.
    private static let entriesOfPage = 130

    @Test(
        "Noise in any one page costs at most what stood there, and a member gives back the rest",
        arguments: 1...2 as ClosedRange<UInt64>
    )
    func noiseInEachPage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let original = try ScratchDirectory()
        let evening = try Self.evening(in: original)
        let bytes = try original.bytes(of: "scoresync.db")
        var salvaged = 0
        for page in 0..<bytes.count / 4_096 {
            let scratch = try ScratchDirectory()
            var damaged = bytes
            for index in page * 4_096..<(page + 1) * 4_096 {
                damaged[index] = .random(in: 0...255, using: &generator)
            }
            try scratch.write(damaged, to: "scoresync.db")
            let store = try scratch.open()
            let place = Comment(rawValue: "seed \(seed), page \(page + 1)")
            for session in evening.sessions {
                try expect(store, toHaveKept: session, place)
            }
            guard let salvage = store.salvage else { continue }
            salvaged += 1
            #expect(try scratch.bytes(of: "scoresync.db.damaged-1") == damaged, place)
            #expect(store.setAside.map(\.text) == [salvage.text], place)
        }
        // Only free pages and those of a long row hold nothing that is checked.
        #expect(salvaged >= bytes.count / 4_096 - 2, "seed \(seed)")
    }

    /// Looks at one session after damage in one page, alone and once a member was met.
    private func expect(
        _ store: SessionStore,
        toHaveKept session: (record: SessionRecord, map: CausalMap),
        _ place: Comment
    ) throws {
        let replica = try store.load(session.record.id)
        #expect(
            replica.entries.count >= session.map.live.count - Self.entriesOfPage,
            place
        )
        let kept = try CausalMap(entries: replica.entries, vector: replica.vector)
        let shown = Evening.shown(session.map)
        for (key, set) in kept.live { #expect(set.winner.value == shown[key], place) }
        let met = try #require(Evening.meet(kept, session.map), place)
        #expect(met.0.vector == met.1.vector, place)
        #expect(met.0.live == met.1.live, place)
        #expect(met.0.tally.digest == met.1.tally.digest, place)
        #expect(Evening.shown(met.0) == shown, place)
    }

    @Test("Noise in the history costs a part of it, and nothing else")
    func noiseInHistory() throws {
        let original = try ScratchDirectory()
        let evening = try Self.evening(in: original)
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
            let text = try #require(store.salvage?.text)
            #expect(text.hasSuffix("what was lost: a part of the history"))
            #expect(try store.sessions() == evening.sessions.map(\.record))
            #expect(try store.setting("device.name") == "laptop")
            #expect(store.device == device)
            #expect(try store.people() == evening.people)
            #expect(try store.sheets() == [evening.sheet])
            for session in evening.sessions {
                let id = session.record.id
                let replica = try store.load(id)
                let map = try CausalMap(entries: replica.entries, vector: replica.vector)
                #expect(map.live == session.map.live)
                #expect(map.vector == session.map.vector)
                #expect(try store.history(of: id, limit: .max).count > 300)
                #expect(try store.peers(of: id) == [evening.address])
                #expect(try store.setting("me", of: id) == "somebody")
            }
        }
    }

    /// The leaves of a table whose rows have keys, by what stands in them.
    private static func leaves(of table: String, in scratch: ScratchDirectory) -> [Int] {
        let image = DamagedImage(database: scratch.database)
        guard let shape = TableShape.all.first(where: { $0.table == table }) else { return [] }
        return (2...Int(image.pageCount)).filter { number in
            guard let page = TreePage(UInt32(number), of: image), !page.isInterior,
                case .row(let record)? = page.cells.first
            else { return false }
            return shape.values(of: record) != nil
        }
    }

    @Test("An empty database beside a whole log loses nothing")
    func emptyDatabase() throws {
        let scratch = try ScratchDirectory()
        let copy = try ScratchDirectory()
        let store = try scratch.open()
        let evening = try Evening(store)
        try copy.write([], to: "scoresync.db")
        try copy.write(scratch.bytes(of: "scoresync.db-wal"), to: "scoresync.db-wal")
        try Self.expect(copy, toHold: evening, of: store.device, isSalvaged: true)
    }

    @Test("A database cut to 2,048 bytes beside a whole log loses nothing")
    func cutDatabase() throws {
        let scratch = try ScratchDirectory()
        let copy = try ScratchDirectory()
        let store = try scratch.open()
        let evening = try Evening(store)
        let database = try scratch.bytes(of: "scoresync.db")
        try copy.write(database.prefix(2_048), to: "scoresync.db")
        try copy.write(scratch.bytes(of: "scoresync.db-wal"), to: "scoresync.db-wal")
        try Self.expect(copy, toHold: evening, of: store.device, isSalvaged: false)
    }

    @Test("Without a database the log alone gives everything back")
    func loneLog() throws {
        let scratch = try ScratchDirectory()
        let copy = try ScratchDirectory()
        let store = try scratch.open()
        let evening = try Evening(store)
        try copy.write(scratch.bytes(of: "scoresync.db-wal"), to: "scoresync.db-wal")
        try Self.expect(copy, toHold: evening, of: store.device, isSalvaged: true)
    }

    @Test("Damage in the middle of the log costs at most that page, and is told", arguments: 1...6)
    func damagedLog(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let evening = try Evening(store)
        var log = try scratch.bytes(of: "scoresync.db-wal")
        let frames = store.logPages
        let frame = 32 + Int.random(in: frames / 8...frames / 2, using: &generator) * (4_096 + 24)
        // Every other time the head of the frame goes too.
        for index in frame + (seed % 2 == 0 ? 0 : 24)..<frame + 24 + 4_096 {
            log[index] = .random(in: 0...255, using: &generator)
        }
        let copy = try ScratchDirectory()
        try copy.write(scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        try copy.write(log, to: "scoresync.db-wal")
        let opened = try copy.open()
        let salvage = try #require(opened.salvage, "seed \(seed)")
        #expect(salvage.text.contains("log"))
        for session in evening.sessions {
            try expect(opened, toHaveKept: session, "seed \(seed)")
        }
    }

    @Test("A log that ends in the middle of a commit is what a power cut leaves, and no damage")
    func tornLog() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try Evening(store)
        var log = try scratch.bytes(of: "scoresync.db-wal")
        let last = 32 + (store.logPages - 1) * (4_096 + 24)
        for index in last + 100..<last + 200 { log[index] ^= 0xFF }
        let copy = try ScratchDirectory()
        try copy.write(scratch.bytes(of: "scoresync.db"), to: "scoresync.db")
        try copy.write(log, to: "scoresync.db-wal")
        #expect(try copy.open().salvage == nil)
    }

    private static func expect(
        _ scratch: ScratchDirectory,
        toHold evening: Evening,
        of device: DeviceID,
        isSalvaged: Bool
    ) throws {
        let store = try scratch.open()
        #expect((store.salvage != nil) == isSalvaged)
        if let text = store.salvage?.text { #expect(text.contains("nothing was lost")) }
        #expect(store.device == device)
        #expect(try store.sessions() == evening.sessions.map(\.record))
        for session in evening.sessions {
            let replica = try store.load(session.record.id)
            let map = try CausalMap(entries: replica.entries, vector: replica.vector)
            #expect(map.live == session.map.live)
            #expect(map.vector == session.map.vector)
            #expect(try store.history(of: session.record.id, limit: .max).count > 400)
        }
    }

    /// An evening in a database without a log.
    private static func evening(in scratch: ScratchDirectory) throws -> Evening {
        let store = try scratch.open()
        let evening = try Evening(store)
        store.foldLog()
        return evening
    }
}
