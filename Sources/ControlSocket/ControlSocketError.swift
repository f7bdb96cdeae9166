internal import CPlatform
internal import Descriptors
package import SyncProtocol

package enum ControlSocketError: Error, Hashable, Sendable {
    /// Another daemon holds the lock; `process` is its process id, if known.
    case alreadyRunning(process: Int32?)
    case homeReplaced(String)
    case pathTooLong(String)
    /// A directory that contains keys is accessible to other users.
    case openDirectory(String, mode: UInt32)
    /// A directory that contains keys belongs to another user.
    case foreignDirectory(String, owner: UInt32)
    /// The path of the directory or socket is taken by a file of another kind.
    case inTheWay(String)
    /// A system call failed: the operation, as it follows "cannot" in a message, and the errno.
    case system(String, code: Int32)

    /// Whether a directory cannot be written, although it may be readable.
    package var isUnwritable: Bool {
        switch self {
        case .system(_, let code): [EACCES, EDQUOT, ENOSPC, EPERM, EROFS].contains(code)
        case .foreignDirectory(let path, _): platform_may_write(path) < 0
        case .alreadyRunning, .homeReplaced, .pathTooLong, .openDirectory, .inTheWay: false
        }
    }

    /// Returns the result of a CPlatform function; throws if it is a negated errno.
    @discardableResult
    static func check<Number: SignedInteger & FixedWidthInteger>(
        _ result: Number,
        _ operation: @autoclosure () -> String
    ) throws(ControlSocketError) -> Number {
        guard result < 0 else { return result }
        throw .system(operation(), code: Int32(truncatingIfNeeded: -result))
    }
}

extension ControlSocketError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .alreadyRunning(nil): "another daemon is running here"
        case .alreadyRunning(let process?): "another daemon (pid \(process)) is running here"
        case .homeReplaced(let path): "\(path) was removed or replaced while its daemon was running"
        case .pathTooLong(let path):
            "the path of the control socket is too long (\(path.utf8.count) bytes,"
                + " \(ControlLimits.pathBytes) at most): \(path); choose a shorter --home"
        case .openDirectory(let path, let mode):
            "other users may enter \(path) (mode 0\(String(mode, radix: 8))), which contains"
                + " the keys of your sessions; chmod 700 it, or choose another --home"
        case .foreignDirectory(let path, let owner):
            "\(path) belongs to another user (uid \(owner)); choose another --home"
        case .inTheWay(let path): "something else is at \(path); move it away"
        case .system(let operation, let code): SystemError(operation, code: code).description
        }
    }

    package var controlError: ControlError { ControlError(.failed, description) }
}

package struct ControlLimits: Hashable, Sendable {
    /// The maximum length of a socket's path that every supported system accepts.
    package static let pathBytes = 103
    /// The exit status of a daemon that finds another daemon running in its home; the program that
    /// started it then waits for that daemon.
    package static let alreadyRunningStatus: Int32 = 75
    /// The idle time after which a connection may be closed to make room for a new one.
    package static let idleMilliseconds: Int64 = 1000
    /// The pause before accepting again after descriptors have run out.
    package static let descriptorShortageBackoffMilliseconds = 100

    /// The maximum number of connections.
    ///
    /// A further connection replaces the one that has been idle longest; if all are busy, it is
    /// rejected.
    package var connections = 64
    /// The maximum number of unanswered calls of a connection.
    package var callsPerConnection = 64
    /// The number of unsent bytes from which a connection counts as congested.
    package var congestedBytes = 64 << 10
    /// The maximum number of unsent bytes; beyond it the connection is closed.
    package var queuedBytes = 2 * (Limits.controlFrameBytes + Frame.headerBytes)
    /// The number of bytes that are read from one connection before others have their turn.
    package var bytesPerTurn = 1 << 20

    package init() {}
}
