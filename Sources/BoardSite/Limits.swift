/// The rate limit of one link: what a user types, and what a phone queued while it was offline.
///
/// A token bucket; `now` is in milliseconds of a monotonic clock.
package struct SubmissionLimiter: Hashable, Sendable {
    /// The maximum number of submissions at once.
    package static let capacity = 20
    /// The milliseconds until one more token is available.
    package static let interval: Int64 = 500

    private var tokens = SubmissionLimiter.capacity
    private var lastRefill: Int64 = 0

    /// Consumes one token.
    ///
    /// - Throws: `tooFast` if there is none.
    package mutating func consume(at now: Int64) throws(HTTPError) {
        let refill = max(0, now - lastRefill) / SubmissionLimiter.interval
        if refill >= Int64(SubmissionLimiter.capacity - tokens) {
            tokens = SubmissionLimiter.capacity
            lastRefill = now
        } else {
            tokens += Int(refill)
            lastRefill += refill * SubmissionLimiter.interval
        }
        guard tokens > 0 else { throw .tooFast }
        tokens -= 1
    }
}

/// The connections without a valid request, longest idle first.
///
/// A client that knows no path of the board gets no further than here, so strangers can only
/// displace each other, regardless of how many they are.
package struct IdleConnections: Sendable {
    package static let maxConnections = 200

    private var connections: [Int32] = []

    package init() {}

    /// Adds a connection.
    ///
    /// - Returns: the connection to close for it, if there are too many.
    package mutating func add(_ connection: Int32) -> Int32? {
        connections.append(connection)
        let isFull = connections.count > IdleConnections.maxConnections
        return isFull ? connections.removeFirst() : nil
    }

    package mutating func remove(_ connection: Int32) { connections.removeAll { $0 == connection } }
}
