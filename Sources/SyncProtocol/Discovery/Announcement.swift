package import JSONCoding
package import SessionCRDT

/// The message by which daemons find each other: device, port and sessions.
///
/// Anyone on the network can read it, so it contains no names and nothing derived from a key or a
/// join code. It is only a hint, which is verified once a link is open.
package struct Announcement: Hashable, Sendable {
    /// The protocol versions that the sender speaks.
    package var versions: ClosedRange<Int>
    package var device: DeviceID
    package var instance: InstanceID
    package var port: UInt16
    /// The sessions that the sender holds, or some of them if not all fit into one datagram.
    package var sessions: [AnnouncedSession]

    package init(
        versions: ClosedRange<Int>,
        device: DeviceID,
        instance: InstanceID,
        port: UInt16,
        sessions: [AnnouncedSession]
    ) {
        (self.versions, self.device, self.instance) = (versions, device, instance)
        (self.port, self.sessions) = (port, sessions)
    }
}

package struct AnnouncedSession: Hashable, Sendable {
    package let id: SessionID
    package let isInviting: Bool
    /// Whether the sender has just lost a peer without a goodbye, so that peers linked with the
    /// sender check their links.
    package let isSearching: Bool
    /// The upper 32 bits of a finished session's digest; a peer with the same bits need not link.
    package let finishedDigest: UInt32?

    package init(
        id: SessionID,
        isInviting: Bool = false,
        isSearching: Bool = false,
        finishedDigest: UInt32? = nil
    ) {
        (self.id, self.isInviting) = (id, isInviting)
        (self.isSearching, self.finishedDigest) = (isSearching, finishedDigest)
    }
}

/// The coding of announcements: each datagram is one JSON object of at most
/// `Limits.announcementBytes`.
///
/// Sessions that do not fit are sent in further datagrams. Each datagram repeats all other fields
/// and is complete in itself, so receivers never combine them, and a session that is missing in one
/// datagram may be in another.
package enum AnnouncementCoding {
    /// The value that distinguishes these datagrams from those of other programs on the same port.
    private static let application = "scoresync"

    /// Encodes an announcement as one or more datagrams, deterministically.
    package static func encode(_ announcement: Announcement) -> [[UInt8]] {
        let bare = datagram(announcement, sessions: []).count
        var datagrams: [[UInt8]] = []
        var sessions: [[UInt8]] = []
        var bytes = bare
        for session in announcement.sessions.map(form) {
            let cost = session.count + 1
            if bytes + cost > Limits.announcementBytes, !sessions.isEmpty {
                datagrams.append(datagram(announcement, sessions: sessions))
                sessions = []
                bytes = bare
            }
            sessions.append(session)
            bytes += cost
        }
        if datagrams.isEmpty || !sessions.isEmpty {
            datagrams.append(datagram(announcement, sessions: sessions))
        }
        return datagrams
    }

    /// Decodes an untrusted datagram, which may contain only some of the sender's sessions.
    package static func decode(_ datagram: [UInt8]) throws(AnnouncementError) -> Announcement {
        guard datagram.count <= Limits.announcementBytes else {
            throw .tooLong(bytes: datagram.count)
        }
        let fields: JSONValue
        do { fields = try JSONText(datagram).root } catch { throw .notJSON(error) }
        do throws(JSONFieldError) {
            try require(fields.isObject, "not an object")
            try require(fields["app"]?.string == application, "not ScoreSync")
            return Announcement(
                versions: try fields.versions("protocol"),
                device: try fields.id("device"),
                instance: try fields.id("instance"),
                port: try fields.port("port"),
                sessions: try sessions(fields)
            )
        } catch {
            throw .malformed(reason: error.reason)
        }
    }

    private static func datagram(_ announcement: Announcement, sessions: [[UInt8]]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("app", application)
            json.field("device", announcement.device)
            json.field("instance", announcement.instance)
            json.field("port", announcement.port)
            json.field("protocol", announcement.versions)
            json.name("sessions")
            json.array { json in
                for session in sessions { json.value(session) }
            }
        }
        return json.bytes
    }

    /// Returns the JSON of a session: `["<id>",0]`, or `["<id>",0,"a1b2c3d4"]` for a finished one.
    private static func form(_ session: AnnouncedSession) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            json.id(session.id)
            json.integer((session.isInviting ? 1 : 0) + (session.isSearching ? 2 : 0) as Int64)
            guard let digest = session.finishedDigest else { return }
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: digest >> UInt32($0)) }
            json.text(Hexadecimal.text(of: bytes))
        }
        return json.bytes
    }

    /// Decodes the sessions, ignoring the elements and bits of later versions.
    private static func sessions(_ fields: JSONValue) throws(JSONFieldError) -> [AnnouncedSession] {
        var sessions: [AnnouncedSession] = []
        for element in try fields.array("sessions") {
            var parts = try JSONValue.array(element, "sessions")
            try require(parts.count >= 2, "sessions has one without its flags")
            let id: SessionID = try JSONValue.id(parts.next(), "sessions")
            let numbers = 0...Limits.largestInteger
            let flags = try JSONValue.integer(parts.next(), "sessions", in: numbers)
            sessions.append(
                AnnouncedSession(
                    id: id,
                    isInviting: flags & 1 != 0,
                    isSearching: flags & 2 != 0,
                    finishedDigest: try digest(parts.next())
                )
            )
        }
        return sessions
    }

    private static func digest(_ value: JSONValue?) throws(JSONFieldError) -> UInt32? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string, let bytes = Hexadecimal.bytes(of: text), bytes.count == 4
        else { throw JSONFieldError("a digest is not eight hexadecimal digits") }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

package enum AnnouncementError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(bytes: Int)
    case notJSON(JSONScanError)
    /// A field is missing or wrong, or another program sent the datagram.
    case malformed(reason: String)

    package var description: String {
        switch self {
        case .tooLong(let bytes):
            "an announcement of \(bytes) bytes is longer than \(Limits.announcementBytes)"
        case .notJSON(let error): "\(error)"
        case .malformed(let reason): "bad announcement: \(reason)"
        }
    }
}
