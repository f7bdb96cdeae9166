import Testing

@testable import PeerTransport

// Needs real time: an allowance grows with time.

@Suite("The frames that a link may bring")
struct FrameAllowanceTests {
    private let start = SuspendingClock.now

    @Test("are a burst at once, and not one more")
    func burst() {
        var allowance = FrameAllowance()
        let taken = (0..<TransportLimits.framesAtOnce).map { _ in allowance.spend(at: start) }
        #expect(taken.firstIndex(of: false) == TransportLimits.framesAtOnce - 1)
    }

    @Test("come back with time, never more than a burst")
    func time() {
        var allowance = FrameAllowance()
        while allowance.spend(at: start) {}
        let rest = start.advanced(by: TransportLimits.frameRest)
        var count = 1
        while allowance.spend(at: rest) { count += 1 }
        let expected = TransportLimits.frameRest / .seconds(1) * 1_000
        #expect(abs(Double(count) - expected) <= 1)
        let later = start.advanced(by: .seconds(3_600))
        count = 1
        while allowance.spend(at: later) { count += 1 }
        #expect(count == TransportLimits.framesAtOnce)
    }
}
