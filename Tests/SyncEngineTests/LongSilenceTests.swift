import SyncEngine
import SyncProtocol
import Testing

/// A member that could not be reached for more than a minute and a half, without broadcast.
@Suite("After a long silence")
struct LongSilenceTests {
    /// The duration of a dial that nobody answers.
    private static let patience: UInt64 = 3_000

    /// An engine whose only member was lost, and that has dialled in vain since.
    private struct Searcher {
        private(set) var engine: SyncEngine
        /// The times of dials since the last reset.
        var dials: [UInt64] = []
        private(set) var now: UInt64 = 30_000
        private var failsAt: UInt64?

        init() {
            engine = SyncEngine.ready(device(1))
            let peer = SyncEngine.ready(device(2)).hello(at: ms(10_000))
            _ = engine.link(1, with: peer, at: address(2), at: ms(10_000))
            record(engine.handle(.unlinked(LinkID(1)), at: ms(now)))
        }

        /// Lets time pass while no packet comes through.
        mutating func run(until end: UInt64) {
            while now < end {
                now += 50
                if failsAt == now {
                    failsAt = nil
                    let failed = Input.dialFailed(session, address(2), .unreachable)
                    record(engine.handle(failed, at: ms(now)))
                }
                record(engine.handle(.timePassed, at: ms(now)))
            }
        }

        /// Sleeps, as a closed laptop does: no time passes for the engine until it wakes.
        mutating func closeLid(for milliseconds: UInt64) {
            now += milliseconds
            failsAt = failsAt.map { _ in now + 50 }
        }

        /// Gives it an input, and records whether it dials.
        mutating func give(_ input: Input) { record(engine.handle(input, at: ms(now))) }

        /// Whether a dial is under way.
        var isDialling: Bool { failsAt != nil }

        private mutating func record(_ effects: [Effect]) {
            guard !effects.dials.isEmpty else { return }
            dials.append(now)
            failsAt = now + LongSilenceTests.patience
        }
    }

    @Test("of 95 s and more a member is dialled within 18 s after the path heals, and from then on")
    func redial() throws {
        var searcher = Searcher()
        searcher.run(until: 125_000)
        searcher.dials = []
        searcher.run(until: 1_000_000)
        // Whenever the path heals, the dial under way may be lost, and the next one is not.
        let pauses = zip(searcher.dials, searcher.dials.dropFirst()).map {
            $1 - $0 - LongSilenceTests.patience
        }
        let first = try #require(searcher.dials.first)
        #expect(first - 125_000 <= 18_000)
        #expect(pauses.count > 40)
        #expect(try #require(pauses.max()) <= 18_000)
    }

    @Test("of a month in which the laptop slept, the member is dialled again soon")
    func month() {
        var searcher = Searcher()
        searcher.run(until: 60_000)
        searcher.closeLid(for: 30 * 24 * 60 * 60 * 1_000)
        searcher.dials = []
        searcher.run(until: searcher.now + 18_000)
        #expect(!searcher.dials.isEmpty)
    }

    @Test("a change of the network causes a dial at once", arguments: [95_000, 120_000, 600_000])
    func change(silence: UInt64) {
        var searcher = Searcher()
        searcher.run(until: 30_000 + silence)
        // Between two dials, and not at the time of a redial, which would come anyway.
        repeat { searcher.run(until: searcher.now + 700) } while searcher.isDialling
        searcher.dials = []
        searcher.give(.networkChanged)
        #expect(searcher.dials == [searcher.now])
    }
}
