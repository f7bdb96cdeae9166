internal import CPlatform

/// The right to be the daemon of a home, held until the process ends.
///
/// Its file says which process that is, for people, and in the second line where it is called: so
/// it is found also where its socket could not be made in the usual place.
package final class ControlLock: Sendable {
    let file: LockFile

    /// Makes the home, checks that it is private, and takes its lock.
    ///
    /// It must come before anything in the home is opened or removed.
    package init(_ paths: ControlPaths) throws(ControlSocketError) {
        try PrivateDirectory.prepare(paths.home)
        file = try LockFile(paths.homeLock)
    }

    /// Whether a daemon holds the lock of its state now; it may have ended a moment later.
    package static func isHeld(_ paths: ControlPaths) -> Bool {
        platform_lock_is_held(paths.homeLock)
    }

    /// Where the daemon that holds the lock says that it is called; nil where it says nothing.
    package static func socket(_ paths: ControlPaths) -> String? {
        guard isHeld(paths) else { return nil }
        return LockFile.lines(of: paths.homeLock).dropFirst().first
    }
}
