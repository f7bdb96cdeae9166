/// A network of laptops in one thread and in virtual time, driven by a history.
///
/// Deterministic simulation: real engines run over simulated disks, clocks and connections, so that
/// a seed always gives the same run, and a failure can be repeated and shrunk. At first faults
/// occur while users write. Then everything heals, part of it earlier if the scenario has broken
/// laptops, and all laws must hold.
package final class Simulation {
    let history: History
    let cast: Cast
    var now: UInt64 = 0
    private var timeline = Timeline()
    var laptops: [Laptop] = []
    var connections: [UInt64: Connection] = [:]
    var network = NetworkConditions()
    var checker = Checker()
    var trace: Trace
    var areFaultsOn = true

    struct Numbers {
        var (run, connection, link, request) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    }

    private var numbers = Numbers()

    /// Creates the simulation of a history; `store` creates a real store for each laptop.
    package init(
        _ history: History,
        tracing: Bool = false,
        store: ((Int) -> any BackingStore)? = nil
    ) {
        self.history = history
        var random = SeededGenerator(seed: history.scenario.seed &+ 1)
        trace = Trace(isOn: tracing)
        cast = Cast(sessions: history.scenario.maxSessions, using: &random)
        for index in 0..<history.scenario.maxLaptops {
            addLaptop(index, SeededGenerator(seed: random.next() &+ UInt64(index)))
            laptops[index].store = store?(index)
        }
    }

    var scenario: Scenario { history.scenario }

    func after(_ delay: UInt64, _ action: @escaping (Simulation) -> Void) {
        timeline.schedule(at: now + delay, action)
    }

    func schedule(at time: UInt64, _ action: @escaping (Simulation) -> Void) {
        timeline.schedule(at: time, action)
    }

    /// Performs everything that is due until `time`, or until a check fails.
    func run(until time: UInt64) {
        while let next = timeline.next, next <= time, checker.violations.isEmpty {
            guard let action = timeline.removeFirst() else { return }
            now = action.at
            action.perform(self)
        }
        now = max(now, time)
    }

    /// Runs until the condition holds, checking it every `step` milliseconds.
    ///
    /// - Returns: the elapsed time; nil if the limit was reached first.
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

    /// Returns the next number of one kind, counted from 1.
    func next(_ kind: WritableKeyPath<Numbers, UInt64>) -> UInt64 {
        numbers[keyPath: kind] += 1
        return numbers[keyPath: kind]
    }
}

/// The scheduled actions in the order of virtual time, as a binary heap; actions of the same time
/// keep the order in which they were scheduled.
private struct Timeline {
    struct Action {
        let at: UInt64
        let order: UInt64
        let perform: (Simulation) -> Void

        func isBefore(_ other: Action) -> Bool { (at, order) < (other.at, other.order) }
    }

    private var heap: [Action] = []
    private var count: UInt64 = 0

    var next: UInt64? { heap.first?.at }

    mutating func schedule(at time: UInt64, _ action: @escaping (Simulation) -> Void) {
        count += 1
        heap.append(Action(at: time, order: count, perform: action))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() -> Action? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while let child = earlierChild(of: parent), heap[child].isBefore(heap[parent]) {
            heap.swapAt(child, parent)
            parent = child
        }
        return first
    }

    private func earlierChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        let right = left + 1
        return right < heap.count && heap[right].isBefore(heap[left]) ? right : left
    }
}
