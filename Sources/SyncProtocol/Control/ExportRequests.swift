/// Begins an export of a session on this connection, in place of one that was begun on it before.
///
/// It is what is on disk at that moment, whatever is written meanwhile, and is let go when it is
/// over or the connection ends.
package struct ExportBeginRequest: ControlRequest, Hashable {
    package typealias Reply = ExportBeginReply
    package static let method = "export.begin"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Whether keys go along: whoever has the file is a member then.
    package var withKey: Bool

    package init(session: String? = nil, withKey: Bool = false) {
        self.session = session
        self.withKey = withKey
    }
}

/// What will be exported.
package struct ExportBeginReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1
    /// The session.
    package var session: String
    /// Its title.
    package var title: String
    /// The first line of a file that begins with this session.
    package var header: String
    /// How many rows there are, of the journal about.
    package var rows: Int
    /// Whether the session has no key here, so that none goes along.
    package var isKeyMissing: Bool

    package init(
        session: String,
        title: String,
        header: String,
        rows: Int,
        isKeyMissing: Bool
    ) {
        self.session = session
        self.title = title
        self.header = header
        self.rows = rows
        self.isKeyMissing = isKeyMissing
    }
}

/// Asks for the next lines of the export that was begun on this connection.
package struct ExportNextRequest: ControlRequest, Hashable {
    package typealias Reply = ExportNextReply
    package static let method = "export.next"

    package init() {}
}

/// Some lines of an export.
package struct ExportNextReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1
    /// Whole lines, each with its end.
    package var text: String
    /// How many rows have been written with these.
    package var rows: Int
    /// Whether these were the session's last lines.
    package var isLast: Bool

    package init(text: String, rows: Int, isLast: Bool) {
        self.text = text
        self.rows = rows
        self.isLast = isLast
    }
}
