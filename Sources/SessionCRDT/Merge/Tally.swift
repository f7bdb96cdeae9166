/// What is counted over all live entries as they come and go.
package struct Tally: Hashable, Sendable {
    /// The digest of the entries.
    package private(set) var digest = Digest()
    /// What the entries weigh, which bounds a session's size.
    package private(set) var weight = Weight()

    /// The canonical bytes of the entries.
    package var bytes: Int { weight.bytes }

    /// The tally of nothing.
    package init() {}

    /// Counts the change of a key's live set; nil is the key that nobody has written yet.
    package mutating func change(_ key: Key, from before: LiveSet?, to after: LiveSet) {
        if let before {
            for entry in before where after[entry.dot] != entry {
                let canonical = entry.canonicalHash(under: key)
                digest.remove(canonical.hash)
                weight.add(-canonical.bytes, by: entry.author)
            }
        }
        for entry in after where before?[entry.dot] != entry { add(entry, under: key) }
    }

    /// Counts one entry more.
    mutating func add(_ entry: Entry, under key: Key) {
        let canonical = entry.canonicalHash(under: key)
        digest.add(canonical.hash)
        weight.add(canonical.bytes, by: entry.author)
    }
}
