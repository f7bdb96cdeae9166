/// What a store holds of one session's data.
package struct ReplicaSnapshot: Hashable, Sendable {
    /// All live entries.
    package let entries: [KeyedEntry]
    /// What has been seen.
    package let vector: VersionVector

    package init(entries: [KeyedEntry], vector: VersionVector) {
        self.entries = entries
        self.vector = vector
    }
}
