import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

@Suite("Sources of announced invites")
struct InviteSourcesTests {
    private let real = Endpoint(address: 0xC0A8_0107, port: Ports.standard)

    private func stranger(_ number: Int) -> Endpoint {
        Endpoint(address: 0x0A00_0000 + UInt32(number), port: Ports.standard)
    }

    /// The time until the real inviter, which announces once a second, is asked among 200 false
    /// announcements a second by this many addresses, at each of which nobody answers.
    private func timeUntilAsked(among addresses: Int, seed: UInt64) -> UInt64? {
        var generator = SeededGenerator(seed: seed)
        var inviters = InviteSources()
        // They were busy long before anybody wanted to join.
        for number in 0..<2_000 { inviters.record(stranger(number % addresses), at: 1) }
        var asked: [(endpoint: Endpoint, until: UInt64)] = []
        let phase = UInt64.random(in: 0..<1_000, using: &generator)
        for now in UInt64(1_000)..<9_000 {
            if now % 1_000 == phase { inviters.record(real, at: now) }
            if now % 5 == 0 {
                let number = Int.random(in: 0..<addresses, using: &generator)
                inviters.record(stranger(number), at: now)
            }
            for over in asked where over.until <= now { inviters.allowRetry(over.endpoint) }
            asked.removeAll { $0.until <= now }
            while asked.count < JoinAttempt.maxDials, let next = inviters.next(at: now) {
                if next == real { return now - 1_000 }
                asked.append((next, now + 300))
            }
        }
        return nil
    }

    @Test(
        "The real one is asked soon among 200 false announcements a second from any addresses",
        arguments: [1, 20, 100, 200, 1_000, 100_000]
    )
    func flood(addresses: Int) throws {
        for seed in UInt64(1)...5 {
            let time = timeUntilAsked(among: addresses, seed: seed)
            let asked = try #require(time, "never, seed \(seed)")
            #expect(asked < 6_000, "seed \(seed)")
        }
    }

    @Test("are limited in number; one more replaces the one not heard for longest")
    func bounded() {
        var inviters = InviteSources()
        for number in 0..<InviteSources.maxCount {
            inviters.record(stranger(number), at: UInt64(number))
        }
        #expect(inviters.count == InviteSources.maxCount)
        inviters.record(real, at: 10_000)
        #expect(inviters.count == InviteSources.maxCount / 2 + 1)
        let first = inviters.next(at: 10_000)
        #expect(first == real)
    }

    @Test("are asked one after the other, again only after a while, and forgotten after a silence")
    func again() {
        var inviters = InviteSources(named: [real])
        let asked = [inviters.next(at: 0), inviters.next(at: 0)]
        #expect(asked == [real, nil])
        inviters.allowRetry(real)
        let later = [inviters.next(at: 499), inviters.next(at: 500)]
        #expect(later == [nil, real])
        inviters.removeExpired(at: InviteSources.lifetime)
        #expect(inviters.count == 0)
    }
}
