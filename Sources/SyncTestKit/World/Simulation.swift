import SessionCRDT
import SyncEngine
import SyncProtocol

/// A whole network of laptops in one thread and in virtual time; one seed decides everything.
///
/// First things go wrong while people write. Then everything is healed, and what must hold then is
/// checked; see `SimulationOutcome`.
package final class Simulation {
    let scenario: Scenario
    var chance: SeededGenerator
    var now: UInt64 = 0
    var events = SimulatedEvents()
    var laptops: [Laptop] = []
    var connections: [Int: Connection] = [:]
    var weather = Weather()
    var checker = Checker()
    var workload: Workload
    var trace: Trace
    var areFaultsOn = true
    var areWritesOn = true

    private var lastRun = 0
    private var lastConnection = 0
    private var lastLink: UInt64 = 0

    /// The simulation of a scenario.
    package init(_ scenario: Scenario, tracing: Bool = false) {
        self.scenario = scenario
        chance = SeededGenerator(seed: scenario.seed &+ 1)
        trace = Trace(isOn: tracing)
        workload = Workload(sessions: scenario.sessions, using: &chance)
    }

    // MARK: Time

    func after(_ delay: UInt64, _ action: @escaping (Simulation) -> Void) {
        events.plan(at: now + delay, action)
    }

    /// Lets everything happen that is due until `time`, or until something is found wrong.
    func run(until time: UInt64) {
        while let next = events.next, next <= time, checker.violations.isEmpty {
            guard let event = events.pop() else { return }
            now = event.at
            event.action(self)
        }
        now = max(now, time)
    }

    /// Runs until the condition holds, looking every `step` milliseconds.
    ///
    /// - Returns: how long it took; nil when it took longer than `limit`.
    func run(
        atMost limit: UInt64,
        step: UInt64 = 250,
        until condition: (Simulation) -> Bool
    ) -> UInt64? {
        let start = now
        while now < start + limit, checker.violations.isEmpty {
            if condition(self) { return now - start }
            run(until: now + step)
        }
        return condition(self) ? now - start : nil
    }

    // MARK: Names

    func nextRun() -> Int {
        lastRun += 1
        return lastRun
    }

    func nextConnection() -> Int {
        lastConnection += 1
        return lastConnection
    }

    func nextLink() -> LinkID {
        lastLink += 1
        return LinkID(lastLink)
    }
}
