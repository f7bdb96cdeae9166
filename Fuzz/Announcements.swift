import SyncProtocol

/// A datagram from any sender: an accepted one must encode to the same bytes.
func fuzzAnnouncements(_ input: [UInt8]) {
    guard let announcement = try? AnnouncementCoding.decode(input) else { return }
    var sessions: [AnnouncedSession] = []
    for datagram in AnnouncementCoding.encode(announcement) {
        precondition(datagram.count <= Limits.announcementBytes, "a datagram too long")
        guard let decoded = try? AnnouncementCoding.decode(datagram) else {
            preconditionFailure("an announcement of our own is refused")
        }
        sessions += decoded.sessions
    }
    precondition(sessions == announcement.sessions, "a session is lost")
}
