/// What people call a value that is not stored as they read it.
package struct ValueWords: Hashable, Sendable {
    /// What is typed for it, in lower case: `a`.
    package let typed: String
    /// What tells it, which begins with what is typed: `A (DA…)`.
    package let shown: String

    /// The words of a value.
    package init(typed: String, shown: String) {
        self.typed = typed
        self.shown = shown
    }
}
