internal import CPlatform
package import SyncProtocol

/// The paths of a daemon's state and socket, by the same rules for daemon and clients.
///
/// - A chosen home (`--home`, else `SCORESYNC_HOME`) contains everything, the socket too, so that
///   several daemons can run on one machine.
/// - Else the state is in `$XDG_STATE_HOME/scoresync`, else `~/.local/state/scoresync`, and the
///   socket in `scoresync` under `$XDG_RUNTIME_DIR`, else under `/run/user/UID` if that exists
///   (a login over ssh may lack the variable), else in the home itself. Never in `/tmp`, where
///   another user could take the name first.
package struct ControlPaths: Hashable, Sendable {
    /// The state directory.
    package let home: String
    /// The directory of the socket.
    package let directory: String
    /// Whether the home was chosen.
    ///
    /// A daemon that is started for these paths gets `--home` only
    /// then, because that changes the path of its socket.
    package let isChosen: Bool

    /// The environment variables and system state that determine the paths.
    package struct Surroundings {
        /// The value of an environment variable.
        package var variable: (String) -> String?
        package var currentDirectory: String
        package var userID: UInt32
        /// Whether a directory exists and only this user can enter it.
        package var isPrivateDirectory: (String) -> Bool

        package init(
            variable: @escaping (String) -> String?,
            currentDirectory: String,
            userID: UInt32,
            isPrivateDirectory: @escaping (String) -> Bool
        ) {
            (self.variable, self.currentDirectory) = (variable, currentDirectory)
            (self.userID, self.isPrivateDirectory) = (userID, isPrivateDirectory)
        }
    }

    /// Creates the paths for the home of the command line, or nil.
    package init(chosen: String?, in environment: Surroundings) throws(ControlError) {
        let chosenHome =
            chosen ?? environment.variable("SCORESYNC_HOME").flatMap { $0.isEmpty ? nil : $0 }
        if let chosenHome {
            guard !chosenHome.isEmpty else {
                throw ControlError(.usage, "--home needs a directory")
            }
            home = Self.absolute(chosenHome, from: environment.currentDirectory)
            directory = home
            isChosen = true
            return
        }
        isChosen = false
        if let state = Self.absoluteVariable("XDG_STATE_HOME", environment) {
            home = state + "/scoresync"
        } else if let userHome = Self.absoluteVariable("HOME", environment) {
            home = userHome + "/.local/state/scoresync"
        } else {
            throw ControlError(.failed, "HOME is not set: choose a directory with --home")
        }
        let runtime = "/run/user/\(environment.userID)"
        if let chosen = Self.absoluteVariable("XDG_RUNTIME_DIR", environment) {
            directory = chosen + "/scoresync"
        } else if environment.isPrivateDirectory(runtime) {
            directory = runtime + "/scoresync"
        } else {
            directory = home
        }
    }

    /// Returns the paths of this process.
    package static func current(chosen: String?) throws(ControlError) -> ControlPaths {
        let environment = Surroundings(
            variable: { platform_environment($0).map { String(cString: $0) } },
            currentDirectory: workingDirectory(),
            userID: platform_own_user(),
            isPrivateDirectory: { (try? PrivateDirectory.check($0)) != nil }
        )
        return try ControlPaths(chosen: chosen, in: environment)
    }

    /// The usual path of the socket.
    ///
    /// If it cannot be created there, it is in the home, and the lock
    /// file of the home has its path.
    package var socket: String { directory + "/control.sock" }
    /// The lock file that a running daemon holds.
    package var homeLock: String { home + "/daemon.lock" }
    /// The log of a daemon that `scorectl` started.
    package var log: String { home + "/daemon.log" }

    /// Returns the absolute path in a variable; relative ones are ignored (XDG specification).
    private static func absoluteVariable(_ name: String, _ environment: Surroundings) -> String? {
        environment.variable(name).flatMap { $0.hasPrefix("/") ? trimmed($0) : nil }
    }

    private static func absolute(_ path: String, from directory: String) -> String {
        trimmed(path.hasPrefix("/") ? path : directory + "/" + path)
    }

    /// Removes slashes at the end, so that a directory has one spelling.
    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func workingDirectory() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let start = buffer.baseAddress,
                platform_current_directory(start, buffer.count) == 0
            else { return "/" }
            return String(cString: start)
        }
    }
}
