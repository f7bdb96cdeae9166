/// How much one link may enter: as much as somebody types, and what a phone kept while it was away.
///
/// A bucket of tokens; `now` is in milliseconds of a clock that never jumps.
package struct SubmissionAllowance: Hashable, Sendable {
    /// How many submissions may come at once.
    package static let most = 20
    /// After how many milliseconds one more may come.
    package static let pause: Int64 = 500

    private var left = SubmissionAllowance.most
    private var lastGrowth: Int64 = 0

    /// All of it.
    package init() {}

    /// Takes one submission off.
    ///
    /// - Throws: that it is too fast, with the time to wait.
    package mutating func take(at now: Int64) throws(Refusal) {
        let grown = max(0, now - lastGrowth) / SubmissionAllowance.pause
        if grown >= Int64(SubmissionAllowance.most - left) {
            left = SubmissionAllowance.most
            lastGrowth = now
        } else {
            left += Int(grown)
            lastGrowth += grown * SubmissionAllowance.pause
        }
        guard left > 0 else { throw .tooFast }
        left -= 1
    }
}
