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

/// The connections that ask for nothing at the moment, the one that has been so for longest first.
///
/// Who knows no path of the board gets no further than here, so that strangers only take each
/// other's places however many they are.
package struct IdleConnections: Sendable {
    /// The most that are kept.
    package static let most = 200

    private var connections: [Int32] = []

    /// None.
    package init() {}

    /// Takes in a connection that has come, or was answered.
    ///
    /// - Returns: the one to be closed for it, where there are too many.
    package mutating func add(_ connection: Int32) -> Int32? {
        connections.append(connection)
        return connections.count > IdleConnections.most ? connections.removeFirst() : nil
    }

    /// Takes out a connection that asks for something, or has gone.
    package mutating func remove(_ connection: Int32) {
        connections.removeAll { $0 == connection }
    }
}
