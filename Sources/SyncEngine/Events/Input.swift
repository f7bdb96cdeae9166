package import SessionCRDT
package import SyncProtocol

/// An event that a daemon reports to its engine; the only input of the engine.
package enum Input: Hashable, Sendable {
    /// A session is on disk: after the start, when created or joined, or as the answer to `.load`.
    case opened(SessionID, OpenedSession)
    /// The session could not be read; the answer to `.load`, too.
    case loadFailed(SessionID, reason: String)
    /// The user left the session, which is no longer on disk.
    case left(SessionID)
    /// The local user writes; all mutations form one commit.
    case write(RequestID, SessionID, [Mutation])
    /// The local user imports a file, given as the state of the session and the lines of its
    /// journal.
    case imported(RequestID, SessionID, Delta, [JournalLine])
    case persisted(BatchID)
    /// The disk refused the batch, of which an unknown part may be stored.
    case persistFailed(BatchID, StorageProblem, reason: String)
    case inviteChanged(SessionID, isOpen: Bool)
    /// The laptops that wait here to be admitted have changed.
    case knocksChanged(SessionID, [Knock])
    /// The local user answers a laptop that waits at a linked peer.
    case knockAnswered(SessionID, DeviceID, KnockID, KnockAnswer)

    case listening(port: UInt16)
    /// An announcement arrived; `source` is the sender's address with the announced port.
    case announced(Announcement, source: Endpoint)
    case addressTyped(SessionID, Endpoint)
    case addressRemoved(SessionID, Endpoint)
    case dialFailed(SessionID, Endpoint, DialFailure)
    /// A connection has proven possession of the session's key.
    case linked(LinkID, SessionID, Endpoint, LinkSide)
    case received(LinkID, PeerMessage)
    /// Bytes arrived that do not complete a message yet.
    case bytesReceived(LinkID)
    /// A part of a delta arrived that is not the last one.
    case partReceived(LinkID)
    case messageRejected(LinkID, PeerError, isFatal: Bool)
    case unlinked(LinkID)

    /// A client asks to check that the peers of a session are still connected.
    case peerCheckRequested(SessionID)
    /// An interface or address of this machine changed.
    case networkChanged
    case resumed
    case renamed(String)
    /// The user took the device offline, or back online.
    case offline(Bool)
    case stopping
    /// The time requested by `.wake` has come.
    case timePassed
}

package struct OpenedSession: Hashable, Sendable {
    package var replica: ReplicaSnapshot
    /// The stored addresses of members.
    package var contacts: [Contact]
    /// The writes that at least one other device is known to have on disk.
    package var acknowledged: VersionVector
    /// The devices that had everything when the session was finished; nil if none is known.
    package var upToDate: UpToDateDevices?

    package init(
        replica: ReplicaSnapshot,
        contacts: [Contact] = [],
        acknowledged: VersionVector = VersionVector(),
        upToDate: UpToDateDevices? = nil
    ) {
        (self.replica, self.contacts) = (replica, contacts)
        (self.acknowledged, self.upToDate) = (acknowledged, upToDate)
    }
}

/// The devices that have the same state of a finished session as this one.
///
/// The digest tells whether that is still this device's state: what is stored may be older.
package struct UpToDateDevices: Hashable, Sendable {
    package let digest: Digest
    package let devices: Set<DeviceID>

    package init(digest: Digest, devices: Set<DeviceID>) {
        (self.digest, self.devices) = (digest, devices)
    }

    /// Reads the text that `words` returned; nil if it is damaged.
    package init?(words: String) {
        let words = words.split(separator: " ").map(String.init)
        guard let digest = words.first.flatMap(Digest.init) else { return nil }
        self.init(digest: digest, devices: Set(words.dropFirst().compactMap { DeviceID($0) }))
    }

    /// The text form: the digest and the ids, separated by spaces.
    package var words: String {
        (["\(digest)"] + devices.sorted().map(\.description)).joined(separator: " ")
    }
}

package enum LinkSide: Hashable, Sendable {
    case dialled, accepted
}

/// The reason why a dial failed.
package enum DialFailure: Hashable, Sendable {
    /// There is no answer, or the answer is not from a ScoreSync daemon.
    case unreachable
    /// The daemon at the address does not hold the session.
    case unknownSession
    /// The daemon at the address has another key for the session.
    case wrongKey
}

/// The time of an input, by both clocks of a daemon.
package struct Moment: Hashable, Sendable {
    /// Milliseconds on a monotonic clock with an arbitrary start.
    package let uptime: UInt64
    /// Milliseconds since 1970 by the wall clock, which may be wrong.
    package let wall: UInt64

    package init(uptime: UInt64, wall: UInt64) { (self.uptime, self.wall) = (uptime, wall) }

    /// Returns the milliseconds by which a clock that shows `milliseconds` is ahead of this one.
    func skew(of milliseconds: UInt64) -> Int64 {
        Int64(clamping: milliseconds) - Int64(clamping: wall)
    }
}

/// A number that identifies something for the lifetime of the daemon; never reused.
///
/// `Tag` makes numbers of different kinds different types; it is never instantiated.
package struct Serial<Tag>: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
    package var description: String { "\(number)" }
    package static func < (left: Serial, right: Serial) -> Bool { left.number < right.number }
}

package enum LinkTag {}
package enum RequestTag {}
package enum BatchTag {}

/// Identifies a link; assigned by the daemon, in ascending order.
package typealias LinkID = Serial<LinkTag>
/// Identifies a local write until it is answered; assigned by the daemon.
package typealias RequestID = Serial<RequestTag>
/// Identifies a batch on its way to disk; assigned by the engine.
package typealias BatchID = Serial<BatchTag>
