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

/// The copies that a store keeps of itself.
struct CopyShelfTests {
    private let day: UInt64 = 86_400_000

    private func keep(
        _ store: SessionStore,
        _ reason: CopyShelf.Reason,
        at time: UInt64
    ) throws -> KeptCopy {
        try CopyShelf(home: store.files.directory).keep(
            store.files.copyWriter(until: CopyEnd()),
            because: reason,
            at: time,
            needing: 0
        )
    }

    @Test("Five are kept, by their numbers and not by a clock that jumps, and the oldest goes")
    func five() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        let times: [UInt64] = [20_000, 20_007, 60_000, 1, 20_014, 20_021, 20_028]
        for (index, time) in times.enumerated() {
            let copy = try keep(store, .weekly, at: time * day)
            #expect(copy.number == index + 1)
        }
        let shelf = CopyShelf(home: scratch.path)
        #expect(
            shelf.copies.map(\.name) == [
                "3-2134-04-11.db", "4-1970-01-02.db", "5-2024-10-18.db", "6-2024-10-25.db",
                "7-2024-11-01.db",
            ]
        )
        #expect(shelf.copy(named: "7-2024-11-01") == shelf.copies.last)
        #expect(shelf.copy(named: "7-2024-11-01.db") == shelf.copies.last)
        #expect(shelf.copy(named: "4")?.number == 4)
        #expect(shelf.copy(named: "2") == nil)
    }

    @Test(
        "Of each schema the last copy is kept, so that a start that fails does not push others out"
    )
    func schemas() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try keep(store, .weekly, at: number * day)
        }
        for _ in 1...10 { _ = try keep(store, .schema(5), at: day) }
        let kept = CopyShelf(home: scratch.path).copies
        #expect(kept.map(\.reason) == [.weekly, .weekly, .weekly, .schema(5)])
    }

    @Test("What they take together is bounded, but the last one stays however long it is")
    func bytes() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try keep(store, .weekly, at: number * day)
        }
        let shelf = CopyShelf(home: scratch.path)
        // Two that look long; nothing is written for it.
        for copy in shelf.copies.dropFirst() {
            #expect(truncate(copy.path, off_t(CopyShelf.mostBytes / 2)) == 0)
        }
        _ = try keep(store, .weekly, at: 4 * day)
        #expect(shelf.copies.map(\.number) == [3, 4])
        #expect(truncate(shelf.copies[1].path, off_t(CopyShelf.mostBytes * 2)) == 0)
        #expect(shelf.copies.map(\.number) == [3, 4])
        _ = try keep(store, .weekly, at: 5 * day)
        #expect(shelf.copies.map(\.number) == [5])
    }

    @Test("A disk that is nearly full gets no copy, and loses none")
    func nearlyFull() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try keep(store, .weekly, at: day)
        let error = #expect(throws: StoreError.self) {
            try CopyShelf(home: scratch.path).keep(
                store.files.copyWriter(until: CopyEnd()),
                because: .weekly,
                at: 2 * day,
                needing: 1 << 60
            )
        }
        guard case .diskFull = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(CopyShelf(home: scratch.path).copies.map(\.number) == [1])
    }

    @Test("What was left by a program that was killed goes, and what somebody put there stays")
    func leftovers() throws {
        let scratch = try ScratchDirectory()
        let store = try scratch.open()
        _ = try keep(store, .weekly, at: day)
        let names = [
            "9-2020-01-01.db\(CopyWriter.unfinished)", "notes.txt", "x-2020-01-01.db",
            "08-1-1-1.db",
        ]
        for name in names { try scratch.write([1], to: "backups/\(name)") }
        _ = try keep(store, .weekly, at: day)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/backups")
        #expect(
            Set(left) == Set(names.dropFirst()).union(["1-1970-01-02.db", "2-1970-01-02.db"])
        )
    }

    @Test("A schema changes also where no copy can be kept, and that is told")
    func noCopy() throws {
        let scratch = try ScratchDirectory()
        _ = try Evening(try scratch.open())
        try scratch.write([1], to: "backups")
        let next = Migration(["DELETE FROM setting"])
        let store = try scratch.open(migrations: Schema.migrations + [next])
        #expect(store.missingCopy != nil)
        #expect(try store.sessions().count == 2)
        #expect(try scratch.open(migrations: Schema.migrations + [next]).missingCopy == nil)
    }
}
