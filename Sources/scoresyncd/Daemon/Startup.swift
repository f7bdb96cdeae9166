import CPlatform
import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol
import Synchronization

/// The way from the command line to a running daemon.
enum Startup {
    /// Runs the daemon until it is told to stop; the whole of the program.
    static func run() {
        var isRestoring = false
        do throws(ControlError) {
            let options = try DaemonOptions(Array(CommandLine.arguments.dropFirst()))
            switch options.wish {
            case .help: print(DaemonOptions.help, terminator: "")
            case .version: print("scoresyncd \(Versions.program)")
            case .run: try start(options)
            case .restore(let file, let isOnlyLooking):
                isRestoring = true
                try RestoreRun.run(file, isOnlyLooking: isOnlyLooking, options)
            }
        } catch {
            let isTold = Readiness.tellFailure(error.text)
            let text = Array("scoresyncd: \(error.text)\n".utf8)
            // Who waits for a copy to be restored says it.
            if !(isTold && isRestoring) { _ = platform_write_all(2, text, text.count) }
            let isExact = isRestoring || error.kind == .usage
            platform_exit(isExact ? error.exitCode : 1)
        }
    }

    /// Lets standard error lead to the log of the home.
    private static func beginLog(_ paths: ControlPaths) throws(ControlError) {
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.home)
        } catch {
            throw error.controlError
        }
        let result = platform_log_begin(paths.log)
        guard result >= 0 else {
            throw ControlError(.failed, "cannot open \(paths.log) (error \(-result))")
        }
    }

    private static func start(_ options: DaemonOptions) throws(ControlError) {
        platform_share_heap()
        platform_ignore_broken_pipes()
        let isPrivate = platform_keep_memory_private()
        guard isPrivate >= 0 else {
            throw ControlError(.failed, "cannot keep memory private (error \(-isPrivate))")
        }
        let queue: EventQueue
        do throws(SystemCallFailure) { queue = try EventQueue() } catch {
            throw ControlError(.failed, "internal error: no event queue (error \(error.code))")
        }
        try queue.enter { () throws(ControlError) in try start(options, on: queue) }
        Readiness.tell()
        queue.run()
    }

    @EventLoop
    private static func start(
        _ options: DaemonOptions,
        on queue: EventQueue
    ) throws(ControlError) {
        let paths = try ControlPaths.current(chosen: options.home)
        if options.logsToFile { try beginLog(paths) }
        let log = Log(level: LogLevel(options.level), file: paths.log)
        // Before the lock: who finds that held may send one.
        let signals = platform_signal_pipe(
            [platform_signal_terminate(), platform_signal_interrupt(), platform_signal_user()],
            3
        )
        guard signals >= 0 else {
            throw ControlError(.failed, "cannot take signals (error \(-signals))")
        }
        let lock: ControlLock
        do throws(ControlSocketError) {
            lock = try ControlLock(paths)
        } catch {
            if case .alreadyRunning = error {
                log.write(.error, "\(error): \(paths.home)")
                platform_exit(ControlLimits.alreadyRunningStatus)
            }
            throw error.controlError
        }
        let daemon = try Daemon(options, paths: paths, lock: lock, log: log, on: queue)
        let end = DescriptorEvents(signals, queue: queue)
        end.startReading {
            var number: UInt8 = 0
            _ = platform_read(signals, &number, 1)
            if Int32(number) == platform_signal_user() {
                daemon.checkSocket()
            } else {
                daemon.stop()
            }
        }
    }
}

/// Tells whoever started the daemon that it answers.
enum Readiness {
    /// Tells `scorectl`, which gave a pipe, and a service manager, which gave a socket.
    static func tell() {
        _ = tellLauncher(Array("\n".utf8))
        notify("READY=1\nSTATUS=Keeping scores in sync")
    }

    /// Tells `scorectl` why the daemon cannot start: a full disk keeps that out of the log.
    ///
    /// - Returns: whether it gave a pipe.
    @discardableResult
    static func tellFailure(_ reason: String) -> Bool { tellLauncher(Array("!\(reason)".utf8)) }

    /// Tells what came of something that `scorectl` had done; false where nobody gave a pipe.
    static func tellResult(_ document: [UInt8]) -> Bool { tellLauncher(document) }

    /// Tells how much more of something is done, before what comes of it: a line feed for each
    /// hundredth, which is nothing to who reads only the document behind them.
    static func tellProgress(hundredths: Int) {
        guard let descriptor = launcher else { return }
        let bytes = [UInt8](repeating: 0x0A, count: hundredths)
        _ = platform_write_all(descriptor, bytes, bytes.count)
    }

    private static func tellLauncher(_ bytes: [UInt8]) -> Bool {
        guard let descriptor = launcher else { return false }
        _ = platform_write_all(descriptor, bytes, bytes.count)
        platform_close(descriptor)
        return true
    }

    private static var launcher: Int32? {
        guard let number = platform_environment("SCORESYNC_READY_FD"),
            let descriptor = Int32(String(cString: number)), descriptor > 2
        else { return nil }
        return descriptor
    }

    /// Tells a service manager that the daemon is about to end.
    static func tellStopping() { notify("STOPPING=1") }

    private static func notify(_ state: String) {
        // Nobody waits for it where no service manager is.
        _ = platform_notify_service(state)
    }
}

/// The progress of a restoration, as far as it was reported.
final class ReportedProgress: Sendable {
    private let hundredths = Atomic<Int>(0)

    /// Tells what was not told yet of a share from 0 to 1.
    func tell(_ share: Double) {
        let now = Int(max(0, min(1, share)) * 100)
        let before = hundredths.max(now, ordering: .relaxed).oldValue
        if now > before { Readiness.tellProgress(hundredths: now - before) }
    }
}
