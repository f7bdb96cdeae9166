import Testing

@testable import SyncTestKit

/// Laptops that join a session one after the other.
@Suite("Joining one after the other")
struct JoiningTests {
    @Test("Each of sixteen hosts is known to all others by name half a second after it joined")
    func names() throws {
        var scenario = Scenario(seed: 8, laptops: 1)
        scenario.spares = 15
        scenario.faultDuration = 60_000
        let simulation = Simulation(History(scenario, []))
        simulation.begin()
        simulation.areFaultsOn = false
        simulation.run(until: 5_000)
        simulation.apply(.write(laptop: 0, session: 0, what: .creation))
        simulation.run(until: 6_000)
        var slowest: UInt64 = 0
        for laptop in 1..<16 {
            simulation.apply(.join(laptop: laptop, session: 0, through: 0))
            let name = Writing.name(player: laptop, value: Int64(laptop))
            simulation.apply(.write(laptop: laptop, session: 0, what: name))
            let took = simulation.run(atMost: 5_000, step: 10) { simulation in
                simulation.members(simulation.cast.sessions[0]).count == laptop + 1
                    && simulation.isEqual
            }
            slowest = max(slowest, try #require(took))
        }
        #expect(slowest <= 500, "\(slowest) ms")
        #expect(simulation.checker.violations.isEmpty, "\(simulation.checker.violations)")
    }
}
