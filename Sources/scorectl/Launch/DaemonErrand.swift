import CPlatform
import ControlSocket
import SyncProtocol

/// Something that the daemon's program does and ends, as `--restore`: it says what came of it
/// through the pipe by which a daemon says that it is ready, after a line feed for each hundredth
/// that is done.
///
/// It has a session of its own: who presses Ctrl-C meanwhile goes, and it comes to its end.
struct DaemonErrand {
    /// How long nobody is told that it goes on.
    private static let tellMilliseconds: Int32 = 100

    private let paths: ControlPaths
    private let words: [String]
    private let program: String?

    /// An errand of these words in a home; `program` replaces the one that is found.
    init(_ paths: ControlPaths, _ words: [String], program: String? = nil) {
        self.paths = paths
        self.words = words
        self.program = program
    }

    /// Runs it; what it said.
    ///
    /// Meanwhile it tells how much is done, from 0 to 1, or nil as long as nobody knows.
    ///
    /// - Throws: what it says against it, of the kind that its exit status tells; `noDaemon` with
    ///   the status of a home that is in use.
    func run(telling tell: (Double?) -> Void) throws(ControlError) -> [UInt8] {
        guard let program = program ?? InstalledProgram("scoresyncd")?.path else {
            throw ControlError(.failed, "scoresyncd is neither beside scorectl nor in PATH")
        }
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.home)
        } catch {
            throw error.controlError
        }
        let started = try DaemonLauncher.spawn(program, words, for: paths, log: 2)
        let said = Self.everything(from: started.pipe, telling: tell)
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

    private static func everything(from pipe: Int32, telling tell: (Double?) -> Void) -> [UInt8] {
        var hundredths = 0
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let ready = platform_wait(pipe, false, -1, tellMilliseconds)
            if ready == 1 {
                let count = platform_read(pipe, &bytes, bytes.count)
                guard count > 0 else { return all }
                let said = bytes.prefix(Int(count))
                let text = all.isEmpty ? said.drop { $0 == 0x0A } : said
                hundredths += said.count - text.count
                all += text
            }
            guard ready >= 0 else { return all }
            tell(hundredths > 0 ? Double(hundredths) / 100 : nil)
        }
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
