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
            // The lock is not given back: whoever measures meanwhile must neither start anything
            // nor end this program first.
            duties.withLock { duties in
                Self.finish(&duties)
                platform_exit(wasSignal ? 130 : 1)
            }
        }
    }

    /// Starts a process, which is ended at the end; a number that is not above zero is an error.
    func start(_ spawn: () -> Int32) -> Int32 {
        duties.withLock { duties in
            let process = spawn()
            if process > 0 { duties.processes.insert(process) }
            return process
        }
    }

    /// Waits for a process that is ending; its status as the system gives it.
    ///
    /// It is forgotten in the same step: its number may belong to another process soon.
    func reap(_ process: Int32) -> Int32 {
        duties.withLock { duties in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            duties.processes.remove(process)
            return status
        }
    }

    /// Ends the processes and removes the directory.
    func run() { duties.withLock { Self.finish(&$0) } }

    private static func finish(_ duties: inout Duties) {
        for process in duties.processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        if let directory = duties.directory {
            try? FileManager.default.removeItem(atPath: directory)
        }
        duties = Duties()
    }
}
