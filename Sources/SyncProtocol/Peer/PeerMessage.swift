package import JSONCoding
package import SessionCRDT

/// What linked peers say to each other about one session.
///
/// A link says hello in both directions, then each side sends what the other lacks, then both are
/// silent until something changes. `Documentation/PROTOCOL.md` has the form of each on the wire.
package enum PeerMessage: Hashable, Sendable {
    /// The first message in each direction.
    case hello(Hello)
    /// What the receiver lacks; answered by exactly one `ack` or `need`.
    case delta(Delta)
    /// A delta is on disk here; what has been seen here now.
    case ack(Acknowledgement)
    /// A delta did not fit: what has been seen here, so that the next one does.
    case need(VersionVector)
    /// Are you there? The number comes back in the pong.
    case ping(UInt64)
    /// The answer to a ping.
    case pong(UInt64)
    /// The sender's clock was set and shows this, in milliseconds since 1970.
    case clock(UInt64)
    /// Where other members of the session can be reached.
    case addresses([Endpoint])
    /// To these runs of daemons the sender itself sends what it has: nobody else need pass it on.
    case links([InstanceID])
    /// What others have on disk, as they told the sender.
    case reached(Reach)
    /// The sender closes the link, and why.
    case bye(ByeReason)
    /// Something was not understood; the link stays.
    case error(PeerError)
    /// What a joiner gets, alone on a link that was opened with a join code.
    case welcome(Welcome)
}

/// Abilities beyond the version of the protocol, as hello names them.
package enum Feature {
    /// The sender understands `clock`.
    package static let clock = "clock"
    /// The sender understands `links` and `reached`.
    package static let reach = "reach"
}

/// A version that speaks, and how it names and sees itself.
package struct Hello: Hashable, Sendable {
    /// The lowest and the highest protocol version that the sender speaks.
    package var versions: ClosedRange<Int>
    /// Abilities beyond the version, by name, sorted; unknown ones are ignored.
    package var features: [String]
    /// The session that the link is for; must be the one of its key.
    package var session: SessionID
    /// The sender's device.
    package var device: DeviceID
    /// The sender's run.
    package var instance: InstanceID
    /// The sender's device name.
    package var name: String
    /// The port on which the sender listens.
    package var port: UInt16
    /// The sender's clock, in milliseconds since 1970.
    package var wallMilliseconds: UInt64
    /// What the sender has seen, on disk.
    package var vector: VersionVector
    /// The digest of what the sender holds, on disk.
    package var digest: Digest

    package init(
        versions: ClosedRange<Int>,
        features: [String],
        session: SessionID,
        device: DeviceID,
        instance: InstanceID,
        name: String,
        port: UInt16,
        wallMilliseconds: UInt64,
        vector: VersionVector,
        digest: Digest
    ) {
        (self.versions, self.features, self.session) = (versions, features, session)
        (self.device, self.instance, self.name) = (device, instance, name)
        (self.port, self.wallMilliseconds, self.vector) = (port, wallMilliseconds, vector)
        self.digest = digest
    }
}

/// What the sender has seen and holds, on disk.
package struct Acknowledgement: Hashable, Sendable {
    /// What has been seen.
    package let vector: VersionVector
    /// The digest of what is held.
    package let digest: Digest

    package init(vector: VersionVector, digest: Digest) {
        (self.vector, self.digest) = (vector, digest)
    }
}

/// What others have on disk of what the sender sent them.
///
/// They are named by their runs and not by their devices, because a home that was restored from a
/// backup has less than its device once said to have.
package struct Reach: Hashable, Sendable {
    /// Who has it.
    package let instances: [InstanceID]
    /// Writes that all of them have, with all earlier ones of the same actors.
    package let vector: VersionVector

    package init(instances: [InstanceID], vector: VersionVector) {
        (self.instances, self.vector) = (instances, vector)
    }
}

/// Why a peer closes a link.
package enum ByeReason: String, Hashable, Sendable, CaseIterable {
    /// The daemon stops.
    case stopping
    /// The user took the device offline.
    case offline
    /// Another link with the same peer is kept.
    case duplicate
    /// The link led back to the sender itself.
    case itself
    /// No protocol version is common to both.
    case version
    /// The session is finished and both hold the same.
    case finished
    /// The session was left on this device.
    case left
    /// The disk refused what was written.
    case storage
    /// The peer broke the protocol.
    case protocolError = "protocol-error"
    /// A later version's reason.
    case other
}

/// What a receiver did not understand.
package struct PeerError: Hashable, Sendable {
    /// The code of a delta that was not taken because the session would hold too much.
    package static let tooMuch = "too-much"
    /// The code of a delta that breaks the rules.
    package static let badDelta = "bad-delta"

    /// A word for programs: `unknown-type`, `bad-message`, `bad-delta`, `too-much`.
    package let code: String
    /// The same for people.
    package let text: String

    package init(code: String, text: String) { (self.code, self.text) = (code, text) }
}

/// What makes a joiner a member: the session and its key.
package struct Welcome: Hashable, Sendable {
    /// The session.
    package let session: SessionID
    /// The session's key, 32 bytes.
    package let key: [UInt8]
    /// The title, to greet with before the first delta has come.
    package let title: String
    /// The game's id, likewise.
    package let game: String
    /// The name of the device that invited.
    package let inviter: String
    /// The port on which the inviter listens.
    package let port: UInt16

    package init(
        session: SessionID,
        key: [UInt8],
        title: String,
        game: String,
        inviter: String,
        port: UInt16
    ) {
        (self.session, self.key, self.title) = (session, key, title)
        (self.game, self.inviter, self.port) = (game, inviter, port)
    }
}

/// Why a payload of a peer was refused.
///
/// None of these breaks the stream of frames: whether the link stays is the receiver's decision. An
/// `error` message is never an answer to an `error` message.
package enum PeerMessageError: Error, Hashable, Sendable {
    /// The scan refused it; what it was to be is unknown.
    case notJSON(JSONScanError)
    /// A message of a later version; the link stays.
    case unknownType(String)
    /// A message of this type with a field that is missing or wrong.
    case badMessage(type: String, reason: String)
    /// A delta that is refused whole; its further parts are passed over in silence.
    case badDelta(reason: String)
    /// A delta of more than any session may hold; its further parts are passed over in silence, and
    /// the link stays.
    case longDelta(reason: String)
}

extension PeerMessageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notJSON(let error): "\(error)"
        case .unknownType(let type): "unknown message type \(type)"
        case .badMessage(let type, let reason): "bad \(type): \(reason)"
        case .badDelta(let reason): "bad delta: \(reason)"
        case .longDelta(let reason): reason
        }
    }

    /// What to tell the peer; nil where it said that it did not understand, for an answer to an
    /// answer has no end.
    package var answer: PeerError? {
        if case .badMessage("error", _) = self { return nil }
        let code =
            switch self {
            case .notJSON, .badMessage: "bad-message"
            case .unknownType: "unknown-type"
            case .badDelta: PeerError.badDelta
            case .longDelta: PeerError.tooMuch
            }
        return PeerError(code: code, text: description)
    }
}
