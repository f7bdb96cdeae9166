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
