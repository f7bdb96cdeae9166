/// What one page has not taken yet of what it was told.
package struct PageQueue: Sendable {
    /// How many bytes may wait: past that the page is told everything anew.
    package static let mostBytes = 1 << 20

    private var events: [[UInt8]] = []
    /// How much of the first of them was taken.
    private var taken = 0
    private var bytes = 0
    /// Whether there was too much since the page last took something.
    private var hasStalled = false

    /// A page that is to be told these events.
    package init(_ events: [[UInt8]]) {
        for event in events { add(event) }
    }

    private mutating func add(_ event: [UInt8]) {
        events.append(event)
        bytes += event.count
    }

    /// Adds an event; where too much waits, `everything` in place of all that waits.
    ///
    /// - Returns: whether the page still takes something: false when it was too much twice and
    ///   nothing was taken in between.
    package mutating func add(_ event: [UInt8], everything: () -> [[UInt8]]) -> Bool {
        add(event)
        guard bytes > PageQueue.mostBytes else { return true }
        // What was begun has to be ended, or the next event would be a part of it.
        events = taken > 0 ? Array(events.prefix(1)) : []
        bytes = events.first.map { $0.count - taken } ?? 0
        for event in everything() { add(event) }
        defer { hasStalled = true }
        return !hasStalled
    }

    /// Takes the next bytes, so many at most; nil where none wait.
    package mutating func take(_ most: Int) -> ArraySlice<UInt8>? {
        guard let event = events.first else { return nil }
        let piece = event[taken...].prefix(most)
        taken += piece.count
        bytes -= piece.count
        hasStalled = false
        if taken == event.count {
            events.removeFirst()
            taken = 0
        }
        return piece
    }
}

/// When pages are told that the board is there: at a steady pace, whatever else they are told,
/// since a page that hears no beat for long takes itself to be alone.
package struct Heartbeat: Hashable, Sendable {
    /// The pause between two beats, in milliseconds.
    package static let pause: Int64 = 15_000

    /// When the next one is due.
    package private(set) var due: Int64 = 0

    /// Nothing was told yet: the first beat is due.
    package init() {}

    /// Whether a beat is due, which is then taken for done.
    package mutating func isDue(at now: Int64) -> Bool {
        guard now >= due else { return false }
        due = now + Heartbeat.pause
        return true
    }
}

/// When the chart is asked for again: soon after a change, but only once a second, because it costs
/// what all scores of a game do.
package struct ChartPace: Hashable, Sendable {
    /// The pause between two questions, in milliseconds.
    package static let pause: Int64 = 1_000

    /// When it is asked for next; nil while nothing has changed.
    package private(set) var due: Int64?
    private var earliest: Int64 = 0

    /// A pace at which nothing was asked yet.
    package init() {}

    /// Notes that a total may differ.
    package mutating func change(at now: Int64) { due = due ?? max(now, earliest) }

    /// Whether to ask now, which is then taken for done.
    package mutating func ask(at now: Int64) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        earliest = now + ChartPace.pause
        return true
    }
}
