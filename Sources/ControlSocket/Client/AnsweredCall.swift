package import SyncProtocol

/// A call and how it ended, for whoever wants to see what a daemon was asked.
package struct AnsweredCall: Sendable {
    /// The method.
    package let method: String
    /// The parameters as JSON; nil where they hold a secret.
    package let parameters: [UInt8]?
    /// How long it took, from the sending to the answer.
    package let duration: Duration
    /// Why it failed; nil where it was answered.
    package let error: ControlError?
}
