import Foundation

/// Memory and processor time of processes; nil on systems that do not report it.
enum ProcessUse {
    /// Sizes of memory, by their names in the files of proc(5).
    enum Memory: String {
        case resident = "Rss"
        case proportional = "Pss"
        /// The maximum of resident memory so far.
        case peak = "VmHWM"
    }

    static func bytes(_ memory: Memory, of process: Int32) -> Double? {
        let file = "/proc/\(process)/\(memory == .peak ? "status" : "smaps_rollup")"
        return (try? String(contentsOfFile: file, encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix(memory.rawValue + ":") }?
            .split { $0 == " " || $0 == "\t" }.dropFirst().first
            .flatMap { Double($0) }.map { $0 * 1024 }
    }

    /// Returns the processor time of all threads of these processes, user and system, in seconds.
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

    static var ownSeconds: Double? { processorSeconds(of: [getpid()]) }

    /// Returns the processor time of a daemon and of all commands that have ended.
    static func secondsWithCommands(of daemon: Int32) -> Double? {
        guard let own = processorSeconds(of: [daemon]), let commands = endedChildrenSeconds
        else { return nil }
        return own + commands
    }

    /// The processor time of all children that were waited for.
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
