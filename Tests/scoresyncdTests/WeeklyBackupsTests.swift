import Descriptors
import FoundationEssentials
import LaptopKit
import QueueKit
import SessionCRDT
import SyncEngine
import SyncTestKit
import Testing

@testable import SessionStore
@testable import scoresyncd

@Suite("Automatic backups", .timeLimit(.minutes(10)))
struct WeeklyBackupsTests {
    private static let minute: UInt64 = 60_000
    private static let day: UInt64 = 86_400_000

    /// The days of a run at which a copy is written, looked at each hour, where `wall` tells the
    /// day of the wall clock and writing succeeds or not.
    private func days(
        for count: UInt64,
        last: UInt64? = nil,
        succeeding: Bool = true,
        wall: (UInt64) -> UInt64
    ) -> [UInt64] {
        var schedule = BackupSchedule()
        var last = last.map { $0 * Self.day }
        var found: [UInt64] = []
        for hour in 0..<(count * 24) {
            let uptime = hour * Self.day / 24
            let time = wall(uptime / Self.day) * Self.day + uptime % Self.day
            let now = Moment(uptime: uptime, wall: time)
            guard schedule.mayTry(at: now), BackupSchedule.isDue(at: now, since: last) else {
                continue
            }
            schedule.starts(at: now)
            found.append(uptime / Self.day)
            if succeeding { last = time } else { schedule.failed() }
        }
        return found
    }

    @Test("are made once a week, not at the start, and continue the schedule of the previous run")
    func weekly() {
        #expect(days(for: 22) { 20_000 + $0 } == [0, 7, 14, 21])
        #expect(days(for: 12, last: 19_998) { 20_000 + $0 } == [5])
        var schedule = BackupSchedule()
        let early = Moment(uptime: BackupSchedule.initialDelay - 1, wall: 20_000 * Self.day)
        #expect(!schedule.mayTry(at: early))
        schedule.starts(at: Moment(uptime: BackupSchedule.initialDelay, wall: early.wall))
        #expect(!schedule.mayTry(at: Moment(uptime: BackupSchedule.week, wall: .max)))
    }

    @Test("are neither more nor fewer if the clock jumps")
    func jumps() {
        #expect(days(for: 21) { 20_000 + $0 * 30 } == [0, 7, 14])
        #expect(days(for: 15) { $0.isMultiple(of: 2) ? 20_000 : 40_000 } == [0, 7, 14])
        #expect(days(for: 8, last: 60_000) { 20_000 + $0 } == [0, 7])
    }

    @Test("are tried again a day after a failure")
    func failing() {
        #expect(days(for: 4, succeeding: false) { 20_000 + $0 } == [0, 1, 2, 3])
    }

    @Test("are written next to the store, and a failure is one alarm until one is written")
    func written() throws {
        let scratch = try LaptopKit.ScratchDirectory()
        let home = try scratch.directory("home")
        let thread = QueueThread()
        var generator = SeededGenerator(seed: 1)
        let store = try SessionStore(directory: home, using: &generator)
        let shelf = BackupDirectory(home: home)
        let queue = StoreQueue(store, deliveringOn: thread.queue)
        let (alarms, disk, copies) = thread.queue.sync {
            let log = Log(level: .error, file: scratch.path + "/log")
            let alarms = Alarms(log)
            let disk = Storage(queue, alarms)
            return (alarms, disk, WeeklyBackups(shelf, disk, alarms, log))
        }
        let start = BackupSchedule.initialDelay
        func check(_ days: UInt64, _ holds: Bool = true) {
            let now = Moment(uptime: start + days * Self.day, wall: (30_000 + days) * Self.day)
            thread.queue.sync { copies.makeIfDue(at: now, holdsSessions: holds) }
        }
        check(0, false)
        // Somebody has put a file where the directory would be.
        try Data().write(to: URL(filePath: shelf.directory))
        check(0)
        try eventually(within: .seconds(10), "it is told") {
            thread.queue.sync { alarms.all.count } == 1
        }
        try FileManager.default.removeItem(atPath: shelf.directory)
        check(0)
        check(1)
        try eventually(within: .seconds(10), "a copy is there, and the alarm gone") {
            thread.queue.sync { alarms.all.isEmpty } && shelf.backups.count == 1
        }
        #expect(shelf.backups.map(\.reason) == [.weekly])
        #expect(try BackupContents(of: shelf.backups[0].path).sessions == 0)
        thread.queue.sync { disk.queue.finish() }
    }
}
