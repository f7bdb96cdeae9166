/// Why a field of a message was refused.
struct JSONFieldError: Error, Hashable, Sendable {
    /// What is wrong, for people.
    let reason: String

    /// An error with this reason.
    init(_ reason: String) {
        self.reason = reason
    }
}
