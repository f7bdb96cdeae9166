/// The queue of events to be sent to one page.
package struct PageQueue: Sendable {
    /// The maximum number of waiting bytes; a page with more gets a new snapshot instead.
    package static let maxBytes = 1 << 20

    private var events: [[UInt8]] = []
    /// The number of bytes of the first event that were sent.
    private var sent = 0
    private var bytes = 0
    /// Whether the queue overflowed since the page last read anything.
    private var hasStalled = false

    package init(_ events: [[UInt8]]) { for event in events { append(event) } }

    private mutating func append(_ event: [UInt8]) {
        events.append(event)
        bytes += event.count
    }

    /// Adds an event; if too much waits, `snapshot` replaces everything that waits.
    ///
    /// - Returns: whether the page still reads: false if the queue overflowed twice and nothing was
    ///   read in between.
    package mutating func add(_ event: [UInt8], snapshot: () -> [[UInt8]]) -> Bool {
        append(event)
        guard bytes > PageQueue.maxBytes else { return true }
        // An event that was sent in part must be completed, or the next one would be part of it.
        events = sent > 0 ? Array(events.prefix(1)) : []
        bytes = events.first.map { $0.count - sent } ?? 0
        for event in snapshot() { append(event) }
        defer { hasStalled = true }
        return !hasStalled
    }

    /// Removes the next bytes to send; nil if there are none.
    package mutating func next(maxBytes: Int) -> ArraySlice<UInt8>? {
        guard let event = events.first else { return nil }
        let piece = event[sent...].prefix(maxBytes)
        sent += piece.count
        bytes -= piece.count
        hasStalled = false
        if sent == event.count {
            events.removeFirst()
            sent = 0
        }
        return piece
    }
}

/// The schedule of heartbeats: at a fixed interval regardless of other events, since a page that
/// gets none for long considers itself disconnected.
package struct Heartbeat: Hashable, Sendable {
    /// The interval in milliseconds.
    package static let interval: Int64 = 15_000

    package private(set) var due: Int64 = 0

    package init() {}

    /// Returns whether a heartbeat is due, and schedules the next one.
    package mutating func isDue(at now: Int64) -> Bool {
        guard now >= due else { return false }
        due = now + Heartbeat.interval
        return true
    }
}

/// The schedule of chart requests: soon after a change, but at most once a second, because a chart
/// costs as much as all scores of a game.
package struct ChartThrottle: Hashable, Sendable {
    /// The minimum interval in milliseconds.
    package static let interval: Int64 = 1_000

    /// The time of the next request; nil if nothing has changed.
    package private(set) var due: Int64?
    private var earliest: Int64 = 0

    package init() {}

    /// Schedules a request, since a total may have changed.
    package mutating func scheduleRequest(at now: Int64) { due = due ?? max(now, earliest) }

    /// Returns whether a request is due, and counts it as sent.
    package mutating func isDue(at now: Int64) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        earliest = now + ChartThrottle.interval
        return true
    }
}
