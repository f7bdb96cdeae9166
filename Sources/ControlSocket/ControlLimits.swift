internal import SyncProtocol

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
