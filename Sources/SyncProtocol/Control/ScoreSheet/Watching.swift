/// A notification to a watcher: the score sheet, or its difference from the previous one.
///
/// In JSON it is an object with `seq`, `type`, and the content under `show` or `change`.
package struct WatchEvent: Document {
    package static let method = "watch.event"

    package enum Content: Hashable, Sendable {
        /// The whole sheet: as the first event, if too much has changed, and if the watcher was too
        /// slow.
        case snapshot(ShowReply)
        case change(ShowChange)
    }

    /// The number of the event.
    ///
    /// A change has the number of the previous event plus one. A snapshot may have any number, from
    /// which later changes count on.
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

/// A watcher's copy of the score sheet, updated by events.
package struct LiveSheet: Hashable, Sendable {
    /// The current sheet; nil before the first snapshot.
    package private(set) var show: ShowReply?
    private var sequence = 0

    /// The error for a gap in the numbers of events: the caller must start to watch again.
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

/// Decides which session a watcher shows, so that it follows a group from one game to the next.
///
/// A next game that already exists when watching starts is ignored: a user who asks for a finished
/// game wants to see that game.
package struct SessionFollower: Hashable, Sendable {
    private var session: String?
    /// The next game that is not returned, because it existed at the start or was returned before.
    private var ignored: String?

    package init() {}

    /// Returns the id of a new session to watch instead of the shown one; nil to stay.
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
