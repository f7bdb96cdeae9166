/// A notification to a watcher: the score sheet, or the difference to the one before.
///
/// In JSON an object with `seq`, `type` and the content under `show` or `change`.
package struct WatchEvent: Document {
    /// The method of the notification.
    package static let method = "watch.event"

    package enum Content: Hashable, Sendable {
        /// The whole sheet: at first, when too much differs, and for a watcher that was too slow.
        case snapshot(ShowReply)
        case change(ShowChange)
    }

    /// The number of the event.
    ///
    /// A change has the number of the event before it plus one. A snapshot may have any number; the
    /// changes after it count on from there.
    package let seq: Int
    package let content: Content

    package init(seq: Int, _ content: Content) { (self.seq, self.content) = (seq, content) }

    private enum CodingKeys: String, CodingKey { case seq, type, show, change }
    private enum Kind: String, Codable { case snapshot, change }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seq = try container.decode(Int.self, forKey: .seq)
        switch try container.decode(Kind.self, forKey: .type) {
        case .snapshot: content = .snapshot(try container.decode(ShowReply.self, forKey: .show))
        case .change: content = .change(try container.decode(ShowChange.self, forKey: .change))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        switch content {
        case .snapshot(let show):
            try container.encode(Kind.snapshot, forKey: .type)
            try container.encode(show, forKey: .show)
        case .change(let change):
            try container.encode(Kind.change, forKey: .type)
            try container.encode(change, forKey: .change)
        }
    }
}

/// The score sheet of a watcher, kept up to date by events.
package struct LiveSheet: Hashable, Sendable {
    /// The sheet now; nil before the first snapshot.
    package private(set) var show: ShowReply?
    private var sequence = 0

    /// The error after a gap in the numbers: the caller must watch again.
    package static let missedChange = ControlError(.failed, "missed a change; watch again")

    package init() {}

    /// Applies an event.
    ///
    /// - Throws: ``missedChange`` if changes before this one are missing.
    package mutating func apply(_ event: WatchEvent) throws(ControlError) {
        switch event.content {
        case .snapshot(let whole): show = whole
        case .change(let change):
            guard show != nil, event.seq == sequence + 1 else { throw LiveSheet.missedChange }
            show?.apply(change)
        }
        sequence = event.seq
    }
}

/// Follows a group of players from one game to the next: decides which session a watcher shows.
///
/// It ignores a next game that exists when watching starts: a user who asks for a finished game
/// wants to see that one.
package struct SessionFollower: Hashable, Sendable {
    /// The session that is shown.
    private var session: String?
    /// The next game that existed at the start, or that was returned already.
    private var ignored: String?

    package init() {}

    /// Returns the id of the session to watch in place of the shown one, once; nil to stay.
    package mutating func next(after show: ShowReply) -> String? {
        let (shown, next) = (show.document.session.id, show.context.next?.id)
        if session == nil { ignored = next }
        if session != nil, session != shown { ignored = nil }
        session = shown
        guard let next, next != ignored else { return nil }
        ignored = next
        return next
    }
}
