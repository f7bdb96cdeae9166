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
