import CPlatform
import ControlSocket
import SessionStore
import SyncProtocol
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `scoresyncd --restore`: replaces the contents of the home by a backup, and exits.
enum RestoreRun {
    /// Restores a backup and prints a report; a dry run needs no lock, so a daemon may be running.
    static func run(
        _ name: String,
        isDryRun: Bool,
        _ options: DaemonOptions
    ) throws(ControlError) {
        platform_ignore_broken_pipes()
        // This process reads keys, as the daemon does.
        _ = platform_keep_memory_private()
        let paths = try ControlPaths.current(chosen: options.home)
        let file = try path(of: name, paths)
        let report =
            isDryRun ? try check(file, paths.home) : try restore(file, paths)
        let text = try ControlJSON.encode(report) + [0x0A]
        if !LaunchPipe.send(text) { _ = platform_write_all(1, text, text.count) }
    }

    /// Returns the path of a backup that is given by its path, or by its name if the daemon made
    /// it.
    private static func path(
        of name: String,
        _ paths: ControlPaths
    ) throws(ControlError) -> String {
        guard !name.isEmpty else { throw .usage("--restore needs a file") }
        let backups = BackupDirectory(home: paths.home)
        if !name.contains("/"), let copy = backups.backup(named: name) { return copy.path }
        var status = platform_file()
        // A file that exists but cannot be read causes an error later, when it is read.
        if platform_file_status(name, &status) != -ENOENT { return name }
        if name.contains("/") { throw .notFound("no file \(name)") }
        let names = backups.backups.reversed().map(\.name)
        let found = names.isEmpty ? "none" : names.joined(separator: ", ")
        let text = "no file or backup named \(name) (backups in \(backups.directory): \(found))"
        throw .notFound(text)
    }

    private static func check(_ file: String, _ home: String) throws(ControlError) -> RestoreReport
    {
        do throws(StoreError) {
            let content = try BackupContents(of: file)
            return report(content, file, home, Restoration.existing(in: home))
        } catch { throw refusal(error) }
    }

    private static func restore(
        _ file: String,
        _ paths: ControlPaths
    ) throws(ControlError) -> RestoreReport {
        let lock: ControlLock
        do throws(ControlSocketError) { lock = try ControlLock(paths) } catch {
            if case .alreadyRunning = error {
                let refusal = ControlError(
                    .refused,
                    "a daemon is running here (\(paths.home))",
                    hint: "first: scorectl daemon stop"
                )
                Launcher.fail(refusal.text, isReported: true)
                platform_exit(ControlLimits.alreadyRunningStatus)
            }
            throw error.controlError
        }
        defer { withExtendedLifetime(lock) {} }
        do throws(StoreError) {
            let held = Restoration.existing(in: paths.home)
            let reported = Atomic(0)
            let done = try Restoration(of: file, into: paths.home) { share in
                let now = Int(max(0, min(1, share)) * 100)
                let before = reported.max(now, ordering: .relaxed).oldValue
                LaunchPipe.send(Array(repeating: 0x0A, count: max(0, now - before)), isMore: true)
            }
            var report = report(done.contents, file, paths.home, held)
            report.restored = true
            report.replaced = done.replaced
            return report
        } catch { throw refusal(error) }
    }

    private static func report(
        _ content: BackupContents,
        _ file: String,
        _ home: String,
        _ held: (sessions: Int?, isUsed: Bool)
    ) -> RestoreReport {
        RestoreReport(copy: CopySummary(content, file), home: home).with {
            $0.heldSessions = held.sessions
            $0.wasUsed = held.isUsed
        }
    }

    private static func refusal(_ error: StoreError) -> ControlError {
        let isNewer = if case .newerSchema = error { true } else { false }
        let hint =
            "to recover the readable part, use it as the scoresync.db of an empty home: "
            + "scorectl --home DIR status"
        return ControlError(
            isNewer ? .versionMismatch : .failed,
            "\(error)",
            hint: error.isDamage ? hint : nil
        )
    }
}
