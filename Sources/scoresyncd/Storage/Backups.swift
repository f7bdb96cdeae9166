import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

@EventLoop
struct BackupCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.makeBackup, with: make)
        router.answer(.backups) { _ in list() }
    }

    private func make(_ request: BackupParameters) async throws(ControlError) -> BackupMakeReply {
        let file = request.file
        guard file.hasPrefix("/"), !file.utf8.contains(0) else {
            throw .usage("the path of a backup must be absolute, not “\(file)”")
        }
        guard !isOurs(directoryOf: file) else {
            let text =
                "cannot write a backup into the daemon's own directory; choose another one"
            throw .refused(text)
        }
        let result = await storage.backUp(to: file, replacing: request.replace ?? false)
        let content = try result.mapError(BackupCalls.refusal).get()
        return BackupMakeReply(copy: CopySummary(content, file))
    }

    /// Whether a file would be in a directory that the daemon uses, possibly through links.
    private func isOurs(directoryOf file: String) -> Bool {
        let directory = file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex)
        guard let identity = FileIdentity(at: "\(directory).") else { return false }
        return [daemon.home, BackupDirectory(home: daemon.home).directory].contains { own in
            FileIdentity(at: own + "/.") == identity
        }
    }

    private static func refusal(_ error: StoreError) -> ControlError {
        switch error {
        case .fileExists: ControlError(.refused, "\(error)", hint: "to replace it, add --force")
        case .cannotWrite: ControlError(.refused, "\(error)")
        default: ControlError(.failed, "\(error)")
        }
    }

    private func list() -> BackupListReply {
        let backups = BackupDirectory(home: daemon.home)
        return BackupListReply(
            directory: backups.directory,
            copies: backups.backups.reversed().map { copy in
                KeptCopySummary(
                    name: String(copy.name.dropLast(3)),
                    file: copy.path,
                    madeAt: Timestamp(milliseconds: copy.madeAt),
                    bytes: copy.bytes,
                    reason: copy.reason == .weekly ? "weekly" : "schema"
                )
            }
        )
    }
}

extension CopySummary {
    init(_ content: BackupContents, _ file: String) {
        self.init(file: file, bytes: content.bytes, device: content.device.description)
        self.sessions = content.sessions
        self.entries = content.entries
        self.latest = content.latest.map { Timestamp(milliseconds: $0) }
    }
}

/// The automatic backups, one a week.
@EventLoop
final class WeeklyBackups {
    private let backups: BackupDirectory
    private let storage: Storage
    private let alarms: Alarms
    private let log: Log
    private var schedule = BackupSchedule()

    private static let subject = "weekly backup"

    init(_ backups: BackupDirectory, _ storage: Storage, _ alarms: Alarms, _ log: Log) {
        self.backups = backups
        self.storage = storage
        self.alarms = alarms
        self.log = log
    }

    /// Makes a backup if one is due and there is at least one session.
    func makeIfDue(at now: Moment, holdsSessions: Bool) {
        guard holdsSessions, schedule.mayTry(at: now),
            BackupSchedule.isDue(at: now, since: backups.backups.last?.madeAt)
        else { return }
        schedule.starts(at: now)
        EventLoop.start { [self] in
            switch await storage.addWeeklyBackup() {
            case .success(let copy):
                alarms.clear(.storage, WeeklyBackups.subject)
                log.write(.info, "wrote the weekly backup \(copy.path)")
            case .failure(.cancelled): break
            case .failure(let error):
                schedule.failed()
                let text = "the weekly backup failed: \(error)"
                alarms.raise(.storage, WeeklyBackups.subject, text, .warning)
            }
        }
    }
}

/// Decides when a weekly backup is due: by the wall clock, which may jump, and by the uptime, which
/// restarts with each run.
struct BackupSchedule {
    /// The delay of a run's first backup after the start, in milliseconds.
    static let initialDelay: UInt64 = 10 * 60_000
    static let week: UInt64 = 7 * 86_400_000
    /// The delay after a failure, in milliseconds.
    static let retryDelay: UInt64 = 86_400_000
    /// The tolerance for a backup from the future, in milliseconds.
    static let slack: UInt64 = 86_400_000

    private var next = BackupSchedule.initialDelay
    private var started: UInt64 = 0

    /// Whether this run may make a backup now.
    func mayTry(at now: Moment) -> Bool { now.uptime >= next }

    /// Whether the last backup is a week old or from the future, by the wall clock.
    static func isDue(at now: Moment, since last: UInt64?) -> Bool {
        guard let last else { return true }
        return now.wall >= last + week || last > now.wall + slack
    }

    mutating func starts(at now: Moment) {
        started = now.uptime
        next = now.uptime + BackupSchedule.week
    }

    mutating func failed() { next = started + BackupSchedule.retryDelay }
}
