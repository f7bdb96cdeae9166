internal import CPlatform

/// One thread that waits for descriptors, for times and for what others hand in, and does one thing
/// after the other.
///
/// A turn takes the events that are there, then everything that was handed in before, then what is
/// due by now. What is handed in meanwhile belongs to the next turn: whoever puts something off
/// finds that everything which had arrived by then was taken.
///
/// Invariant for `@unchecked Sendable`: whatever does not say that any thread may call it is for
/// the queue's own thread, which is marked with it.
package final class EventQueue: @unchecked Sendable {
    /// Something to do.
    package typealias Job = @Sendable () -> Void

    private var poller = platform_poller()
    private var watched: [UInt64: DescriptorEvents] = [:]
    private var lastToken: UInt64 = 0
    private var jobs: [Job] = []
    /// The last is due first.
    private var timers: [QueueTimer] = []
    private var isStopped = false
    /// Held whenever `handedIn` is touched, which any thread does.
    private let lock: UnsafeMutableRawPointer
    private var handedIn: [Job] = []

    /// A queue that does nothing until somebody runs it; throws the system's error number.
    package init() throws(SystemCallFailure) {
        guard let lock = platform_lock_make() else { throw SystemCallFailure(code: ENOMEM) }
        self.lock = lock
        let result = platform_poller_open(&poller)
        guard result >= 0 else {
            platform_lock_free(lock)
            throw SystemCallFailure(code: -result)
        }
    }

    deinit {
        platform_poller_close(&poller)
        platform_lock_free(lock)
    }

    // MARK: The thread

    /// Does everything on this thread, until the queue is stopped.
    package func run() {
        enter {
            while !isStopped { takeTurn() }
            for events in Array(watched.values) { events.cancel() }
        }
    }

    /// Does something as the queue's thread: before it runs, and nowhere else.
    package func enter<Value, Failure>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = platform_thread_mark()
        platform_set_thread_mark(Unmanaged.passUnretained(self).toOpaque())
        defer { platform_set_thread_mark(before) }
        return try body()
    }

    /// Ends the run after what was handed in before; any thread may say so.
    package func stop() {
        async { [self] in isStopped = true }
    }

    /// Whether the calling thread is the queue's; any thread may ask.
    package var isCurrent: Bool {
        platform_thread_mark() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the program when the calling thread is another: what follows belongs to this one.
    package func requireCurrent() {
        precondition(isCurrent, "called from another thread than the queue's")
    }

    private func takeTurn() {
        let room = 64
        withUnsafeTemporaryAllocation(of: platform_event.self, capacity: room) { events in
            let count = platform_poller_wait(
                &poller,
                events.baseAddress,
                Int32(room),
                jobs.isEmpty ? pause : 0
            )
            for event in events.prefix(Int(max(0, count))) {
                // One that came before may have ended this one.
                watched[event.token]?.happened(event)
            }
        }
        doJobs()
        if !timers.isEmpty { doDueTimers() }
    }

    // MARK: What is handed in

    /// Does something in a later turn, in the order of one thread's calls; any thread may hand in.
    package func async(_ job: @escaping Job) {
        if isCurrent { return jobs.append(job) }
        platform_lock_take(lock)
        handedIn.append(job)
        let isFirst = handedIn.count == 1
        platform_lock_leave(lock)
        // Before the others the queue has been woken, and has not looked yet.
        if isFirst { platform_poller_wake(&poller) }
    }

    private func doJobs() {
        platform_lock_take(lock)
        let others = handedIn
        handedIn = []
        platform_lock_leave(lock)
        let now = jobs + others
        jobs = []
        for job in now { job() }
    }

    // MARK: Times

    /// Does something after so long, unless the timer is cancelled before; any thread may ask.
    ///
    /// Only the time counts during which the machine is awake.
    @discardableResult
    package func async(after pause: Duration, _ job: @escaping Job) -> QueueTimer {
        let timer = QueueTimer(at: QueueTimer.moment(after: pause), job)
        if isCurrent { insert(timer) } else { async { [self] in insert(timer) } }
        return timer
    }

    private func insert(_ timer: QueueTimer) {
        let place = timers.lastIndex { $0.moment > timer.moment }.map { $0 + 1 } ?? 0
        timers.insert(timer, at: place)
    }

    /// For how many milliseconds nothing is due; negative for ever.
    private var pause: Int32 {
        while timers.last?.isOver == true { timers.removeLast() }
        guard let next = timers.last else { return -1 }
        let left = next.moment - platform_steady_milliseconds()
        return Int32(clamping: max(0, left))
    }

    private func doDueTimers() {
        let now = platform_steady_milliseconds()
        while let next = timers.last, next.moment <= now {
            timers.removeLast()
            next.fire()
        }
    }

    // MARK: Descriptors

    /// Watches a descriptor for what its events want from now on; the token that it is watched
    /// under.
    func watch(
        _ events: DescriptorEvents,
        as token: UInt64?,
        reading: Bool,
        writing: Bool
    ) -> UInt64 {
        let isNew = token.map { watched[$0] == nil } ?? true
        if token == nil { lastToken += 1 }
        let token = token ?? lastToken
        guard reading || writing || !isNew else { return token }
        let result = platform_poller_watch(
            &poller,
            events.descriptor,
            token,
            isNew,
            reading,
            writing
        )
        // The kernel's memory for this has run out, or the descriptor was closed under our hands.
        precondition(result == 0, "cannot watch descriptor \(events.descriptor): error \(-result)")
        watched[token] = reading || writing ? events : nil
        return token
    }
}

/// Something that an ``EventQueue`` does at its time, unless it is cancelled before.
///
/// Invariant for `@unchecked Sendable`: touched on the queue's thread only, once it is there.
package final class QueueTimer: @unchecked Sendable {
    /// When it is due, in milliseconds of a clock that stands still while the machine sleeps.
    let moment: Int64
    private var job: EventQueue.Job?

    init(at moment: Int64, _ job: @escaping EventQueue.Job) {
        self.moment = moment
        self.job = job
    }

    /// Lets it not happen; on the queue.
    package func cancel() { job = nil }

    /// Whether nothing is to be done any more.
    var isOver: Bool { job == nil }

    func fire() {
        let job = job
        self.job = nil
        job?()
    }

    /// The moment after a pause from now, of a year at most: not before, and at most two
    /// milliseconds late.
    static func moment(after pause: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(pause, .zero), .seconds(31_536_000)).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return platform_steady_milliseconds() + milliseconds + 1
    }
}

/// What the system answered to a call that failed.
package struct SystemCallFailure: Error, Hashable, Sendable {
    /// The number of the error.
    package let code: Int32
}
