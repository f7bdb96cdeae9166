import ControlSocket
import Dispatch
import FoundationEssentials
import SyncProtocol

/// A directory of its own for one test, removed with it.
final class TemporaryHome: Sendable {
    let path: String

    init(mode: Int = 0o700) throws {
        let name = "scoresync-" + UUID().uuidString.prefix(13)
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: mode]
        )
        // The mask of the process may have taken bits away.
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of a user whose state is here, with a runtime directory elsewhere.
    func paths(runtime: String) throws -> ControlPaths {
        let variables = ["XDG_STATE_HOME": path, "XDG_RUNTIME_DIR": runtime]
        return try ControlPaths(
            chosen: nil,
            in: ControlPaths.Environment(
                variable: { variables[$0] },
                currentDirectory: "/",
                userID: 0,
                isPrivateDirectory: { _ in false }
            )
        )
    }

    var paths: ControlPaths {
        get throws {
            try ControlPaths(
                chosen: path,
                in: ControlPaths.Environment(
                    variable: { _ in nil },
                    currentDirectory: "/",
                    userID: 0,
                    isPrivateDirectory: { _ in false }
                )
            )
        }
    }
}
