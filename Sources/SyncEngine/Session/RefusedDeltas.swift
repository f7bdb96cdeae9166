/// Deltas that came and that this device's disk did not take: by which links, and when to ask for
/// them again.
///
/// The links stay, for nothing is wrong with them. One is asked at a time, after pauses that grow,
/// so that a full disk does not keep everybody busy with what it cannot take; all are as soon as it
/// takes something.
struct RefusedDeltas: Sendable {
    /// When to ask for them again; nil while there are none.
    var askAt: UInt64? { owing.isEmpty ? nil : time }

    private var owing: Set<LinkID> = []
    private var time: UInt64 = 0
    /// The last pause; 0 since the disk has taken something.
    private var pause: UInt64 = 0
    /// Whether somebody was asked, so that the next batch shows whether the disk takes it.
    private var isTrying = false

    /// The disk has refused a batch; `jitter` is between 0 and 1.
    ///
    /// What it refuses before the time has come, such as what the user types, puts nothing off.
    mutating func fail(at now: Moment, jitter: Double) {
        guard isTrying || now.uptime >= time else { return }
        isTrying = false
        pause = Timing.pause(after: pause, in: Timing.askAgain)
        time = now.uptime + Timing.spread(pause, jitter)
    }

    /// Notes that a delta of the link was lost to the disk.
    mutating func add(_ link: LinkID) { owing.insert(link) }

    /// Forgets a link that is gone.
    mutating func remove(_ link: LinkID) { owing.remove(link) }

    /// The disk has taken a batch: there is no reason to wait any longer.
    mutating func succeed(at now: Moment) {
        pause = 0
        isTrying = false
        time = min(time, now.uptime)
    }

    /// The links that are asked now, if it is time, in the order of their numbers.
    mutating func takeDue(at now: Moment) -> [LinkID] {
        guard let askAt, askAt <= now.uptime else { return [] }
        let links = owing.sorted()
        guard pause > 0, let first = links.first else {
            owing = []
            return links
        }
        owing.remove(first)
        isTrying = true
        time = now.uptime + pause
        return [first]
    }
}
