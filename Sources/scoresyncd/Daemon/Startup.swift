import CPlatform
import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol
import TerminalText

/// The startup, from the command line to a running daemon.
enum Startup {
    static func run() {
        var isRestoring = false
        do throws(ControlError) {
            let options = try DaemonOptions(Array(CommandLine.arguments.dropFirst()))
            switch options.action {
            case .help: printHelp()
            case .version: print("scoresyncd \(Versions.program)")
            case .run: try start(options)
            case .restore(let file, let isDryRun):
                isRestoring = true
                try RestoreRun.run(file, isDryRun: isDryRun, options)
            }
        } catch {
            Launcher.fail(error.text, isReported: isRestoring)
            let isExact = isRestoring || error.kind == .usage
            platform_exit(isExact ? error.exitCode : 1)
        }
    }

    private static func printHelp() {
        let terminal = Terminal.ofThisProcess
        let lines = ProgramHelp(DaemonOptions.help).lines(columns: terminal.helpColumns)
        print(terminal.page(lines), terminator: "")
    }

    private static func redirectLog(_ paths: ControlPaths) throws(ControlError) {
        let log: String
        do throws(ControlSocketError) { log = try paths.preparingLog().log } catch {
            throw error.controlError
        }
        let result = platform_log_begin(log)
        guard result >= 0 else {
            throw .failed("cannot open \(log) (error \(-result))")
        }
    }

    private static func start(_ options: DaemonOptions) throws(ControlError) {
        platform_share_heap()
        platform_ignore_broken_pipes()
        let isPrivate = platform_keep_memory_private()
        guard isPrivate >= 0 else {
            throw .failed("cannot keep memory private (error \(-isPrivate))")
        }
        let queue: EventQueue
        do throws(SystemError) { queue = try EventQueue() } catch {
            throw .failed("internal error: no event queue (error \(error.code))")
        }
        try queue.enter { () throws(ControlError) in try start(options, on: queue) }
        LaunchPipe.send(Array("\n".utf8))
        Launcher.notifyServiceManager("READY=1\nSTATUS=Keeping scores in sync")
        queue.run()
    }

    @EventLoop
    private static func start(
        _ options: DaemonOptions,
        on queue: EventQueue
    ) throws(ControlError) {
        let paths = try ControlPaths.current(chosen: options.home)
        if options.logsToFile { try redirectLog(paths) }
        let log = Log(level: options.level, file: paths.latestLog)
        // Set up before the lock: a client that finds the lock held may send a signal.
        let signals = platform_signal_pipe(
            [platform_signal_terminate(), platform_signal_interrupt(), platform_signal_user()],
            3
        )
        guard signals >= 0 else {
            throw .failed("cannot receive signals (error \(-signals))")
        }
        let (used, lock, opened) = try open(paths, options, log, on: queue)
        let daemon = Daemon(opened, options, log, on: queue)
        try daemon.start(opened, used, lock)
        let end = DescriptorEvents(signals, queue: queue)
        end.startReading {
            var number: UInt8 = 0
            _ = platform_read(signals, &number, 1)
            Int32(number) == platform_signal_user() ? daemon.checkSocket() : daemon.stop()
        }
    }

    /// Locks and opens the home, or, if it cannot be written, a copy of its database.
    @EventLoop
    private static func open(
        _ paths: ControlPaths,
        _ options: DaemonOptions,
        _ log: Log,
        on queue: EventQueue
    ) throws(ControlError) -> (ControlPaths, ControlLock, OpenedHome) {
        let failure: (text: String, isUnwritable: Bool)
        do throws(ControlSocketError) {
            let lock = try lock(paths, log)
            do throws(StoreError) {
                return (paths, lock, try OpenedHome(paths.home, options, on: queue))
            } catch { failure = ("\(error)", error.isUnwritable) }
        } catch { failure = ("\(error)", error.isUnwritable) }
        guard failure.isUnwritable else { throw .failed(failure.text) }
        do {
            let used = paths.readingOnly
            let lock = try lock(used, log)
            let copy = try ReadOnlyCopy(of: paths, because: failure.text)
            return (used, lock, try OpenedHome(paths.home, options, copy: copy, on: queue))
        } catch {
            // Usually because there is nothing to read yet.
            log.write(.debug, "there is nothing to read: \(error)")
            throw .failed(failure.text)
        }
    }

    /// Locks the home; exits if another daemon has done so.
    @EventLoop
    private static func lock(
        _ paths: ControlPaths,
        _ log: Log
    ) throws(ControlSocketError) -> ControlLock {
        do throws(ControlSocketError) { return try ControlLock(paths) } catch {
            if case .alreadyRunning = error {
                log.write(.error, "\(error): \(paths.home)")
                platform_exit(ControlLimits.alreadyRunningStatus)
            }
            throw error
        }
    }
}

/// The program that started this one: `scorectl`, which passes a pipe, or a service manager.
enum Launcher {
    /// Sends a state to the service manager, if there is one.
    static func notifyServiceManager(_ state: String) { _ = platform_notify_service(state) }

    /// Reports the reason why the program cannot continue: to `scorectl`, because a full disk may
    /// keep it out of the log, and on standard error, unless `isReported` says that `scorectl`
    /// prints it.
    static func fail(_ reason: String, isReported: Bool) {
        let hasPipe = LaunchPipe.send(Array("!\(reason)".utf8))
        let text =
            platform_logs_to_journal()
            ? LogLevel.error.journalPrefix + reason
            : Terminal.ofThisProcess.message("scoresyncd: \(reason)")
        let line = Array("\(text)\n".utf8)
        if !(hasPipe && isReported) { _ = platform_write_all(2, line, line.count) }
    }
}
