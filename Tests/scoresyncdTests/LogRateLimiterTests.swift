import Descriptors
import QueueKit
import SyncEngine
import SyncProtocol
import Testing

@testable import scoresyncd

@Suite("The log's rate limiter")
struct LogRateLimiterTests {
    @Test("allows a burst up to its limit, and then a line a second")
    func burst() {
        var limiter = LogRateLimiter()
        let most = Int(LogRateLimiter.burst(.warning))
        let burst = (0..<most).map { _ in limiter.allows(.warning, from: .others, at: 5_000) }
        #expect(!burst.contains(false))
        let later = [5_000, 5_999, 6_000, 6_000].map { time in
            limiter.allows(.warning, from: .others, at: time)
        }
        #expect(later == [false, false, true, false])
        let leftOut = (limiter.resetLeftOut(), limiter.resetLeftOut())
        #expect(leftOut == (3, 0))
    }

    @Test("reserves lines for this device and for each level, regardless of others")
    func apart() {
        var limiter = LogRateLimiter()
        while limiter.allows(.warning, from: .others, at: 0) {}
        let taken = [
            limiter.allows(.warning, from: .here, at: 0),
            limiter.allows(.info, from: .others, at: 0),
            limiter.allows(.error, from: .here, at: 0),
        ]
        #expect(taken == [true, true, true])
    }

    @Test("never exceeds a burst, and gains nothing from a clock that stops or goes back")
    func clock() {
        var limiter = LogRateLimiter()
        while limiter.allows(.info, from: .others, at: 9_000) {}
        let isTaken = limiter.allows(.info, from: .others, at: 1_000)
        #expect(!isTaken)
        let later: UInt64 = 9_000 + 86_400_000
        var taken = 0
        while limiter.allows(.info, from: .others, at: later) { taken += 1 }
        #expect(taken == Int(LogRateLimiter.burst(.info)))
    }

    @Test("A line is a single line, shows control characters as text, and is limited in length")
    func line() {
        #expect(Log.shown("a\nb\u{9B}2J\u{202E}c") == "a␊b\u{FFFD}2J\u{FFFD}c")
        #expect(Log.shown(String(repeating: "x", count: 9_000)).utf8.count == Log.lineBytes)
    }

    @Test("Alarms of others never replace an alarm of this device")
    func alarms() {
        let shown = onEventLoop {
            let alarms = Alarms(Log(level: .error))
            alarms.raise(.storage, "disk", "the disk refused")
            for number in 0..<2 * Alarms.maxCount {
                alarms.raise(.version, "\(number)", "speaks another version", .warning)
            }
            return alarms.all
        }
        #expect(shown.count == Alarms.maxCount)
        #expect(shown.first?.kind == "storage")
    }
}
