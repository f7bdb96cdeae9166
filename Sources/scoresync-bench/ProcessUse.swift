import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What processes need of the machine, where the system tells (Linux).
enum ProcessUse {
    /// Memory of a process in bytes: all that is resident, and its share of that when what several
    /// processes use counts for each in part.
    static func memory(of process: Int32) -> (resident: Double, proportional: Double)? {
        guard let text = text("smaps_rollup", of: process),
            let resident = bytes("Rss", in: text), let proportional = bytes("Pss", in: text)
        else { return nil }
        return (resident, proportional)
    }

    /// The most memory of a process that was ever resident, in bytes.
    static func peak(of process: Int32) -> Double? {
        text("status", of: process).flatMap { bytes("VmHWM", in: $0) }
    }

    /// What a file of the system says of a process (proc(5)).
    private static func text(_ file: String, of process: Int32) -> String? {
        try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)
    }

    /// What such a text says in kilobytes, in bytes.
    private static func bytes(_ name: String, in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
            .split { $0 == " " || $0 == "\t" }.dropFirst().first
            .flatMap { Double($0) }.map { $0 * 1024 }
    }

    /// The time on a processor so far, user and system, of all threads that these processes have
    /// or had, in seconds.
    static func processorSeconds(of processes: [Int32]) -> Double? {
        #if canImport(Glibc)
        var sum = 0.0
        for process in processes {
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0
            else { return nil }
            sum += Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        return sum
        #else
        return nil
        #endif
    }

    /// The same of this process.
    static var ownSeconds: Double? { processorSeconds(of: [getpid()]) }

    /// The same of a daemon and of the commands that have ended.
    static func secondsWithCommands(of daemon: Int32) -> Double? {
        guard let own = processorSeconds(of: [daemon]), let commands = endedChildrenSeconds
        else { return nil }
        return own + commands
    }

    /// The same of all children that have ended and been waited for.
    static var endedChildrenSeconds: Double? {
        var usage = rusage()
        #if canImport(Glibc)
        guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return nil }
        #else
        guard getrusage(RUSAGE_CHILDREN, &usage) == 0 else { return nil }
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }
}
