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
