import SessionCRDT

/// What all sessions together ask of the engine, kept as each changes, so that no input costs a
/// look at sessions that it does not concern.
struct Agenda: Sendable {
    /// When each session has an address to dial.
    private(set) var dials = Deadlines()
    /// When each session has a link or the disk to look after.
    private(set) var checks = Deadlines()
    /// How many sessions are announced.
    private(set) var readable = 0
    /// How many can be joined with a code.
    private(set) var inviting = 0
    /// How many miss a member.
    private(set) var missing = 0

    private var demands: [SessionID: Demand] = [:]

    /// Notes what a session asks for from now on; nil when it is held no longer.
    mutating func note(_ demand: Demand?, of session: SessionID) {
        let before = demands[session]
        guard demand != before else { return }
        demands[session] = demand
        dials.set(demand?.dialAt, for: session)
        checks.set(demand?.checkAt, for: session)
        readable += Agenda.step(from: before, to: demand, \.isReadable)
        inviting += Agenda.step(from: before, to: demand, \.isInviting)
        missing += Agenda.step(from: before, to: demand, \.isMissingSomebody)
    }

    private static func step(
        from before: Demand?,
        to after: Demand?,
        _ counts: (Demand) -> Bool
    ) -> Int {
        (after.map(counts) == true ? 1 : 0) - (before.map(counts) == true ? 1 : 0)
    }
}

/// What one session asks of the engine as a whole: when it is due, and how it counts.
struct Demand: Hashable, Sendable {
    /// When an address is to be dialled.
    let dialAt: UInt64?
    /// When a link's silence or the disk is to be looked after.
    let checkAt: UInt64?
    /// Whether the disk is trusted, so that the session is announced.
    let isReadable: Bool
    /// Whether somebody can join with a code.
    let isInviting: Bool
    /// Whether a member who was here is not linked.
    let isMissingSomebody: Bool
}

/// The sessions by the time at which each is due: a binary heap that knows where each stands, so
/// that a change of one costs the logarithm of how many there are.
struct Deadlines: Sendable {
    private struct Deadline {
        let time: UInt64
        let session: SessionID
    }

    private var heap: [Deadline] = []
    private var places: [SessionID: Int] = [:]

    /// The earliest of all.
    var earliest: UInt64? { heap.first?.time }

    /// The sessions that are due by then, in the order of their ids, as effects need it.
    func due(by time: UInt64) -> [SessionID] {
        var due: [SessionID] = []
        var next = [0]
        while let place = next.popLast() {
            guard place < heap.count, heap[place].time <= time else { continue }
            due.append(heap[place].session)
            next += [2 * place + 1, 2 * place + 2]
        }
        return due.sorted()
    }

    /// Notes when a session is due; nil when it is not.
    mutating func set(_ time: UInt64?, for session: SessionID) {
        switch (places[session], time) {
        case (nil, nil): break
        case (let place?, let time?) where heap[place].time == time: break
        case (let place?, let time?): put(Deadline(time: time, session: session), at: place)
        case (nil, let time?):
            let deadline = Deadline(time: time, session: session)
            heap.append(deadline)
            put(deadline, at: heap.count - 1)
        case (let place?, nil):
            places[session] = nil
            let last = heap.removeLast()
            if place < heap.count { put(last, at: place) }
        }
    }

    /// Puts a deadline where another stood, and from there up or down to where it belongs.
    private mutating func put(_ deadline: Deadline, at place: Int) {
        var place = place
        while place > 0, deadline.time < heap[(place - 1) / 2].time {
            move((place - 1) / 2, to: place)
            place = (place - 1) / 2
        }
        while let child = earlierChild(of: place), heap[child].time < deadline.time {
            move(child, to: place)
            place = child
        }
        heap[place] = deadline
        places[deadline.session] = place
    }

    private func earlierChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard left < heap.count else { return nil }
        return right < heap.count && heap[right].time < heap[left].time ? right : left
    }

    private mutating func move(_ from: Int, to place: Int) {
        heap[place] = heap[from]
        places[heap[place].session] = place
    }
}
