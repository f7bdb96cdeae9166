import SessionStore
import SyncEngine

/// The copies that are kept of everything by themselves, one a week.
///
/// Whatever goes wrong is told, and costs nobody a score. Invariant for `@unchecked Sendable`: used
/// on the daemon's queue only.
final class WeeklyCopies: @unchecked Sendable {
    private let shelf: CopyShelf
    private let disk: Disk
    private let alarms: Alarms
    private let log: Log
    private var schedule = CopySchedule()

    private static let subject = "weekly copy"

    /// Keeps copies on a shelf.
    init(_ shelf: CopyShelf, _ disk: Disk, _ alarms: Alarms, _ log: Log) {
        self.shelf = shelf
        self.disk = disk
        self.alarms = alarms
        self.log = log
    }

    /// Has a copy written where one is due and there is anything to keep.
    func look(at now: Moment, holdsSessions: Bool) {
        guard holdsSessions, schedule.mayTry(at: now),
            CopySchedule.isDue(at: now, since: shelf.copies.last?.madeAt)
        else { return }
        schedule.begins(at: now)
        disk.keepCopy { [self] result in
            switch result {
            case .success(let copy):
                alarms.clear(.storage, WeeklyCopies.subject)
                log.write(.info, "kept a copy: \(copy.path)")
            case .failure(.givenUp): break
            case .failure(let error):
                schedule.failed()
                let text = "no copy of the scores could be kept this week: \(error)"
                alarms.raise(.storage, WeeklyCopies.subject, text, .warning)
            }
        }
    }
}
