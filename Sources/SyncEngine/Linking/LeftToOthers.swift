import SessionCRDT

/// What others are sending to the peer of one link, and until when that is left to them.
///
/// Else each of N devices would pass a score on to each other one.
struct LeftToOthers: Sendable {
    private struct Item {
        let vector: VersionVector
        let until: UInt64
    }

    /// The earliest first.
    private var items: [Item] = []

    /// How much is remembered; what does not fit is passed on.
    private static let most = 8

    /// When the first of it is left no longer; nil when nothing is.
    var due: UInt64? { items.first?.until }

    /// Notes that somebody who has this sends it to the peer.
    mutating func add(_ vector: VersionVector, until: UInt64) {
        items.append(Item(vector: vector, until: until))
        if items.count > LeftToOthers.most { items.removeFirst() }
    }

    /// Forgets what is left no longer, and what the peer has.
    mutating func prune(at now: Moment, stated: VersionVector) {
        guard !items.isEmpty else { return }
        items.removeAll { $0.until <= now.uptime || stated.covers($0.vector) }
    }

    /// Whether each of these writes is left to somebody.
    func contains(_ news: [Dot], at now: Moment) -> Bool {
        guard let latest = items.last?.until, latest > now.uptime else { return false }
        return news.allSatisfy { dot in
            items.contains { $0.until > now.uptime && $0.vector.covers(dot) }
        }
    }
}
