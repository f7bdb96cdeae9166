/// Deltas that came and that this device's disk did not take: by which links, and when to ask for
/// them again.
///
/// The links stay, for nothing is wrong with them, and the pauses grow, so that a full disk does
/// not keep everybody busy with what it cannot take.
struct RefusedDeltas: Sendable {
    /// The links by which they came, in the order of their numbers.
    var links: [LinkID] { owing.sorted() }
    /// When to ask for them again; nil while there are none.
    var askAt: UInt64? { owing.isEmpty ? nil : time }

    private var owing: Set<LinkID> = []
    private var time: UInt64 = 0
    private var pause: UInt64 = 0

    /// The disk has refused a batch; `jitter` is between 0 and 1.
    ///
    /// What it refuses before the time has come, such as what the user types, puts nothing off.
    mutating func fail(at now: Moment, jitter: Double) {
        guard now.uptime >= time else { return }
        pause = min(
            Timing.askAgain.upperBound,
            max(Timing.askAgain.lowerBound, pause * 2)
        )
        time = now.uptime + UInt64(Double(pause) * (0.8 + 0.4 * jitter))
    }

    /// Notes that a delta of the link was lost to the disk.
    mutating func add(_ link: LinkID) { owing.insert(link) }

    /// Forgets a link that is gone.
    mutating func remove(_ link: LinkID) { owing.remove(link) }

    /// The disk has taken a batch: there is no reason to wait any longer.
    mutating func succeed(at now: Moment) {
        pause = 0
        time = min(time, now.uptime)
    }

    /// The links that are asked again now.
    mutating func takeLinks() -> [LinkID] {
        defer { owing = [] }
        return links
    }
}
