import CPlatform
import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

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
        let queue: EventQueue
        do throws(SystemCallFailure) { queue = try EventQueue() } catch {
            throw ControlError(.failed, "cannot wait for anything (error \(error.code))")
        }
        let daemon = try queue.enter { () throws(ControlError) in
            try Daemon(options, paths: paths, lock: lock, log: log, on: queue)
        }
        let end = DescriptorEvents(signals, queue: queue)
        end.startReading { @Sendable in
            var number: UInt8 = 0
            _ = platform_read(signals, &number, 1)
            if Int32(number) == platform_signal_user() {
                daemon.lookAfterSocket()
            } else {
                daemon.stop()
            }
        }
        Readiness.tell()
        queue.run()
    }
}
