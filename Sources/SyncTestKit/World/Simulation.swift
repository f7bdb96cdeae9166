import SessionCRDT
import SyncEngine
import SyncProtocol

/// A whole network of laptops in one thread and in virtual time; a history decides everything.
///
/// First things go wrong while people write. Then everything is healed, a part of it first where
/// the history says so, and what must hold then is checked; see `SimulationOutcome`.
package final class Simulation {
    let history: History
    let cast: Cast
    var now: UInt64 = 0
    var agenda = SimulatedAgenda()
    var laptops: [Laptop] = []
    var connections: [Int: Connection] = [:]
    var weather = Weather()
    var checker = Checker()
    var trace: Trace
    /// Whether things still go wrong.
    var areFaultsOn = true

    private var counters = Counters()

    /// The numbers that were given out.
    private struct Counters {
        var run = 0
        var connection = 0
        var link: UInt64 = 0
        var request: UInt64 = 0
    }

    /// The simulation of a history; `store` makes a real store for each laptop.
    package init(
        _ history: History,
        tracing: Bool = false,
        store: ((Int) -> any BackingStore)? = nil
    ) {
        self.history = history
        var chance = SeededGenerator(seed: history.scenario.seed &+ 1)
        trace = Trace(isOn: tracing)
        cast = Cast(sessions: history.scenario.mostSessions, using: &chance)
        for index in 0..<history.scenario.places {
            addLaptop(index, SeededGenerator(seed: chance.next() &+ UInt64(index)))
            laptops[index].store = store?(index)
        }
    }

    /// The world.
    var scenario: Scenario { history.scenario }

    // MARK: Time

    func after(_ delay: UInt64, _ action: @escaping (Simulation) -> Void) {
        agenda.plan(at: now + delay, action)
    }

    /// Lets everything happen that is due until `time`, or until something is found wrong.
    func run(until time: UInt64) {
        while let next = agenda.next, next <= time, checker.violations.isEmpty {
            guard let plan = agenda.pop() else { return }
            now = plan.at
            plan.action(self)
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
        counters.run += 1
        return counters.run
    }

    func nextConnection() -> Int {
        counters.connection += 1
        return counters.connection
    }

    func nextLink() -> LinkID {
        counters.link += 1
        return LinkID(counters.link)
    }

    func nextRequest() -> RequestID {
        counters.request += 1
        return RequestID(counters.request)
    }
}

/// What will happen, by virtual time; what is due at the same time happens in the order in which it
/// was planned.
struct SimulatedAgenda {
    /// Something that will happen.
    struct Plan {
        let at: UInt64
        let order: UInt64
        let action: (Simulation) -> Void

        func isBefore(_ other: Plan) -> Bool { (at, order) < (other.at, other.order) }
    }

    private var heap: [Plan] = []
    private var planned: UInt64 = 0

    /// The time of the next plan.
    var next: UInt64? { heap.first?.at }

    mutating func plan(at time: UInt64, _ action: @escaping (Simulation) -> Void) {
        planned += 1
        heap.append(Plan(at: time, order: planned, action: action))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Plan? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while let child = leastChild(of: parent), heap[child].isBefore(heap[parent]) {
            heap.swapAt(child, parent)
            parent = child
        }
        return first
    }

    private func leastChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        let right = left + 1
        return right < heap.count && heap[right].isBefore(heap[left]) ? right : left
    }
}
