/// Decides when to announce: in bursts when something happened, often while somebody is missing,
/// rarely while all is well.
struct Announcer: Sendable {
    /// How urgently others are looked for.
    enum Mood: Hashable, Sendable {
        /// Somebody was just lost, or somebody may want to join.
        case searching
        /// Somebody who was here before is missing.
        case missing
        /// Everybody is here, as far as is known.
        case content
    }

    private var pending: [UInt64] = []
    private var lastBurst: UInt64?
    private var lastSent: UInt64?
    /// When finished sessions were announced last.
    private var lastComplete: UInt64?
    private var pause: UInt64 = Timing.rarely
    /// How urgently others are looked for at present.
    private(set) var mood = Mood.content

    /// Starts a burst; one that a peer caused, at most one in `Timing.burstSpacing`.
    mutating func burst(at now: Moment, causedByPeer: Bool = false) {
        if causedByPeer, let lastBurst, now.uptime < lastBurst + Timing.burstSpacing { return }
        lastBurst = now.uptime
        pending = Timing.burst.map { now.uptime + $0 }
    }

    /// Takes another mood, which counts at once.
    ///
    /// `jitter` is between 0 and 1.
    mutating func set(_ mood: Mood, jitter: Double) {
        guard mood != self.mood else { return }
        self.mood = mood
        choosePause(jitter: jitter)
    }

    /// When the next announcement is due.
    var dueAt: UInt64? {
        let regular = lastSent.map { $0 + pause }
        return [pending.first, regular].compactMap(\.self).min()
    }

    /// Notes that an announcement goes out; whether finished sessions belong into it, which they
    /// do where something has happened, and now and then.
    mutating func send(at now: Moment, jitter: Double) -> Bool {
        let isBurst = pending.contains { $0 <= now.uptime }
        pending.removeAll { $0 <= now.uptime }
        lastSent = now.uptime
        choosePause(jitter: jitter)
        let isComplete =
            isBurst || lastComplete.map { now.uptime >= $0 + Timing.finished } ?? true
        if isComplete { lastComplete = now.uptime }
        return isComplete
    }

    private mutating func choosePause(jitter: Double) {
        let middle =
            switch mood {
            case .searching: Timing.frequently
            case .missing: Timing.sometimes
            case .content: Timing.rarely
            }
        pause = Timing.spread(middle, jitter)
    }
}
