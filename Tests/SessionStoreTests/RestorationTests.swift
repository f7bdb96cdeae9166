import FoundationEssentials
import SessionCRDT
import SyncTestKit
import Synchronization
import Testing

@testable import SessionStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(10)))
struct RestorationTests {
    /// A backup in a directory of its own, and its sessions.
    private func copy() throws -> (place: ScratchDirectory, path: String, sessions: [SessionRecord])
    {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        let place = try ScratchDirectory()
        let path = place.path + "/copy?#%41"
        try store.backUp(to: path, replacing: false)
        return (place, path, filled.sessions.map(\.record))
    }

    @Test("A backup is restored into an empty directory with its device, and is not changed")
    func empty() throws {
        let copy = try copy()
        let before = try Data(contentsOf: URL(filePath: copy.path))
        let home = try ScratchDirectory()
        let done = try Restoration(of: copy.path, into: home.path)
        #expect(done.replaced == nil)
        #expect(done.contents.sessions == 2)
        #expect(try home.files == ["scoresync.db"])
        let store = try home.open()
        #expect(store.device == done.contents.device)
        #expect(try store.sessions() == copy.sessions)
        #expect(try Data(contentsOf: URL(filePath: copy.path)) == before)
        #expect(try copy.place.files.count == 1)
    }

    @Test("A restore reports its progress")
    func progress() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/copy"
        do {
            let store = try scratch.open()
            // About five pieces.
            try store.connection.run(
                """
                INSERT INTO setting (name, value)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24000)
                SELECT 'row ' || i, hex(zeroblob(100)) FROM n
                """
            )
            try store.backUp(to: path, replacing: false)
        }
        let home = try ScratchDirectory()
        let progress = Mutex<[Double]>([])
        let done = try Restoration(of: path, into: home.path) { share in
            progress.withLock { $0.append(share) }
        }
        let shares = progress.withLock { $0 }
        #expect(shares.count >= 3 && shares.count <= done.contents.bytes >> 20, "\(shares)")
        #expect(shares == shares.sorted() && (shares.last ?? 0) > 0.5, "\(shares)")
        #expect((shares.first ?? 0) > 0 && (shares.last ?? 2) <= 1, "\(shares)")
    }

    @Test(
        "Each restore sets the former database aside completely, and it can be restored too"
    )
    func used() throws {
        let copy = try copy()
        let home = try ScratchDirectory()
        do {
            let store = try home.open()
            try store.set("device.name", to: "mine")
            try store.connection.keepLogOnClose(true)
        }
        let first = try Restoration(of: copy.path, into: home.path)
        let second = try Restoration(of: copy.path, into: home.path)
        #expect(first.replaced == home.database + ".replaced-1")
        #expect(second.replaced == home.database + ".replaced-2")
        #expect(try home.open().sessions() == copy.sessions)
        let back = try Restoration(of: home.database + ".replaced-1", into: home.path)
        #expect(back.replaced == home.database + ".replaced-3")
        let store = try home.open()
        #expect(try store.setting("device.name") == "mine")
        #expect(try store.sessions().isEmpty)
    }

    @Test("A database whose log cannot be checkpointed is set aside with it")
    func damagedHome() throws {
        let copy = try copy()
        let home = try ScratchDirectory()
        try home.write([UInt8](repeating: 1, count: 9_000), to: "scoresync.db")
        try home.write([1, 2, 3], to: "scoresync.db-wal")
        _ = try Restoration(of: copy.path, into: home.path)
        #expect(try home.bytes(of: "scoresync.db.replaced-1").count == 9_000)
        #expect(try home.bytes(of: "scoresync.db.replaced-1-wal") == [1, 2, 3])
        #expect(try home.open().sessions() == copy.sessions)
    }

    @Test(
        "An interrupted restore leaves the old store or the new one",
        arguments: 0..<5
    )
    func brokenOff(step: Int) throws {
        let copy = try copy()
        let home = try ScratchDirectory()
        do {
            let store = try home.open()
            try store.set("device.name", to: "mine")
            // As after a kill, with everything in the log.
            try store.connection.keepLogOnClose(true)
        }
        let files = StoreFiles(directory: home.path)
        let writer = BackupWriter(
            source: try BackupContents.open(copy.path),
            cancellation: CancellationFlag()
        )
        _ = try writer.write(unfinished: files.arriving)
        func move(_ old: String, _ new: String) throws {
            try FileManager.default.moveItem(
                atPath: home.database + old,
                toPath: home.database + new
            )
        }
        if step > 0 { try move(".arriving", ".restored-1") }
        if step > 1 { try move("-wal", ".replaced-1-wal") }
        if step > 2 { try move("", ".replaced-1") }
        if step > 3 { try move(".restored-1", "") }
        let store = try home.open()
        #expect(store.repairReport == nil)
        if step == 0 {
            #expect(try store.setting("device.name") == "mine")
            // The unfinished copy is no obstacle.
            #expect(try Restoration(of: copy.path, into: home.path).replaced != nil)
            return
        }
        #expect(try store.sessions() == copy.sessions)
        #expect(try home.files.isSuperset(of: ["scoresync.db.replaced-1"]))
        let other = try ScratchDirectory()
        for suffix in ["", "-wal"] where try home.files.contains("scoresync.db.replaced-1\(suffix)")
        {
            let bytes = try home.bytes(of: "scoresync.db.replaced-1\(suffix)")
            try other.write(bytes, to: "scoresync.db\(suffix)")
        }
        #expect(try other.open().setting("device.name") == "mine")
    }

    @Test(
        "A file that is not a backup is refused with the reason, and nothing is changed",
        arguments: [
            ("nothing", "No such file"), ("directory", "it is a directory"),
            ("fifo", "it is not a regular file"), ("empty", "it is empty"),
            ("text", "it is not a database"),
            ("foreign", "another program"), ("bare", "it contains no store"),
            ("newer", "later version"), ("damaged", "damaged"), ("cut", "damaged"),
            ("trigger", "other tables than a store"), ("view", "other tables than a store"),
            ("column", "other tables than a store"), ("no device", "it has no device id"),
        ]
    )
    func refused(kind: String, reason: String) throws {
        let copy = try copy()
        let path = copy.place.path + "/tried"
        try spoil(copy.path, path, kind)
        let home = try ScratchDirectory()
        try home.open().set("device.name", to: "mine")
        let (files, bytes) = (try home.files, try home.bytes(of: "scoresync.db"))
        let error = try #require(throws: StoreError.self) {
            try Restoration(of: path, into: home.path)
        }
        #expect("\(error)".contains(reason), "\(error)")
        #expect(throws: error) { try BackupContents(of: path) }
        #expect(try home.files == files)
        #expect(try home.bytes(of: "scoresync.db") == bytes)
    }

    private func spoil(_ copy: String, _ path: String, _ kind: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: copy))
        switch kind {
        case "nothing": return
        case "directory": #expect(mkdir(path, 0o700) == 0)
        case "fifo": #expect(mkfifo(path, 0o600) == 0)
        case "empty": try Data().write(to: URL(filePath: path))
        case "text": try Data("scores\n".utf8).write(to: URL(filePath: path))
        case "cut": try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
        case "damaged":
            var spoiled = bytes
            for place in stride(from: 4_096 * 3, to: bytes.count, by: 97) { spoiled[place] ^= 0x55 }
            try spoiled.write(to: URL(filePath: path))
        default:
            try bytes.write(to: URL(filePath: path))
            let connection = try Connection(path: path)
            for statement in RestorationTests.statements[kind, default: []] {
                try connection.run(statement)
            }
        }
    }

    private static let statements = [
        "foreign": ["PRAGMA application_id = 7"],
        "bare": ["PRAGMA user_version = 0"],
        "newer": ["PRAGMA user_version = 1000"],
        "trigger": [
            "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM session; END"
        ],
        "view": ["DROP TABLE sheet", "CREATE VIEW sheet AS SELECT 1 AS id, 2 AS source"],
        "column": ["ALTER TABLE session ADD COLUMN more ANY"],
        "no device": ["DELETE FROM identity"],
    ]

    /// The length of a backup's pages, without the checksum after them.
    private static func pageBytes(_ bytes: Data) -> Int { bytes.count / 4_096 * 4_096 }

    @Test("A backup with any changed bytes is refused before the old store is touched")
    func damaged() throws {
        let seed: UInt64 = 64
        var generator = SeededGenerator(seed: seed)
        let copy = try copy()
        let bytes = try Data(contentsOf: URL(filePath: copy.path))
        let path = copy.place.path + "/tried"
        let home = try ScratchDirectory()
        try home.open().set("device.name", to: "mine")
        let (files, before) = (try home.files, try home.bytes(of: "scoresync.db"))
        for round in 0..<150 {
            var spoiled = bytes
            for _ in 0..<(round % 3 == 0 ? 1 : 64) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                spoiled[place] ^= UInt8.random(in: 1...255, using: &generator)
            }
            let size = Self.pageBytes(bytes)
            guard spoiled.prefix(size) != bytes.prefix(size) else { continue }
            try spoiled.write(to: URL(filePath: path))
            #expect(throws: StoreError.self, "seed \(seed), round \(round)") {
                try Restoration(of: path, into: home.path)
            }
        }
        #expect(try home.files == files)
        #expect(try home.bytes(of: "scoresync.db") == before)
    }

    @Test("A backup of an earlier version, which has no checksum, is restored")
    func withoutChecksum() throws {
        let copy = try copy()
        let bytes = try Data(contentsOf: URL(filePath: copy.path))
        let path = copy.place.path + "/old"
        try bytes.prefix(Self.pageBytes(bytes)).write(to: URL(filePath: path))
        let home = try ScratchDirectory()
        #expect(try Restoration(of: path, into: home.path).contents.sessions == 2)
        #expect(try home.open().sessions() == copy.sessions)
    }

    @Test(
        "Without a checksum, rows that the store could not read are found before it is touched",
        arguments: [
            "UPDATE entry SET kind = 9",
            "UPDATE line SET kind = 2, value = 'x' WHERE line = 1",
            "UPDATE entry SET author = 77", "UPDATE entry SET subject = 7777",
            "UPDATE session SET id = x'00' WHERE number = 1",
            "UPDATE subject SET key = 5 WHERE number = 1",
            "UPDATE actor SET seen = 1", "DELETE FROM actor", "DELETE FROM session",
        ]
    )
    func unreadableRows(statement: String) throws {
        let copy = try copy()
        let bytes = try Data(contentsOf: URL(filePath: copy.path))
        let path = copy.place.path + "/old"
        try bytes.prefix(Self.pageBytes(bytes)).write(to: URL(filePath: path))
        do {
            let connection = try Connection(path: path)
            try connection.run(statement)
        }
        let home = try ScratchDirectory()
        let error = try #require(throws: StoreError.self) {
            try Restoration(of: path, into: home.path)
        }
        #expect(error.isDamage, "\(error)")
        #expect(try home.files.isEmpty)
    }

    @Test("Without a checksum, changed bytes are refused or restored, and never trap")
    func damagedAnywhere() throws {
        var generator = SeededGenerator(seed: 7)
        let copy = try copy()
        let whole = try Data(contentsOf: URL(filePath: copy.path))
        let bytes = whole.prefix(Self.pageBytes(whole))
        let path = copy.place.path + "/tried"
        for round in 0..<150 {
            var spoiled = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let isHead = Bool.random(using: &generator)
                let place = Int.random(in: 0..<(isHead ? 200 : bytes.count), using: &generator)
                spoiled[place] = UInt8.random(in: 0...255, using: &generator)
            }
            try spoiled.write(to: URL(filePath: path))
            let home = try ScratchDirectory()
            do throws(StoreError) { _ = try Restoration(of: path, into: home.path) } catch {
                #expect(try home.files.isEmpty, "round \(round): \(error)")
                continue
            }
            _ = try home.open()
        }
    }
}
