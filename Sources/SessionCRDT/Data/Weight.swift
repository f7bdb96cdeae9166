/// What entries weigh in canonical bytes: all together, and those of each author.
///
/// It bounds what a session holds, so it is counted the same on every device.
package struct Weight: Hashable, Sendable {
    /// All together.
    package private(set) var bytes = 0
    private var byAuthor: [DeviceID: Int] = [:]

    /// The weight of nothing.
    package init() {}

    /// The weight of those entries of a delta that are news.
    package init(of delta: Delta, where isNews: (Key, Entry) -> Bool) {
        for change in delta.changes {
            for entry in change.live where isNews(change.key, entry) {
                add(entry.canonicalCount(under: change.key), by: entry.author)
            }
        }
    }

    /// The authors of which anything weighs.
    package var authors: Dictionary<DeviceID, Int>.Keys { byAuthor.keys }

    /// What the entries of an author weigh.
    package subscript(author: DeviceID) -> Int { byAuthor[author] ?? 0 }

    /// Adds so many bytes of an author, or takes them away.
    package mutating func add(_ count: Int, by author: DeviceID) {
        bytes += count
        byAuthor[author, default: 0] += count
        if count < 0, byAuthor[author] == 0 { byAuthor[author] = nil }
    }

    /// Adds what others weigh.
    package mutating func add(_ other: Weight) {
        for (author, count) in other.byAuthor { add(count, by: author) }
    }
}
