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

    package init(seq: Int, _ news: News) {
        self.seq = seq
        self.news = news
    }

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
