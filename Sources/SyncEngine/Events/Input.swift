package import SessionCRDT
package import SyncProtocol

/// What can happen to a daemon; the only way into the engine.
package enum Input: Hashable, Sendable {
    /// A session is held here: loaded from disk, created or joined. Also the answer to `.load`.
    case opened(SessionID, OpenedSession)
    /// The answer to `.load` when the disk could not be read.
    case unloadable(SessionID, reason: String)
    /// The session was left and is no longer on disk.
    case left(SessionID)
    /// The local user writes; all mutations become one commit.
    case write(RequestID, SessionID, [Mutation])
    /// The local user brings what a file has of the session, and the lines of its journal that are
    /// missing here.
    case imported(RequestID, SessionID, Delta, [JournalLine])
    /// The disk has the batch.
    case persisted(BatchID)
    /// The disk refused the batch; what it holds of it is unknown.
    case persistFailed(BatchID, reason: String)
    /// Somebody can join the session here with a code, or no longer.
    case inviteChanged(SessionID, isOpen: Bool)

    /// The daemon listens on this port.
    case listening(port: UInt16)
    /// An announcement came; `source` is where it came from, with the announced port.
    case announced(Announcement, source: Endpoint)
    /// The user typed an address of a peer.
    case addressTyped(SessionID, Endpoint)
    /// The user removed an address.
    case addressRemoved(SessionID, Endpoint)
    /// A dial did not become a link.
    case dialFailed(SessionID, Endpoint, DialFailure)
    /// A connection proved that it has the session's key.
    case linked(LinkID, SessionID, Endpoint, LinkSide)
    /// A peer said something.
    case received(LinkID, PeerMessage)
    /// Bytes came that are no whole message yet.
    case heard(LinkID)
    /// A part of a delta came, and it is not the last.
    case partReceived(LinkID)
    /// A peer said something that was not understood; after a fatal one nothing more can be read.
    case unreadable(LinkID, PeerError, isFatal: Bool)
    /// The connection is gone.
    case unlinked(LinkID)

    /// Somebody wants to know whether the peers of a session are there still.
    case asked(SessionID)
    /// An interface or address of this machine changed.
    case networkChanged
    /// The machine was asleep.
    case woke
    /// The user gives this device another name.
    case renamed(String)
    /// The user takes the device offline, or lets it go on.
    case offline(Bool)
    /// The daemon stops: say goodbye.
    case stopping
    /// Time has passed: the answer to `.wake`.
    case timePassed
}

/// A session as a store held it.
package struct OpenedSession: Hashable, Sendable {
    /// The data.
    package var replica: ReplicaSnapshot
    /// The addresses where members were or may be reached.
    package var addresses: [KnownAddress]
    /// What any other device is known to have on disk.
    package var acknowledged: VersionVector

    package init(
        replica: ReplicaSnapshot,
        addresses: [KnownAddress] = [],
        acknowledged: VersionVector = VersionVector()
    ) {
        self.replica = replica
        self.addresses = addresses
        self.acknowledged = acknowledged
    }
}

/// An address that is kept of a session, for its members are or may be there.
package struct KnownAddress: Hashable, Sendable {
    /// Where.
    package let endpoint: Endpoint
    /// Who answered there last; nil when nobody has.
    package let device: DeviceID?
    /// Whether the user typed it; such an address is never given up.
    package let isTyped: Bool

    package init(endpoint: Endpoint, device: DeviceID?, isTyped: Bool) {
        self.endpoint = endpoint
        self.device = device
        self.isTyped = isTyped
    }
}

/// On which side of a link this device is.
package enum LinkSide: Hashable, Sendable {
    /// It opened the connection.
    case dialled
    /// The peer did.
    case accepted
}

/// Why a dial did not become a link.
package enum DialFailure: Hashable, Sendable {
    /// Nobody answers there, or not as a ScoreSync daemon.
    case unreachable
    /// A daemon answers that does not hold the session.
    case unknownSession
    /// A daemon answers that has another key for the session.
    case wrongKey
}

/// When an input happened, on the two clocks that a daemon has.
package struct Moment: Hashable, Sendable {
    /// Milliseconds on a clock that only goes forward; where it starts does not matter.
    package let uptime: UInt64
    /// Milliseconds since 1970 by the wall clock, right or wrong.
    package let wall: UInt64

    /// The moment of both clocks.
    package init(uptime: UInt64, wall: UInt64) {
        self.uptime = uptime
        self.wall = wall
    }

    /// How far a clock that shows so many milliseconds since 1970 is ahead of this one.
    func skew(of milliseconds: UInt64) -> Int64 {
        Int64(clamping: milliseconds) - Int64(clamping: wall)
    }
}

/// A number that names something for as long as the daemon runs; none is given out twice.
///
/// `Tag` keeps the kinds apart at compile time; it is never instantiated.
package struct Serial<Tag>: Hashable, Comparable, Sendable {
    /// The number.
    package let number: UInt64

    /// The name of a number.
    package init(_ number: UInt64) { self.number = number }

    package static func < (left: Serial, right: Serial) -> Bool { left.number < right.number }
}

/// Tags a link.
package enum LinkTag {}
/// Tags a local write.
package enum RequestTag {}
/// Tags a batch.
package enum BatchTag {}

/// Names a link; the shell gives the numbers.
package typealias LinkID = Serial<LinkTag>
/// Names a local write until it is answered; the shell gives the numbers.
package typealias RequestID = Serial<RequestTag>
/// Names a batch on its way to disk; the engine gives the numbers.
package typealias BatchID = Serial<BatchTag>
