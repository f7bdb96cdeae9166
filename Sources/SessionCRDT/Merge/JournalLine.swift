/// What happened to one key on this device: an entry that was written or came in, and what it
/// replaced.
package struct JournalLine: Hashable, Sendable {
    /// What it is about.
    package let key: Key
    /// What was written.
    package let entry: Entry
    /// What it replaced here, the latest first.
    package let replaced: [Entry]

    package init(key: Key, entry: Entry, replaced: [Entry]) {
        self.key = key
        self.entry = entry
        self.replaced = replaced
    }
}
