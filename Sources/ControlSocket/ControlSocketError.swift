internal import CPlatform
package import SyncProtocol

/// Why a daemon cannot offer its control socket.
package enum ControlSocketError: Error, Hashable, Sendable {
    /// Another daemon holds the lock; its process id where it wrote one down.
    case alreadyRunning(process: Int32?)
    /// The home is gone, or another one has its path.
    case homeReplaced(String)
    /// The path does not fit into a socket address.
    case pathTooLong(String)
    /// A directory of secrets that others may enter.
    case openDirectory(String, mode: UInt32)
    /// A directory of secrets that belongs to somebody else.
    case foreignDirectory(String, owner: UInt32)
    /// Something that is no directory, or no socket, stands in its place.
    case inTheWay(String)
    /// A call of the operating system failed: what was tried, in words that follow "cannot", and
    /// the errno.
    case system(String, code: Int32)

    /// The value of a call of CPlatform, or its negated errno as an error.
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
        case .alreadyRunning(let process):
            if let process {
                "another daemon (pid \(process)) runs here"
            } else {
                "another daemon runs here"
            }
        case .homeReplaced(let path): "\(path) was removed or replaced while its daemon runs"
        case .pathTooLong(let path):
            "the path of the control socket has \(path.utf8.count) bytes, more than the"
                + " \(ControlLimits.pathBytes) that a socket may have: choose a shorter --home"
                + " (it is \(path))"
        case .openDirectory(let path, let mode):
            "others may enter \(path) (mode 0\(String(mode, radix: 8))), which holds the keys of"
                + " your sessions: chmod 700 it, or choose another --home"
        case .foreignDirectory(let path, let owner):
            "\(path) belongs to another user (uid \(owner)): choose another --home"
        case .inTheWay(let path): "something else is at \(path): move it away"
        case .system(let operation, let code): "cannot \(operation): \(Self.text(of: code))"
        }
    }

    /// The same as the command line reports it.
    package var controlError: ControlError { ControlError(.failed, description) }

    /// The system's words for an errno.
    static func text(of code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "error \(code)" }
            platform_error_text(code, start, buffer.count)
            return String(cString: start) + " (errno \(code))"
        }
    }
}

/// Every bound of the control socket, in one place.
package struct ControlLimits: Hashable, Sendable {
    /// The most bytes that the path of a socket may have; systems differ, this fits all.
    package static let pathBytes = 103
    /// The exit status of a daemon that found another one running with its home.
    ///
    /// Whoever started it then waits for that other one instead of reporting a failure.
    package static let alreadyRunningStatus: Int32 = 75
    /// How long a connection must have been idle to lose its place to another when there are no
    /// more.
    package static let idleMilliseconds: Int64 = 1000
    /// How long accepting rests when descriptors have run out.
    package static let shortageRestMilliseconds = 100

    /// The most connections at a time; one more takes the place of the one that has been idle for
    /// longest, or is told so and closed where all are busy.
    package var connections = 64
    /// The most calls of one connection that may wait for their answers.
    package var callsPerConnection = 64
    /// The unsent bytes from which a connection counts as congested.
    package var congestedBytes = 64 << 10
    /// The unsent bytes past which a connection is given up.
    package var queuedBytes = 2 * (Limits.controlFrameBytes + Frame.headerBytes)
    /// The bytes that are read from one connection before the others have their turn.
    package var bytesPerTurn = 1 << 20

    /// The limits of a daemon.
    package init() {}
}
