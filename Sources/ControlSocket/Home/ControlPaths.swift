internal import CPlatform
package import SyncProtocol

/// Where a daemon keeps its state and where it is called; the same rules for both ends.
///
/// - A home that was chosen (`--home`, else `SCORESYNC_HOME`) holds everything, the socket too, so
///   that several daemons live on one machine.
/// - Else the state is in `$XDG_STATE_HOME/scoresync`, else `~/.local/state/scoresync`, and the
///   socket in `scoresync` under `$XDG_RUNTIME_DIR`, else under `/run/user/UID` where the system
///   has made that (a login over ssh may lack the variable), else in the home itself. Never in
///   `/tmp`: whoever is first there could keep the rightful owner out.
package struct ControlPaths: Hashable, Sendable {
    /// The directory of the state.
    package let home: String
    /// The directory of the socket.
    package let directory: String
    /// Whether the home was chosen: a daemon that is started for these paths must then be given it,
    /// and else must not, or it would look for its socket elsewhere.
    package let isChosen: Bool

    /// What the rules depend on.
    package struct Surroundings {
        /// The value of an environment variable.
        package var variable: (String) -> String?
        /// The directory that relative paths start from.
        package var currentDirectory: String
        /// The user.
        package var user: UInt32
        /// Whether a directory exists that only this user can enter.
        package var isPrivateDirectory: (String) -> Bool

        /// Surroundings of these parts.
        package init(
            variable: @escaping (String) -> String?,
            currentDirectory: String,
            user: UInt32,
            isPrivateDirectory: @escaping (String) -> Bool
        ) {
            self.variable = variable
            self.currentDirectory = currentDirectory
            self.user = user
            self.isPrivateDirectory = isPrivateDirectory
        }
    }

    /// The paths for a home that was chosen on the command line, or nil.
    package init(chosen: String?, in around: Surroundings) throws(ControlError) {
        let wish = chosen ?? around.variable("SCORESYNC_HOME").flatMap { $0.isEmpty ? nil : $0 }
        if let wish {
            guard !wish.isEmpty else { throw ControlError(.usage, "--home needs a directory") }
            home = Self.absolute(wish, from: around.currentDirectory)
            directory = home
            isChosen = true
            return
        }
        isChosen = false
        if let state = Self.absoluteVariable("XDG_STATE_HOME", around) {
            home = state + "/scoresync"
        } else if let user = Self.absoluteVariable("HOME", around) {
            home = user + "/.local/state/scoresync"
        } else {
            throw ControlError(.failed, "HOME is not set: choose a directory with --home")
        }
        let runtime = "/run/user/\(around.user)"
        if let chosen = Self.absoluteVariable("XDG_RUNTIME_DIR", around) {
            directory = chosen + "/scoresync"
        } else if around.isPrivateDirectory(runtime) {
            directory = runtime + "/scoresync"
        } else {
            directory = home
        }
    }

    /// The paths of this process.
    package static func current(chosen: String?) throws(ControlError) -> ControlPaths {
        let around = Surroundings(
            variable: { platform_environment($0).map { String(cString: $0) } },
            currentDirectory: workingDirectory(),
            user: platform_own_user(),
            isPrivateDirectory: { (try? PrivateDirectory.check($0)) != nil }
        )
        return try ControlPaths(chosen: chosen, in: around)
    }

    /// The control socket, unless it could not be made there: then it is in the home, as the lock
    /// of the home says.
    package var socket: String { directory + "/control.sock" }
    /// The lock of the state, which a running daemon holds.
    package var homeLock: String { home + "/daemon.lock" }
    /// The log of a daemon that was started by `scorectl`.
    package var log: String { home + "/daemon.log" }

    /// The specification of these variables says that a relative path is to be ignored.
    private static func absoluteVariable(_ name: String, _ around: Surroundings) -> String? {
        around.variable(name).flatMap { $0.hasPrefix("/") ? trimmed($0) : nil }
    }

    private static func absolute(_ path: String, from directory: String) -> String {
        trimmed(path.hasPrefix("/") ? path : directory + "/" + path)
    }

    /// Without the slashes at the end, so that one directory has one spelling.
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
