import CPlatform
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What must be gone when the program ends, however it ends: the processes that it started and the
/// directory of its homes.
final class Cleanup: Sendable {
    /// The one of this process.
    static let shared = Cleanup()
    /// After so long something hangs, in milliseconds.
    private static let patience: Int32 = 30 * 60 * 1000

    private struct Duties {
        var processes: Set<Int32> = []
        var directory: String?
    }

    private let duties = Mutex(Duties())

    /// Removes the directory at the end, and ends everything on a signal or when it takes too long.
    func guardDirectory(_ path: String) {
        duties.withLock { $0.directory = path }
        let signals = [platform_signal_interrupt(), platform_signal_terminate()]
        let pipe = platform_signal_pipe(signals, Int32(signals.count))
        Thread.detachNewThread { [self] in
            let wasSignal = platform_wait(pipe, false, -1, Self.patience) == 1
            BenchProgram.tell("scoresync-bench: \(wasSignal ? "interrupted" : "took too long")")
            run()
            platform_exit(wasSignal ? 130 : 1)
        }
    }

    /// Ends the process at the end.
    func add(_ process: Int32) { duties.withLock { _ = $0.processes.insert(process) } }

    /// The process has ended and was waited for: its number may belong to another one soon.
    func remove(_ process: Int32) { duties.withLock { _ = $0.processes.remove(process) } }

    /// Ends the processes and removes the directory.
    func run() {
        let rest = duties.withLock { duties in
            defer { duties = Duties() }
            return duties
        }
        for process in rest.processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        if let directory = rest.directory { try? FileManager.default.removeItem(atPath: directory) }
    }
}
