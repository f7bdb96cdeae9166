/// A notification to a watcher: the score sheet, or what differs from the one that it has.
///
/// In JSON an object with `seq` and `type`, and what is told under `show` or under `change`.
package struct WatchEvent: Codable, Hashable, Sendable {
    /// The method of the notification.
    package static let method = "watch.event"

    /// What a watcher is told.
    package enum News: Hashable, Sendable {
        /// The whole sheet: at first, when too much differs, and for a watcher that was too slow.
        case snapshot(ShowReply)
        /// What differs now.
        case change(ShowChange)
    }

    /// The number of what is told.
    ///
    /// A change has the number after that of the event before it. A snapshot says from which number
    /// changes count on; it may be any.
    package let seq: Int
    /// What is told.
    package let news: News

    package init(seq: Int, _ news: News) { (self.seq, self.news) = (seq, news) }

    private enum CodingKeys: String, CodingKey {
        case seq
        case type
        case show
        case change
    }

    private enum Kind: String, Codable {
        case snapshot
        case change
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seq = try container.decode(Int.self, forKey: .seq)
        switch try container.decode(Kind.self, forKey: .type) {
        case .snapshot: news = .snapshot(try container.decode(ShowReply.self, forKey: .show))
        case .change: news = .change(try container.decode(ShowChange.self, forKey: .change))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        switch news {
        case .snapshot(let show):
            try container.encode(Kind.snapshot, forKey: .type)
            try container.encode(show, forKey: .show)
        case .change(let change):
            try container.encode(Kind.change, forKey: .type)
            try container.encode(change, forKey: .change)
        }
    }
}

/// The score sheet of a watcher, kept up to date by what the daemon tells.
package struct LiveSheet: Hashable, Sendable {
    /// The sheet now; nil before the first snapshot.
    package private(set) var show: ShowReply?
    private var sequence = 0

    /// A change was told, and not the one before it: the sheet is to be asked for anew.
    package static let leftOut = ControlError(.failed, "the daemon left out a change; watch again")

    /// A sheet of which nothing was told yet.
    package init() {}

    /// Takes in what is told.
    ///
    /// - Throws: ``leftOut`` when something was left out before a change.
    package mutating func apply(_ event: WatchEvent) throws(ControlError) {
        switch event.news {
        case .snapshot(let whole): show = whole
        case .change(let change):
            guard show != nil, event.seq == sequence + 1 else {
                throw LiveSheet.leftOut
            }
            show?.apply(change)
        }
        sequence = event.seq
    }
}

/// Which session a watcher shows in the course of an evening: it goes on to the next game when one
/// comes.
///
/// A next game that was there when the watcher began is passed over: who asks for a game that is
/// over wants to see that one.
package struct Evening: Hashable, Sendable {
    /// The session that is shown.
    private var session: String?
    /// The next game that was there from the beginning, or that was asked for already.
    private var passedOver: String?

    /// An evening of which nothing has been seen.
    package init() {}

    /// Takes in what is shown.
    ///
    /// - Returns: the id of the session to watch in its place, once; nil to stay.
    package mutating func next(after show: ShowReply) -> String? {
        let (shown, next) = (show.document.session.id, show.context.next?.id)
        if session == nil { passedOver = next }
        if session != nil, session != shown { passedOver = nil }
        session = shown
        guard let next, next != passedOver else { return nil }
        passedOver = next
        return next
    }
}
