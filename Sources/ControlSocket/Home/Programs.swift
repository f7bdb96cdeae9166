internal import CPlatform

/// A program of ScoreSync, or of the system, and ways to start it.
package struct InstalledProgram {
    /// Where it is.
    package let path: String

    /// The program of a name beside this one, else in the directories of PATH; nil where it is in
    /// neither.
    package init?(_ name: String) {
        var places: [String] = []
        let own = InstalledProgram.ownPath
        if let slash = own?.lastIndex(of: "/"), let own { places.append(String(own[..<slash])) }
        let directories = platform_environment("PATH").map { String(cString: $0) } ?? ""
        // A relative directory would start whatever lies in the current one.
        places += directories.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        let programs: [String] = places.map { "\($0)/\(name)" }
        guard let found = programs.first(where: { platform_is_executable($0) }) else { return nil }
        path = found
    }

    /// Where the program of this process is.
    static var ownPath: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            buffer.baseAddress.flatMap { start in
                platform_own_path(start, buffer.count) > 0 ? String(cString: start) : nil
            }
        }
    }

    /// Becomes the program, with the same process id and terminal; returns only when that failed,
    /// with the negated errno.
    package func become(_ arguments: [String]) -> Int32 {
        InstalledProgram.withPointers([path] + arguments) { words in
            InstalledProgram.withPointers(InstalledProgram.environment) { variables in
                platform_become(path, words, variables)
            }
        }
    }

    /// Starts the program beside this one, with nothing to read and nowhere to write.
    package func startInSilence(_ arguments: [String]) {
        InstalledProgram.withPointers([path] + arguments) { words in
            InstalledProgram.withPointers(InstalledProgram.environment) { variables in
                _ = platform_spawn_silent(path, words, variables)
            }
        }
    }

    /// Runs the program beside this one, with nothing to read and nowhere to write; its exit
    /// status, or nil where it cannot be started or does not end in half a minute.
    package func status(of arguments: [String]) -> Int32? {
        let process = InstalledProgram.withPointers([path] + arguments) { words in
            InstalledProgram.withPointers(InstalledProgram.environment) { variables in
                platform_spawn_silent(path, words, variables)
            }
        }
        guard process > 0 else { return nil }
        let end = platform_watch_process(process)
        if end >= 0 {
            _ = platform_wait(end, false, -1, 30_000)
            platform_close(end)
        }
        var status: Int32 = 0
        return platform_child_status(process, &status) == 1 ? status : nil
    }

    /// The environment of this process, `NAME=VALUE` each.
    package static var environment: [String] {
        var result: [String] = []
        guard var next = platform_whole_environment() else { return result }
        // The list ends with NULL.
        while let variable = next.pointee {
            result.append(String(cString: variable))
            next += 1
        }
        return result
    }

    /// Lends texts as C does it: pointers to terminated bytes, and NULL at the end.
    ///
    /// They are valid only inside `body`.
    package static func withPointers<Result>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { text in
            let bytes = Array(text.utf8CString)
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        let pointers = copies.map(\.baseAddress) + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                preconditionFailure("a list with NULL at its end is never empty")
            }
            return body(start)
        }
    }
}

/// Which build of a program a file is: two of one version may still differ.
///
/// It is the file's length and when it last changed, which costs one call of the system; whoever
/// installs anew changes the time, also where nothing else changes.
package struct ProgramBuild: Hashable, Sendable {
    /// The length of the file in bytes.
    package let bytes: Int64
    /// When the file last changed, in nanoseconds since 1970.
    package let changed: Int64

    /// A build of these parts.
    package init(bytes: Int64, changed: Int64) {
        self.bytes = bytes
        self.changed = changed
    }

    /// The build of the file at a path; nil where none is.
    package init?(at path: String) {
        var content = platform_content()
        guard platform_content_status(path, &content) == 0, content.is_regular else { return nil }
        self.init(bytes: content.bytes, changed: content.changed)
    }

    /// The build that its text says; nil for a text of another form, as a later version may have.
    package init?(_ text: String) {
        let parts = text.split(separator: "-").map { Int64($0) }
        guard parts.count == 2, let bytes = parts[0], let changed = parts[1] else { return nil }
        self.init(bytes: bytes, changed: changed)
    }

    /// The build that this process was started from, as it is before anybody replaces the file.
    package static var ofThisProcess: ProgramBuild? {
        InstalledProgram.ownPath.flatMap { ProgramBuild(at: $0) }
    }

    /// The text by which a daemon tells it.
    package var text: String { "\(bytes)-\(changed)" }
}

/// The process of a daemon, for when its socket does not answer.
///
/// It is the one that holds the lock of the home, as the system says it, so that no number which
/// was left in a file, or given to another process since, is ever signalled.
package final class DaemonProcess {
    /// Its number.
    package let id: Int32
    private let descriptor: Int32

    /// The daemon of a home; nil where none runs, and where the system does not tell.
    package init?(holding paths: ControlPaths) {
        id = platform_lock_holder(paths.homeLock)
        guard id > 0 else { return nil }
        descriptor = platform_watch_process(id)
        guard descriptor >= 0 else { return nil }
        // Watched from before it was seen with the lock, it is no other one.
        guard platform_lock_holder(paths.homeLock) == id else { return nil }
    }

    deinit { if descriptor >= 0 { platform_close(descriptor) } }

    /// Tells it to end as the system does.
    ///
    /// - Throws: why that is not allowed; that it has ended already is none.
    package func terminate() throws(ControlSocketError) {
        let result = platform_signal_process(descriptor, id, platform_signal_terminate())
        guard !hasEnded(withinMilliseconds: 0) else { return }
        try ControlSocketError.check(result, "stop process \(id)")
    }

    /// Lets it look at once whether its socket is where it should be.
    package func lookAfterSocket() {
        _ = platform_signal_process(descriptor, id, platform_signal_user())
    }

    /// Waits until it has ended, so long at most; whether it has.
    package func hasEnded(withinMilliseconds limit: Int32) -> Bool {
        platform_wait(descriptor, false, -1, limit) == 1
    }
}

/// The clock and the calendar of this place, as people read them; programs get UTC.
package enum LocalTime {
    /// The time of day at a moment in milliseconds since 1970: `20:34`.
    package static func timeOfDay(_ milliseconds: Int64) -> String {
        var hour: Int32 = 0
        var minute: Int32 = 0
        platform_local_time(milliseconds, &hour, &minute)
        return "\(twoDigits(hour)):\(twoDigits(minute))"
    }

    /// The date at a moment in milliseconds since 1970: `2026-11-20`.
    package static func date(_ milliseconds: Int64) -> String {
        var year: Int32 = 0
        var month: Int32 = 0
        var day: Int32 = 0
        platform_local_date(milliseconds, &year, &month, &day)
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    }

    private static func twoDigits(_ number: Int32) -> String {
        (number < 10 ? "0" : "") + "\(number)"
    }
}
