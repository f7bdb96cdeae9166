import FoundationEssentials
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

struct BackupDirectoryTests {
    private let day: UInt64 = 86_400_000

    private func add(
        _ store: SessionStore,
        _ reason: BackupDirectory.Reason,
        at time: UInt64
    ) throws -> Backup {
        try BackupDirectory(home: store.files.directory).add(
            store.files.backupWriter(CancellationFlag()),
            because: reason,
            at: time,
            requiring: 0
        )
    }

    @Test("The five backups with the highest numbers are kept, even if the clock jumps")
    func five() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let times: [UInt64] = [20_000, 20_007, 60_000, 1, 20_014, 20_021, 20_028]
        for (index, time) in times.enumerated() {
            let backup = try add(store, .weekly, at: time * day)
            #expect(backup.number == index + 1)
        }
        let directory = BackupDirectory(home: scratch.path)
        #expect(
            directory.backups.map(\.name) == [
                "3-2134-04-11.db", "4-1970-01-02.db", "5-2024-10-18.db", "6-2024-10-25.db",
                "7-2024-11-01.db",
            ]
        )
        #expect(directory.backup(named: "7-2024-11-01") == directory.backups.last)
        #expect(directory.backup(named: "7-2024-11-01.db") == directory.backups.last)
        #expect(directory.backup(named: "4")?.number == 4)
        #expect(directory.backup(named: "2") == nil)
    }

    @Test(
        "The last backup of each schema is kept, so that failing starts do not displace others"
    )
    func schemas() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try add(store, .weekly, at: number * day)
        }
        for _ in 1...10 { _ = try add(store, .schema(5), at: day) }
        let kept = BackupDirectory(home: scratch.path).backups
        #expect(kept.map(\.reason) == [.weekly, .weekly, .weekly, .schema(5)])
    }

    @Test("The total size is limited, but the newest backup is always kept")
    func bytes() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try add(store, .weekly, at: number * day)
        }
        let directory = BackupDirectory(home: scratch.path)
        // Sparse files, so that nothing is written.
        for backup in directory.backups.dropFirst() {
            #expect(truncate(backup.path, off_t(BackupDirectory.maxBytes / 2)) == 0)
        }
        _ = try add(store, .weekly, at: 4 * day)
        #expect(directory.backups.map(\.number) == [3, 4])
        #expect(truncate(directory.backups[1].path, off_t(BackupDirectory.maxBytes * 2)) == 0)
        #expect(directory.backups.map(\.number) == [3, 4])
        _ = try add(store, .weekly, at: 5 * day)
        #expect(directory.backups.map(\.number) == [5])
    }

    @Test("A nearly full disk gets no backup, and keeps those it has")
    func nearlyFull() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try add(store, .weekly, at: day)
        let error = #expect(throws: StoreError.self) {
            try BackupDirectory(home: scratch.path).add(
                store.files.backupWriter(CancellationFlag()),
                because: .weekly,
                at: 2 * day,
                requiring: 1 << 60
            )
        }
        guard case .diskFull = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(BackupDirectory(home: scratch.path).backups.map(\.number) == [1])
    }

    @Test("Unfinished backups are removed, and other files are kept")
    func leftovers() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try add(store, .weekly, at: day)
        let names = [
            "9-2020-01-01.db\(BackupWriter.unfinished)", "notes.txt", "x-2020-01-01.db",
            "08-1-1-1.db",
        ]
        for name in names { try scratch.write([1], to: "backups/\(name)") }
        _ = try add(store, .weekly, at: day)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/backups")
        #expect(
            Set(left) == Set(names.dropFirst()).union(["1-1970-01-02.db", "2-1970-01-02.db"])
        )
    }

    @Test("A migration continues without a backup, and reports the failure")
    func noCopy() throws {
        let scratch = try ScratchDirectory()
        _ = try FilledStore(try scratch.open())
        try scratch.write([1], to: "backups")
        let next = Migration(["DELETE FROM setting"])
        let store = try scratch.open(migrations: Schema.migrations + [next])
        #expect(store.backupFailure != nil)
        #expect(try store.sessions().count == 2)
        #expect(try scratch.open(migrations: Schema.migrations + [next]).backupFailure == nil)
    }
}
