import SessionCRDT

/// By what all that one commit wrote is known, on every laptop: who wrote it and when.
struct CommitName: Hashable, Sendable {
    private let author: DeviceID
    private let stamp: Stamp

    /// The commit that wrote an entry.
    init(_ entry: Entry) {
        author = entry.author
        stamp = entry.stamp
    }
}
