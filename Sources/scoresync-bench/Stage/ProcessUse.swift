import FoundationEssentials

/// What a process needs of the machine, where the system tells (Linux).
enum ProcessUse {
    /// Resident memory in bytes.
    static func residentBytes(of process: Int32) -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
            .flatMap { Double($0) }.map { $0 * 1024 }
    }

    /// The time on a processor so far, in seconds, of all threads.
    static func processorSeconds(of process: Int32) -> Double? {
        let tasks = "/proc/\(process)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: tasks) else {
            return nil
        }
        var sum = 0.0
        for thread in threads {
            let path = "\(tasks)/\(thread)/schedstat"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let nanoseconds = text.split(separator: " ").first.flatMap({ Double($0) })
            else { return nil }
            sum += nanoseconds / 1e9
        }
        return sum
    }
}
