import Testing

@testable import PeerTransport

// Needs real time: the limiter refills with time.

@Suite("The rate limit for frames of a link")
struct FrameRateLimiterTests {
    private let start = SuspendingClock.now

    @Test("allows a burst at once, and not one more frame")
    func burst() {
        var limiter = FrameRateLimiter()
        let allowed = (0..<TransportLimits.frameBurst).map { _ in limiter.consume(at: start) }
        #expect(allowed.firstIndex(of: false) == TransportLimits.frameBurst - 1)
    }

    @Test("refills with time, up to a burst")
    func time() {
        var limiter = FrameRateLimiter()
        while limiter.consume(at: start) {}
        let rest = start.advanced(by: TransportLimits.framePause)
        var count = 1
        while limiter.consume(at: rest) { count += 1 }
        let expected = TransportLimits.framePause / .seconds(1) * 1_000
        #expect(abs(Double(count) - expected) <= 1)
        let later = start.advanced(by: .seconds(3_600))
        count = 1
        while limiter.consume(at: later) { count += 1 }
        #expect(count == TransportLimits.frameBurst)
    }
}
