/// What the system answered to a call that failed.
package struct SystemCallFailure: Error, Hashable, Sendable {
    /// The number of the error.
    package let code: Int32
}
