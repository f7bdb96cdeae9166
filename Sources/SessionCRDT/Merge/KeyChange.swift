/// What became of one key: what was live under it, and what is live now.
///
/// Everything that follows from a session follows from these, step by step, so that a score costs
/// what it changes and not what the session holds.
package struct KeyChange: Hashable, Sendable {
    /// What it is about.
    package let key: Key
    /// What was live before; nil where nobody had written.
    package let before: LiveSet?
    /// What is live now.
    package let after: LiveSet

    package init(key: Key, before: LiveSet?, after: LiveSet) {
        self.key = key
        self.before = before
        self.after = after
    }
}
