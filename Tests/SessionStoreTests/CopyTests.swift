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

@Suite(.timeLimit(.minutes(5)))
struct CopyTests {
    private func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// What a copy holds once it stands in a home of its own.
    private func opened(_ copy: String) throws -> (home: ScratchDirectory, store: SessionStore) {
        let home = try ScratchDirectory()
        try home.write([UInt8](Data(contentsOf: URL(filePath: copy))), to: "scoresync.db")
        return (home, try home.open())
    }

    @Test("A copy is one private file that holds all that the store does, also what is in its log")
    func holdsAll() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let evening = try Evening(store)
        let place = try ScratchDirectory()
        let path = place.path + "/copy"
        let content = try store.copy(to: path, replacing: false)
        #expect(try place.files == ["copy"])
        #expect(try permissions(of: path) == 0o600)
        #expect(content.device == store.device)
        #expect(content.sessions == 2)
        #expect(content.bytes == (try place.bytes(of: "copy")).count)
        let copied = try opened(path)
        #expect(copied.store.device == store.device)
        #expect(copied.store.salvage == nil)
        #expect(try copied.store.people() == evening.people)
        #expect(try copied.store.sheets() == [evening.sheet])
        for (record, map) in evening.sessions {
            let replica = try copied.store.load(record.id)
            #expect(replica.vector == map.vector)
            #expect(replica.entries.count == (try store.load(record.id)).entries.count)
            let history = try copied.store.history(of: record.id, limit: .max).map(\.line)
            #expect(try history == store.history(of: record.id, limit: .max).map(\.line))
        }
    }

    @Test("What was left is not in a copy, not even as bytes that nobody reads")
    func forgets() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try Evening(store)
        let secret = Array("a key that was given away".utf8)
        try store.set("secret", to: String(decoding: secret, as: UTF8.self))
        try store.set("secret", to: "x")
        _ = try store.copy(to: scratch.path + "/copy", replacing: false)
        let bytes = try scratch.bytes(of: "copy")
        #expect(bytes.firstRange(of: secret) == nil)
    }

    @Test("A file that is there stays as it is unless it is to be replaced")
    func existing() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        try scratch.write([1, 2, 3], to: "copy")
        let path = scratch.path + "/copy"
        let error = #expect(throws: StoreError.self) { try store.copy(to: path, replacing: false) }
        #expect("\(error as Any)".contains("--force"))
        #expect(try scratch.bytes(of: "copy") == [1, 2, 3])
        try store.copy(to: path, replacing: true)
        #expect(try CopyContent(of: path).sessions == 0)
        #expect(try permissions(of: path) == 0o600)
    }

    @Test(
        "What is no file is never replaced",
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
            #expect(throws: StoreError.self) { try store.copy(to: path, replacing: replacing) }
        }
        #expect(try scratch.files == before)
    }

    @Test("A directory that is missing, or may not be written, is told by its name")
    func noPlace() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let path = scratch.path + "/missing/copy"
        let error = #expect(throws: StoreError.self) { try store.copy(to: path, replacing: false) }
        #expect("\(error as Any)".contains(path))
        let file = scratch.path + "/scoresync.db/copy"
        #expect(throws: StoreError.self) { try store.copy(to: file, replacing: false) }
    }

    @Test("What an attempt left that was killed does not stand in the way of the next")
    func leftovers() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        try scratch.write([1, 2, 3], to: "copy\(CopyWriter.unfinished)")
        try scratch.write([1, 2, 3], to: "copy\(CopyWriter.unfinished)-journal")
        try store.copy(to: scratch.path + "/copy", replacing: false)
        #expect(try scratch.files.allSatisfy { !$0.contains(CopyWriter.unfinished) })
    }

    @Test("A database that is damaged gives no copy")
    func damagedSource() throws {
        let scratch = try ScratchDirectory()
        _ = try Evening(try scratch.open())
        let store = try scratch.open()
        store.foldLog()
        let size = try scratch.bytes(of: "scoresync.db").count
        let file = open(scratch.database, O_WRONLY)
        defer { close(file) }
        let rubbish = [UInt8](repeating: 0xA5, count: 4_096)
        for page in 4..<(size / 4_096 - 2) {
            #expect(pwrite(file, rubbish, rubbish.count, page * 4_096) == rubbish.count)
        }
        let path = scratch.path + "/copy"
        let error = #expect(throws: StoreError.self) { try store.copy(to: path, replacing: false) }
        #expect(error?.isDamage == true)
        #expect(try scratch.files.allSatisfy { !$0.hasPrefix("copy") })
    }
}
