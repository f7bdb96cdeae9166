/// How much one link may enter: as much as somebody types, and what a phone kept while it was away.
///
/// A bucket of tokens; `now` is in milliseconds of a clock that never jumps.
package struct EntryAllowance: Hashable, Sendable {
    /// How many entries may come at once.
    package static let most = 20
    /// After how many milliseconds one more may come.
    package static let pause: Int64 = 500

    private var left = EntryAllowance.most
    private var lastGrowth: Int64 = 0

    /// All of it.
    package init() {}

    /// Takes one entry off.
    ///
    /// - Throws: that it is too fast, with the time to wait.
    package mutating func take(at now: Int64) throws(Refusal) {
        let grown = max(0, now - lastGrowth) / EntryAllowance.pause
        if grown >= Int64(EntryAllowance.most - left) {
            left = EntryAllowance.most
            lastGrowth = now
        } else {
            left += Int(grown)
            lastGrowth += grown * EntryAllowance.pause
        }
        guard left > 0 else { throw .tooFast }
        left -= 1
    }
}
