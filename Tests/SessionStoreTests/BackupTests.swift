import Descriptors
import FoundationEssentials
import QueueKit
import SessionCRDT
import SyncTestKit
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
struct BackupTests {
    private func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Opens a backup in a directory of its own.
    private func opened(_ copy: String) throws -> (home: ScratchDirectory, store: SessionStore) {
        let home = try ScratchDirectory()
        try home.write([UInt8](Data(contentsOf: URL(filePath: copy))), to: "scoresync.db")
        return (home, try home.open())
    }

    @Test("A backup is one private file with everything in the store, also what is in its log")
    func holdsAll() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let filled = try FilledStore(store)
        let place = try ScratchDirectory()
        let path = place.path + "/copy"
        let content = try store.backUp(to: path, replacing: false)
        #expect(try place.files == ["copy"])
        #expect(try permissions(of: path) == 0o600)
        #expect(content.device == store.device)
        #expect(content.sessions == 2)
        #expect(content.bytes == (try place.bytes(of: "copy")).count)
        let copied = try opened(path)
        #expect(copied.store.device == store.device)
        #expect(copied.store.repairReport == nil)
        #expect(try copied.store.people() == filled.people)
        #expect(try copied.store.sheets() == [filled.sheet])
        for (record, map) in filled.sessions {
            let replica = try copied.store.load(record.id)
            #expect(replica.vector == map.vector)
            #expect(replica.entries.count == (try store.load(record.id)).entries.count)
            let history = try copied.store.history(of: record.id, limit: .max).map(\.line)
            #expect(try history == store.history(of: record.id, limit: .max).map(\.line))
        }
    }

    @Test("A backup does not contain deleted content, not even in free pages")
    func forgets() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try FilledStore(store)
        let secret = Array("a key that was given away".utf8)
        try store.set("secret", to: String(decoding: secret, as: UTF8.self))
        try store.set("secret", to: "x")
        _ = try store.backUp(to: scratch.path + "/copy", replacing: false)
        let bytes = try scratch.bytes(of: "copy")
        #expect(bytes.firstRange(of: secret) == nil)
    }

    @Test("An existing file is not overwritten unless requested")
    func existing() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        try scratch.write([1, 2, 3], to: "copy")
        let path = scratch.path + "/copy"
        #expect(throws: StoreError.fileExists(path: path)) {
            try store.backUp(to: path, replacing: false)
        }
        #expect(try scratch.bytes(of: "copy") == [1, 2, 3])
        try store.backUp(to: path, replacing: true)
        #expect(try BackupContents(of: path).sessions == 0)
        #expect(try permissions(of: path) == 0o600)
    }

    @Test(
        "Anything but a regular file is never replaced",
        arguments: ["mkdir", "mkfifo", "link", "dangling"]
    )
    func inTheWay(kind: String) throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let path = scratch.path + "/copy"
        switch kind {
        case "mkdir": #expect(mkdir(path, 0o700) == 0)
        case "mkfifo": #expect(mkfifo(path, 0o600) == 0)
        case "link": #expect(symlink(scratch.path + "/scoresync.db", path) == 0)
        default: #expect(symlink(scratch.path + "/nothing", path) == 0)
        }
        let before = try scratch.files
        for replacing in [false, true] {
            #expect(throws: StoreError.self) { try store.backUp(to: path, replacing: replacing) }
        }
        #expect(try scratch.files == before)
    }

    @Test("The error for a missing or unwritable directory names it")
    func noPlace() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let path = scratch.path + "/missing/copy"
        let error = #expect(throws: StoreError.self) {
            try store.backUp(to: path, replacing: false)
        }
        #expect("\(error as Any)".contains(path))
        let file = scratch.path + "/scoresync.db/copy"
        #expect(throws: StoreError.self) { try store.backUp(to: file, replacing: false) }
    }

    @Test("The unfinished file of a killed process does not prevent the next backup")
    func leftovers() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        try scratch.write([1, 2, 3], to: "copy\(BackupWriter.unfinished)")
        try scratch.write([1, 2, 3], to: "copy\(BackupWriter.unfinished)-journal")
        try store.backUp(to: scratch.path + "/copy", replacing: false)
        #expect(try scratch.files.allSatisfy { !$0.contains(BackupWriter.unfinished) })
    }

    @Test("A damaged database is not backed up")
    func damagedSource() throws {
        let scratch = try ScratchDirectory()
        _ = try FilledStore(try scratch.open())
        let store = try scratch.open()
        store.truncateLog()
        let size = try scratch.bytes(of: "scoresync.db").count
        let file = open(scratch.database, O_WRONLY)
        defer { close(file) }
        let rubbish = [UInt8](repeating: 0xA5, count: 4_096)
        for page in 4..<(size / 4_096 - 2) {
            #expect(pwrite(file, rubbish, rubbish.count, page * 4_096) == rubbish.count)
        }
        let path = scratch.path + "/copy"
        let error = #expect(throws: StoreError.self) {
            try store.backUp(to: path, replacing: false)
        }
        #expect(error?.isDamage == true)
        #expect(try scratch.files.allSatisfy { !$0.hasPrefix("copy") })
    }
}
