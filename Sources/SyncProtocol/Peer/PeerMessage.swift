package import JSONCoding
package import SessionCRDT

/// A message between linked peers about one session.
///
/// Both sides send hello, then each sends the entries that the other lacks, then both are silent
/// until something changes. `Documentation/PROTOCOL.md` describes the JSON of each message.
package enum PeerMessage: Hashable, Sendable {
    case hello(Hello)
    /// Entries that the receiver lacks; answered by exactly one `ack` or `need`.
    case delta(Delta)
    /// Confirms that a delta is on disk, with the sender's state after it.
    case ack(Acknowledgement)
    /// Rejects a delta whose base the sender has not seen, with the sender's vector for the next
    /// one.
    case need(VersionVector)
    /// Requests a pong with the same number.
    case ping(UInt64)
    case pong(UInt64)
    /// The sender's clock after it was set, in milliseconds since 1970.
    case clock(UInt64)
    /// The addresses of other members of the session.
    case addresses([Endpoint])
    /// The instances to which the sender is linked, so that the receiver need not forward to them.
    case links([InstanceID])
    /// The writes that other instances have on disk, as they acknowledged them to the sender.
    case reached(Reach)
    /// The reason why the sender cannot save; nil once it can again.
    case storage(StorageProblem?)
    /// Announces that the sender closes the link, with the reason.
    case bye(ByeReason)
    /// Reports that a message was not understood; the link stays open.
    case error(PeerError)
    /// The laptops that wait at the sender to be admitted; replaces the list sent before.
    case knocks([Knock])
    /// A member's answer to a laptop that waits at the receiver.
    case admit(KnockID, KnockAnswer)
    /// Admits a joiner; the first message on a link that was opened with a join code or a knock.
    case welcome(Welcome)
    /// The joiner introduces itself after a welcome, so that both remember each other.
    case guest(KnockingLaptop)
}

/// The optional abilities, named in hello.
package enum Feature {
    /// The sender understands `clock`.
    package static let clock = "clock"
    /// The sender understands `links` and `reached`.
    package static let reach = "reach"
    /// The sender understands `storage`.
    package static let storage = "storage"
    /// The sender understands `knocks` and `admit`.
    package static let knocks = "knocks"
}

/// The first message: versions, identity and state of the sender.
package struct Hello: Hashable, Sendable {
    /// The protocol versions that the sender speaks.
    package var versions: ClosedRange<Int>
    /// The optional abilities of the sender, sorted; unknown ones are ignored.
    package var features: [String]
    /// The session of the link, which must be the one whose key opened it.
    package var session: SessionID
    package var device: DeviceID
    package var instance: InstanceID
    package var name: String
    package var port: UInt16
    /// The sender's clock, in milliseconds since 1970.
    package var wallMilliseconds: UInt64
    /// The writes that the sender has on disk.
    package var vector: VersionVector
    /// The digest of the entries that the sender has on disk.
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

/// The state that the sender has on disk.
package struct Acknowledgement: Hashable, Sendable {
    package let vector: VersionVector
    package let digest: Digest

    package init(vector: VersionVector, digest: Digest) {
        (self.vector, self.digest) = (vector, digest)
    }
}

/// A report of the writes that other daemons have on disk.
///
/// It names instances instead of devices, because a home that was restored from a backup has fewer
/// writes than its device acknowledged before.
package struct Reach: Hashable, Sendable {
    package let instances: [InstanceID]
    /// The writes that all of these instances have.
    package let vector: VersionVector

    package init(instances: [InstanceID], vector: VersionVector) {
        (self.instances, self.vector) = (instances, vector)
    }
}

/// The reason why a device cannot save the writes of a session.
package enum StorageProblem: String, Hashable, Sendable, CustomStringConvertible {
    case diskFull = "disk-full"
    case readOnly = "read-only"
    /// Any other reason, or one that only a later version knows.
    case failed

    /// The reason for people, as in “cannot save: disk full”.
    package var description: String {
        switch self {
        case .diskFull: "disk full"
        case .readOnly: "disk is read-only"
        case .failed: "disk error"
        }
    }
}

package enum ByeReason: String, Hashable, Sendable, CaseIterable {
    case stopping, offline
    /// Another link with the same peer is kept instead.
    case duplicate
    /// The sender has dialled itself.
    case itself
    /// There is no common protocol version.
    case version
    /// The session is finished and both sides have the same state.
    case finished
    case left
    /// A person has refused the knock.
    case declined
    /// The sender failed to write to disk.
    case storage
    /// The receiver broke the protocol.
    case protocolError = "protocol-error"
    /// Any reason that this version does not know.
    case other
}

/// A message that the receiver did not accept.
package struct PeerError: Hashable, Sendable {
    /// The code of a delta that would make the session too large.
    package static let tooMuch = "too-much"
    /// The code of a malformed delta.
    package static let badDelta = "bad-delta"

    /// A code for programs: `unknown-type`, `bad-message`, `bad-delta` or `too-much`.
    package let code: String
    package let text: String

    package init(code: String, text: String) { (self.code, self.text) = (code, text) }
}

/// A laptop that waits to be admitted to a session.
package struct Knock: Hashable, Sendable {
    package let id: KnockID
    package let laptop: String
    package let symbols: [KnockSymbol]
    /// The time of the last game with this laptop, in milliseconds since 1970; nil if the two do not
    /// know each other, so that the symbols must be compared.
    package let lastPlayed: UInt64?

    package init(id: KnockID, laptop: String, symbols: [KnockSymbol], lastPlayed: UInt64?) {
        (self.id, self.laptop, self.symbols) = (id, laptop, symbols)
        self.lastPlayed = lastPlayed
    }
}

package enum KnockAnswer: String, Codable, Hashable, Sendable, CaseIterable {
    case yes, no
    /// Refuses this laptop and ignores its further knocks until the invite ends.
    case mute
}

/// The session and its key, with which a joiner becomes a member.
package struct Welcome: Hashable, Sendable {
    package let session: SessionID
    /// The session's key of 32 bytes.
    package let key: [UInt8]
    /// The title and the id of the game, to show before the first delta arrives.
    package let title: String
    package let game: String
    package let inviter: String
    package let port: UInt16
    /// The inviter's device, and a new key of 32 bytes that only the two laptops have; nil from
    /// older versions.
    package var pair: Pair?

    package struct Pair: Hashable, Sendable {
        package let device: DeviceID
        package let key: [UInt8]

        package init(device: DeviceID, key: [UInt8]) { (self.device, self.key) = (device, key) }
    }

    package init(
        session: SessionID,
        key: [UInt8],
        title: String,
        game: String,
        inviter: String,
        port: UInt16,
        pair: Pair? = nil
    ) {
        (self.session, self.key, self.title) = (session, key, title)
        (self.game, self.inviter, self.port) = (game, inviter, port)
        self.pair = pair
    }
}

/// The reason why a peer's payload was rejected.
///
/// The frames after it can still be read; the receiver decides whether the link stays open. An
/// `error` message is never answered by an `error` message.
package enum PeerMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload is not JSON, so the type of the message is unknown.
    case notJSON(JSONScanError)
    /// The type belongs to a later version; the link stays open.
    case unknownType(String)
    /// A field is missing or wrong.
    case badMessage(type: String, reason: String)
    /// A malformed delta; its remaining parts are ignored.
    case badDelta(reason: String)
    /// A delta larger than any session; its remaining parts are ignored and the link stays open.
    case longDelta(reason: String)

    package var description: String {
        switch self {
        case .notJSON(let error): "\(error)"
        case .unknownType(let type): "unknown message type \(type)"
        case .badMessage(let type, let reason): "bad \(type): \(reason)"
        case .badDelta(let reason): "bad delta: \(reason)"
        case .longDelta(let reason): reason
        }
    }

    /// The reply to the peer; nil for an error message, because error replies would never end.
    package var errorReply: PeerError? {
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
