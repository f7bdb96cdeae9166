/// What people call a value that is not stored as they read it.
package struct ValueWords: Hashable, Sendable {
    /// What is typed for it, in lower case: `a`; nil where the value itself is typed.
    package let typed: String?
    /// What tells it: `A (DA…)`, or a deal with the names of players.
    package let shown: String

    /// The words of a value.
    package init(typed: String? = nil, shown: String) {
        self.typed = typed
        self.shown = shown
    }
}
