internal import CPlatform
internal import Descriptors
package import SyncProtocol

/// The reason why a daemon cannot open its control socket.
package enum ControlSocketError: Error, Hashable, Sendable {
    /// Another daemon holds the lock; its process id if it wrote one.
    case alreadyRunning(process: Int32?)
    case homeReplaced(String)
    case pathTooLong(String)
    /// A directory that contains keys and that other users may enter.
    case openDirectory(String, mode: UInt32)
    /// A directory that contains keys and belongs to another user.
    case foreignDirectory(String, owner: UInt32)
    /// A file of another kind has the path of the directory or the socket.
    case inTheWay(String)
    /// A system call failed: the operation, in words that follow "cannot", and the errno.
    case system(String, code: Int32)

    /// Whether a directory cannot be written, although it may be readable.
    package var isUnwritable: Bool {
        switch self {
        case .system(_, let code): [EACCES, EDQUOT, ENOSPC, EPERM, EROFS].contains(code)
        case .foreignDirectory(let path, _): platform_may_write(path) < 0
        case .alreadyRunning, .homeReplaced, .pathTooLong, .openDirectory, .inTheWay: false
        }
    }

    /// Returns the result of a call of CPlatform, or throws its negated errno.
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

/// The limits of the control socket.
package struct ControlLimits: Hashable, Sendable {
    /// The maximum length of the path of a socket on every supported system.
    package static let pathBytes = 103
    /// The exit status of a daemon that found another one running with its home, for which the
    /// program that started it then waits.
    package static let alreadyRunningStatus: Int32 = 75
    /// The idle time after which a connection may be closed to make room for a new one.
    package static let idleMilliseconds: Int64 = 1000
    /// The pause before accepting again when descriptors have run out.
    package static let descriptorShortageBackoffMilliseconds = 100

    /// The maximum number of connections.
    ///
    /// One more replaces the one that has been idle for longest, or is rejected if all are busy.
    package var connections = 64
    /// The maximum number of unanswered calls of a connection.
    package var callsPerConnection = 64
    /// The number of unsent bytes at which a connection is congested.
    package var congestedBytes = 64 << 10
    /// The maximum number of unsent bytes; past it the connection is closed.
    package var queuedBytes = 2 * (Limits.controlFrameBytes + Frame.headerBytes)
    /// The number of bytes to read from one connection before others get their turn.
    package var bytesPerTurn = 1 << 20

    package init() {}
}
