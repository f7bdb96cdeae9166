package import SessionCRDT

/// All that is stored of a session's data: what `CausalMap` is made of.
package struct StoredReplica: Hashable, Sendable {
    /// The live entries, in no particular order.
    package let entries: [KeyedEntry]
    /// What has been seen.
    package let vector: VersionVector

    /// A replica of these parts.
    package init(entries: [KeyedEntry], vector: VersionVector) {
        self.entries = entries
        self.vector = vector
    }
}
