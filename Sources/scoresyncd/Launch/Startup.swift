import CPlatform
import ControlSocket
import Dispatch
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
            let text = Array("scoresyncd: \(error.message)\n".utf8)
            _ = platform_write_all(2, text, text.count)
            platform_exit(error.kind == .usage ? 2 : 1)
        }
    }

    private static func start(_ options: DaemonOptions) throws(ControlError) {
        platform_ignore_broken_pipes()
        let log = Log(level: LogLevel(options.level))
        let paths = try ControlPaths.current(chosen: options.home)
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
        let signals = platform_signal_pipe([Int32(15), Int32(2)], 2)
        let queue = DispatchQueue(label: "scoresync.daemon")
        let started = queue.sync { () -> Result<Daemon, ControlError> in
            do throws(ControlError) {
                return .success(try Daemon(options, paths: paths, lock: lock, log: log, on: queue))
            } catch { return .failure(error) }
        }
        let daemon = try started.get()
        let source = DispatchSource.makeReadSource(fileDescriptor: signals, queue: queue)
        source.setEventHandler { @Sendable in daemon.stop() }
        source.activate()
        Readiness.tell()
        withExtendedLifetime((source, daemon)) { dispatchMain() }
    }
}
