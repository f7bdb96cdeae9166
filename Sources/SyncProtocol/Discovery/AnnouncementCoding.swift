import SessionCRDT

/// How announcements travel: each datagram is one JSON object of at most
/// `Limits.announcementBytes`.
///
/// Sessions that do not fit into one datagram travel in several. Each says all but the other
/// sessions, so each is meaningful alone and nobody puts them together again: a session that one
/// leaves out may be in another.
package enum AnnouncementCoding {
    /// Marks the datagrams of this program among what else arrives on a port.
    private static let application = "scoresync"

    /// The datagrams that say the announcement, one or more, the same bytes in every process.
    package static func encode(_ announcement: Announcement) -> [[UInt8]] {
        let bare = tree(announcement, sessions: []).bytes.count
        var datagrams: [[UInt8]] = []
        var sessions: [JSONTree] = []
        var bytes = bare
        for session in announcement.sessions.map(tree) {
            let cost = session.bytes.count + 1
            if bytes + cost > Limits.announcementBytes, !sessions.isEmpty {
                datagrams.append(tree(announcement, sessions: sessions).bytes)
                sessions = []
                bytes = bare
            }
            sessions.append(session)
            bytes += cost
        }
        if datagrams.isEmpty || !sessions.isEmpty {
            datagrams.append(tree(announcement, sessions: sessions).bytes)
        }
        return datagrams
    }

    /// What a datagram says; a sender with many sessions says some of them in each.
    ///
    /// - Parameter datagram: what arrived, from anybody.
    /// - Returns: the announcement.
    /// - Throws: why it is none.
    package static func decode(
        _ datagram: [UInt8]
    ) throws(AnnouncementError) -> Announcement {
        guard datagram.count <= Limits.announcementBytes else {
            throw .tooLong(bytes: datagram.count)
        }
        let tree: JSONTree
        do { tree = try JSONTree(parsing: datagram) } catch { throw .notJSON(error) }
        do throws(JSONFieldError) {
            let fields = try JSONFields(tree)
            guard fields["app"] == .text(application) else { throw JSONFieldError("not ScoreSync") }
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

    private static func tree(_ announcement: Announcement, sessions: [JSONTree]) -> JSONTree {
        [
            "app": .text(application),
            "device": .text(announcement.device.description),
            "instance": .text(announcement.instance.description),
            "port": .integer(Int64(announcement.port)),
            "protocol": .versions(announcement.versions),
            "sessions": .array(sessions),
        ]
    }

    /// The short form of a session: `["<id>",0]`, and where it is finished `["<id>",0,"a1b2c3d4"]`.
    private static func tree(_ session: AnnouncedSession) -> JSONTree {
        let open: [JSONTree] = [
            .text(session.id.description), .integer(session.isInviting ? 1 : 0),
        ]
        guard let digest = session.finishedDigest else { return .array(open) }
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: digest >> UInt32($0)) }
        return .array(open + [.text(Hexadecimal.text(of: bytes))])
    }

    /// The sessions; further elements of each, and numbers above 1, belong to later versions.
    private static func sessions(
        _ fields: JSONFields
    ) throws(JSONFieldError) -> [AnnouncedSession] {
        var sessions: [AnnouncedSession] = []
        for element in try fields.array("sessions") {
            let parts = try element.array("sessions")
            guard parts.count >= 2 else {
                throw JSONFieldError("sessions has one without its flags")
            }
            let flags = try parts[1].integer("sessions", in: 0...Limits.largestInteger)
            sessions.append(
                AnnouncedSession(
                    id: try parts[0].id("sessions"),
                    isInviting: flags & 1 == 1,
                    finishedDigest: try parts.count > 2 ? digest(parts[2]) : nil
                )
            )
        }
        return sessions
    }

    private static func digest(_ tree: JSONTree) throws(JSONFieldError) -> UInt32? {
        if tree == .null { return nil }
        guard case .text(let text) = tree, let bytes = Hexadecimal.bytes(of: text),
            bytes.count == 4
        else { throw JSONFieldError("a digest is not eight hexadecimal digits") }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Why a datagram is no announcement.
package enum AnnouncementError: Error, Hashable, Sendable {
    /// Longer than any announcement.
    case tooLong(bytes: Int)
    /// The scan refused it.
    case notJSON(JSONScanError)
    /// A field is missing or wrong, or another program sent it.
    case malformed(reason: String)
}

extension AnnouncementError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let bytes):
            "an announcement of \(bytes) bytes is longer than \(Limits.announcementBytes)"
        case .notJSON(let error): "\(error)"
        case .malformed(let reason): "bad announcement: \(reason)"
        }
    }
}
