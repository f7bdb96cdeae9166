import CPlatform
import ControlSocket
import SyncProtocol

/// The answer of somebody who wants to keep an older daemon: so they are asked once for each build
/// of the daemon, each build that could take its place, and each home.
struct DeclinedRestart {
    private let path: String
    private let line: [UInt8]

    /// The answer about a daemon of a home, while such a build is installed.
    init(_ paths: ControlPaths, of daemon: NegotiateReply, for installed: ProgramBuild?) {
        path = paths.home + "/restart-declined"
        let builds = [
            daemon.version, daemon.build ?? "-", Versions.program, installed?.text ?? "-",
        ]
        line = Array((builds.joined(separator: " ") + "\n").utf8)
    }

    /// Whether it was given.
    var isRemembered: Bool {
        var bytes = [UInt8](repeating: 0, count: line.count + 1)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        return count == line.count && bytes.starts(with: line)
    }

    /// Remembers it, in place of one about another daemon; whether that could be done.
    func remember() -> Bool { platform_write_file(path, line, line.count) >= 0 }
}
