import CPlatform
import SyncEngine

/// The clocks of this machine.
enum Clock {
    /// Milliseconds since 1970.
    static var wallMilliseconds: UInt64 { UInt64(max(0, platform_wall_milliseconds())) }

    /// Where the uptimes that the engine sees begin.
    private static let start = ContinuousClock.now

    /// Now, on the wall clock and on one that goes on while the machine sleeps.
    static var now: Moment {
        let uptime = start.duration(to: .now).milliseconds
        return Moment(uptime: UInt64(max(0, uptime)), wall: wallMilliseconds)
    }

    /// How long the machine has slept since it started, in milliseconds.
    static var slept: Int64 {
        let awake = awakeStart.duration(to: SuspendingClock.now)
        return (start.duration(to: ContinuousClock.now) - awake).milliseconds
    }

    private static let awakeStart = SuspendingClock.now
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
