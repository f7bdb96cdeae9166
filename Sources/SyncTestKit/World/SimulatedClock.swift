import SyncEngine

/// The two clocks of a laptop: one that only goes forward, and one on the wall that may say
/// anything.
struct SimulatedClock {
    /// Whether the forward clock stands still while the laptop sleeps.
    let pausesInSleep: Bool
    /// What the forward clock said at virtual time zero of its boot.
    private var start: UInt64
    private var bootedAt: UInt64 = 0
    private var slept: UInt64 = 0
    private var fellAsleepAt: UInt64?
    /// How far the wall clock is off, in milliseconds.
    private var skew: Int64
    /// How many milliseconds the wall clock gains in a million.
    private let drift: Int64

    /// 20 November 2026, in milliseconds since 1970: virtual time zero.
    static let beginning: Int64 = 1_795_132_800_000
    /// Days in the years 1970 and 2300, in milliseconds since 1970.
    static let farOff: [Int64] = [86_400_000, 10_413_792_000_000]

    init(skew: Int64, drift: Int64, pausesInSleep: Bool, start: UInt64) {
        self.skew = skew
        self.drift = drift
        self.pausesInSleep = pausesInSleep
        self.start = start
    }

    /// The clocks at a virtual time.
    func moment(at time: UInt64) -> Moment {
        let sleeping = fellAsleepAt.map { time - $0 } ?? 0
        let paused = pausesInSleep ? slept + sleeping : 0
        let gained = Int64(time) * drift / 1_000_000
        let wall = SimulatedClock.beginning + Int64(time) + gained + skew
        return Moment(uptime: start + time - bootedAt - paused, wall: UInt64(max(0, wall)))
    }

    /// The virtual time at which the forward clock will say `uptime`, if nobody sleeps until then.
    func time(of uptime: UInt64, after time: UInt64) -> UInt64 {
        let now = moment(at: time).uptime
        return uptime > now ? time + (uptime - now) : time
    }

    /// The forward clock starts again, anywhere.
    mutating func boot(at time: UInt64, start: UInt64) {
        self.start = start
        bootedAt = time
        slept = 0
        fellAsleepAt = nil
    }

    mutating func fallAsleep(at time: UInt64) { fellAsleepAt = time }

    mutating func wake(at time: UInt64) {
        if let fellAsleepAt { slept += time - fellAsleepAt }
        fellAsleepAt = nil
    }

    /// The wall clock is set by so many milliseconds.
    mutating func jump(by milliseconds: Int64) { skew += milliseconds }

    /// The wall clock is set to a time far off.
    mutating func jump(to milliseconds: Int64) { skew = milliseconds - SimulatedClock.beginning }
}
