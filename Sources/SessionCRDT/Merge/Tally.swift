/// What is counted over all live entries as they come and go.
package struct Tally: Hashable, Sendable {
    /// The digest of the entries.
    package private(set) var digest = Digest()
    /// The canonical bytes of the entries, which bounds a session's size.
    package private(set) var bytes = 0

    /// The tally of nothing.
    package init() {}

    /// Counts the change of a key's live set; nil is the key that nobody has written yet.
    package mutating func change(_ key: Key, from before: LiveSet?, to after: LiveSet) {
        for entry in before?.entries ?? [] where after[entry.dot] != entry {
            let canonical = entry.canonicalBytes(under: key)
            digest.remove(SipHash.hash(canonical))
            bytes -= canonical.count
        }
        for entry in after.entries where before?[entry.dot] != entry {
            let canonical = entry.canonicalBytes(under: key)
            digest.add(SipHash.hash(canonical))
            bytes += canonical.count
        }
    }
}
