internal import CPlatform
internal import SessionCRDT
package import SyncProtocol

/// The paths of a daemon's state and socket; daemon and clients find them by the same rules.
///
/// - A chosen home (`--home`, else `SCORESYNC_HOME`) contains everything, the socket too, so that
///   several daemons can run on one machine.
/// - Else the state is in `$XDG_STATE_HOME/scoresync`, else `~/.local/state/scoresync`, and the
///   socket in `scoresync` under `$XDG_RUNTIME_DIR`, else under `/run/user/UID` if that exists
///   (a login over ssh may lack the variable), else in the home itself.
/// - A socket for which the path of that directory is too long, and everything of a daemon that
///   cannot write its home, is in a private directory of that home: `scoresync-HASH` in the runtime
///   directory, else `/tmp/scoresync-UID-HASH`. If another user took the name first, it is refused.
package struct ControlPaths: Hashable, Sendable {
    package let home: String
    package private(set) var directory: String
    /// The directory of the lock and the log: the home, or the substitute if that is read-only.
    package private(set) var state: String
    /// The private directory for what cannot be in the home.
    package let substitute: String
    /// Whether the user chose the home.
    ///
    /// Only then a daemon that is started for these paths gets the option `--home`, which changes
    /// the path of its socket.
    package let isChosen: Bool

    /// The environment variables and system state that determine the paths.
    package struct Environment {
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

    /// Creates the paths; `chosen` is the home given on the command line, or nil.
    package init(chosen: String?, in environment: Environment) throws(ControlError) {
        let chosenHome =
            chosen ?? environment.variable("SCORESYNC_HOME").flatMap { $0.isEmpty ? nil : $0 }
        if let chosenHome {
            guard !chosenHome.isEmpty else {
                throw .usage("--home needs a directory")
            }
            home = Self.absolute(chosenHome, from: environment.currentDirectory)
        } else if let state = Self.absoluteVariable("XDG_STATE_HOME", environment) {
            home = state + "/scoresync"
        } else if let userHome = Self.absoluteVariable("HOME", environment) {
            home = userHome + "/.local/state/scoresync"
        } else {
            throw .failed("HOME is not set: choose a directory with --home")
        }
        isChosen = chosenHome != nil
        let named = Self.absoluteVariable("XDG_RUNTIME_DIR", environment)
        let usual = "/run/user/\(environment.userID)"
        let candidates = [named, usual].compactMap(\.self).filter(environment.isPrivateDirectory)
        let hash = Self.hash(home)
        substitute =
            candidates.map { "\($0)/scoresync-\(hash)" }.first(where: Self.hasRoomForSocket)
            ?? "/tmp/scoresync-\(environment.userID)-\(hash)"
        let runtime = named ?? candidates.first
        let preferred = isChosen ? home : runtime.map { $0 + "/scoresync" } ?? home
        directory = Self.hasRoomForSocket(preferred) ? preferred : substitute
        state = home
    }

    /// The paths of a daemon that can only read its home.
    package var readingOnly: ControlPaths {
        var paths = self
        if directory == home { paths.directory = substitute }
        paths.state = substitute
        return paths
    }

    /// Prepares the directory of the lock and the log, and returns the paths whose log can be
    /// written: these, or those of a daemon that can only read its home.
    package func preparingLog() throws(ControlSocketError) -> ControlPaths {
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(state)
            let log = try ControlSocketError.check(platform_open_log(log), "open the log \(log)")
            platform_close(log)
            return self
        } catch {
            var file = platform_file()
            guard state == home, error.isUnwritable, platform_file_status(home, &file) >= 0 else {
                throw error
            }
            return try readingOnly.preparingLog()
        }
    }

    package static func current(chosen: String?) throws(ControlError) -> ControlPaths {
        let environment = Environment(
            variable: { platform_environment($0).map { String(cString: $0) } },
            currentDirectory: workingDirectory(),
            userID: platform_own_user(),
            isPrivateDirectory: { (try? PrivateDirectory.check($0)) != nil }
        )
        return try ControlPaths(chosen: chosen, in: environment)
    }

    /// The usual path of the socket.
    ///
    /// If it cannot be created there, it is in the home or the substitute, and the lock file that
    /// the daemon holds has its path.
    package var socket: String { directory + "/control.sock" }
    /// The lock file that a daemon with these paths holds.
    package var lock: String { state + "/daemon.lock" }
    /// The log of a daemon that `scorectl` started.
    package var log: String { state + "/daemon.log" }

    /// The paths of daemons that may be running: that of the home, and one that can only read it.
    private var alternatives: [ControlPaths] {
        // Another user must not be able to pretend that a daemon is running.
        (try? PrivateDirectory.check(substitute)) == nil ? [self] : [self, readingOnly]
    }

    /// The lock files, one of which a running daemon holds.
    var locks: [String] { alternatives.map(\.lock) }

    /// The log that was written last.
    package var latestLog: String {
        let logs = alternatives.map { paths in
            var file = platform_file()
            let isThere = platform_file_status(paths.log, &file) >= 0
            return (path: paths.log, changed: isThere ? file.changed : .min)
        }
        return logs.max { $0.changed < $1.changed }?.path ?? log
    }

    private static func hasRoomForSocket(_ directory: String) -> Bool {
        directory.utf8.count + "/control.sock".utf8.count <= ControlLimits.pathBytes
    }

    /// Hashes a path to 16 hexadecimal digits (FNV-1a, 64 bits).
    private static func hash(_ path: String) -> String {
        let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return Hexadecimal.text(of: hash)
    }

    /// Returns an absolute path from a variable; a relative one is ignored (XDG specification).
    private static func absoluteVariable(_ name: String, _ environment: Environment) -> String? {
        environment.variable(name).flatMap { $0.hasPrefix("/") ? trimmed($0) : nil }
    }

    private static func absolute(_ path: String, from directory: String) -> String {
        trimmed(path.hasPrefix("/") ? path : directory + "/" + path)
    }

    /// Removes trailing slashes, so that a directory has only one path.
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
