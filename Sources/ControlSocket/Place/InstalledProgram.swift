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
