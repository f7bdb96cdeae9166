/// What a store must write down in one transaction before any of it may be told.
package struct Batch: Hashable, Sendable {
    /// The entries that are no longer live.
    package let removed: [Dot]
    /// The entries that have become live; one that is stored already under its dot is overwritten.
    package let inserted: [KeyedEntry]
    /// The last write now seen of each actor of which more was seen.
    package let advanced: [Dot]
    /// What happened, in order.
    package let journal: [JournalLine]
    /// What had happened before everything that the journal has, in order; of it those lines are
    /// written whose entries the journal does not have.
    package let earlier: [JournalLine]

    package init(
        removed: [Dot],
        inserted: [KeyedEntry],
        advanced: [Dot],
        journal: [JournalLine],
        earlier: [JournalLine] = []
    ) {
        self.removed = removed
        self.inserted = inserted
        self.advanced = advanced
        self.journal = journal
        self.earlier = earlier
    }
}
