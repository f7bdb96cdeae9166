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
        do throws(ControlError) {
            let options = try DaemonOptions(Array(CommandLine.arguments.dropFirst()))
            switch options.wish {
            case .help: print(DaemonOptions.help, terminator: "")
            case .version: print("scoresyncd \(Versions.program)")
            case .run: try start(options)
            }
        } catch {
            Readiness.tellFailure(error.message)
            let text = Array("scoresyncd: \(error.message)\n".utf8)
            _ = platform_write_all(2, text, text.count)
            platform_exit(error.kind == .usage ? 2 : 1)
        }
    }

    private static func start(_ options: DaemonOptions) throws(ControlError) {
        platform_ignore_broken_pipes()
        let isPrivate = platform_keep_memory_private()
        guard isPrivate >= 0 else {
            throw ControlError(.failed, "cannot keep memory private (error \(-isPrivate))")
        }
        let paths = try ControlPaths.current(chosen: options.home)
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
