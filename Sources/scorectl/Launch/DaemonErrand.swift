import CPlatform
import ControlSocket
import SyncProtocol

/// Something that the daemon's program does and ends, as `--restore`: it says what came of it
/// through the pipe by which a daemon says that it is ready.
///
/// It has a session of its own: who presses Ctrl-C meanwhile goes, and it comes to its end.
struct DaemonErrand {
    private let paths: ControlPaths
    private let words: [String]

    /// An errand of these words in a home.
    init(_ paths: ControlPaths, _ words: [String]) {
        self.paths = paths
        self.words = words
    }

    /// Runs it; what it said.
    ///
    /// - Throws: what it says against it, of the kind that its exit status tells; `noDaemon` with
    ///   the status of a home that is in use.
    func run() throws(ControlError) -> [UInt8] {
        guard let program = InstalledProgram("scoresyncd")?.path else {
            throw ControlError(.failed, "scoresyncd is neither beside scorectl nor in PATH")
        }
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.home)
        } catch {
            throw error.controlError
        }
        let started = try DaemonLauncher.spawn(program, words, for: paths, log: 2)
        let said = Self.everything(from: started.pipe)
        platform_close(started.pipe)
        let status = Self.end(of: started.process)
        guard status != 0 else { return said }
        let text = String(decoding: said.drop { $0 == UInt8(ascii: "!") }, as: UTF8.self)
        let kind = ControlError.Kind.allCases.first { ControlError($0, "").exitCode == status }
        throw ControlError(
            status == ControlLimits.alreadyRunningStatus ? .noDaemon : kind ?? .failed,
            text.isEmpty ? "scoresyncd ended with status \(status)" : text
        )
    }

    private static func everything(from pipe: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while platform_wait(pipe, false, -1, -1) == 1 {
            let count = platform_read(pipe, &bytes, bytes.count)
            guard count > 0 else { break }
            all += bytes.prefix(Int(count))
        }
        return all
    }

    private static func end(of process: Int32) -> Int32 {
        let descriptor = platform_watch_process(process)
        defer { if descriptor >= 0 { platform_close(descriptor) } }
        var status: Int32 = 0
        while platform_child_status(process, &status) == 0 {
            _ = platform_wait(descriptor, false, -1, descriptor >= 0 ? -1 : 5)
        }
        return status
    }
}
