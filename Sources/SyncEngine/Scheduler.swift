import SessionCRDT

/// The next deadlines of one session, and the facts that the engine counts over all sessions.
struct Schedule: Hashable, Sendable {
    let dialAt: UInt64?
    /// The time at which silent links or the disk must be checked.
    let checkAt: UInt64?
    /// Whether the state on disk is known, so that the session is announced.
    let isReadable: Bool
    let isInviting: Bool
    let isMissingPeer: Bool
}

/// The schedules of all sessions, updated incrementally, so that the cost of an input does not
/// depend on the number of other sessions.
struct Scheduler: Sendable {
    private(set) var dials = Deadlines()
    private(set) var checks = Deadlines()
    private(set) var readableCount = 0
    private(set) var invitingCount = 0
    /// The number of sessions with a known member that is not linked.
    private(set) var incompleteCount = 0

    private var schedules: [SessionID: Schedule] = [:]

    /// Replaces the schedule of a session; nil removes it.
    mutating func update(_ schedule: Schedule?, for session: SessionID) {
        let before = schedules[session]
        guard schedule != before else { return }
        schedules[session] = schedule
        dials.set(schedule?.dialAt, for: session)
        checks.set(schedule?.checkAt, for: session)
        func countChange(of isCounted: (Schedule) -> Bool) -> Int {
            (schedule.map(isCounted) == true ? 1 : 0) - (before.map(isCounted) == true ? 1 : 0)
        }
        readableCount += countChange(of: \.isReadable)
        invitingCount += countChange(of: \.isInviting)
        incompleteCount += countChange(of: \.isMissingPeer)
    }
}

/// The deadlines of sessions in a binary heap, with an index by session, so that changing one takes
/// logarithmic time.
struct Deadlines: Sendable {
    private typealias Deadline = (time: UInt64, session: SessionID)

    private var heap: [Deadline] = []
    private var indices: [SessionID: Int] = [:]

    var earliest: UInt64? { heap.first?.time }

    /// Returns the sessions that are due by `time`, sorted by id to make the effects deterministic.
    func due(by time: UInt64) -> [SessionID] {
        var due: [SessionID] = []
        var next = [0]
        while let index = next.popLast() {
            guard index < heap.count, heap[index].time <= time else { continue }
            due.append(heap[index].session)
            next += [2 * index + 1, 2 * index + 2]
        }
        return due.sorted()
    }

    mutating func set(_ time: UInt64?, for session: SessionID) {
        switch (indices[session], time) {
        case (nil, nil): break
        case (let index?, let time?) where heap[index].time == time: break
        case (let index?, let time?): sift((time, session), from: index)
        case (nil, let time?):
            heap.append((time, session))
            sift((time, session), from: heap.count - 1)
        case (let index?, nil):
            indices[session] = nil
            let last = heap.removeLast()
            if index < heap.count { sift(last, from: index) }
        }
    }

    /// Stores a deadline at `index` and moves it up or down the heap.
    private mutating func sift(_ deadline: Deadline, from index: Int) {
        var index = index
        while index > 0, deadline.time < heap[(index - 1) / 2].time {
            move((index - 1) / 2, to: index)
            index = (index - 1) / 2
        }
        while let child = earlierChild(of: index), heap[child].time < deadline.time {
            move(child, to: index)
            index = child
        }
        heap[index] = deadline
        indices[deadline.session] = index
    }

    private func earlierChild(of index: Int) -> Int? {
        let (left, right) = (2 * index + 1, 2 * index + 2)
        guard left < heap.count else { return nil }
        return right < heap.count && heap[right].time < heap[left].time ? right : left
    }

    private mutating func move(_ source: Int, to index: Int) {
        heap[index] = heap[source]
        indices[heap[index].session] = index
    }
}
