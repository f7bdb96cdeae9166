/// What people call a value that is not stored as they read it.
package struct ValueWords: Hashable, Sendable {
    /// What is typed for it, in lower case: `a`; nil where the value itself is typed.
    package let typed: String?
    /// What tells it: `A (DA…)`, or a deal with the names of players.
    package let shown: String
    /// Whether nobody may read the value yet, so that these words are told in its place.
    package let isHidden: Bool

    /// The words of a value.
    package init(typed: String? = nil, shown: String, isHidden: Bool = false) {
        self.isHidden = isHidden
        self.typed = typed
        self.shown = shown
    }
}
