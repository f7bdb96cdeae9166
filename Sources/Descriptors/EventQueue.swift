internal import CPlatform

/// A single-threaded event loop: waits for descriptors (epoll, kqueue), timers and submitted jobs.
///
/// A turn handles the events that are ready, then the jobs submitted before the turn, then the
/// timers that are due, then the closing jobs. Jobs submitted during a turn run in the next one, so
/// a job that resubmits itself runs after everything that had arrived by then. Asynchronous work of
/// ``EventLoop`` continues right after the callback that started or resumed it, in the same turn.
///
/// Invariant for `@unchecked Sendable`: everything is used only on the queue's own thread, whose
/// mark is this object, except for what is documented as callable from any thread.
package final class EventQueue: @unchecked Sendable {
    package typealias Job = @EventLoop () -> Void

    private var poller = platform_poller()
    private var watched: [UInt64: DescriptorEvents] = [:]
    private var lastToken: UInt64 = 0
    private var jobs: [Job] = []
    private var closingJobs: [Job] = []
    /// Asynchronous work that is ready to continue.
    private var resumed: [UnownedJob] = []
    private var timers: [QueueTimer] = []
    private var isStopped = false
    /// Protects `submitted`.
    private let lock: UnsafeMutableRawPointer
    private var submitted: [Job] = []

    /// Creates a queue that does nothing until `run` is called.
    package init() throws(SystemError) {
        let name = "create an event queue"
        guard let lock = platform_lock_make() else { throw SystemError(name, code: ENOMEM) }
        self.lock = lock
        do throws(SystemError) { try SystemError.check(platform_poller_open(&poller), name) } catch
        {
            platform_lock_free(lock)
            throw error
        }
    }

    deinit {
        platform_poller_close(&poller)
        platform_lock_free(lock)
    }

    // MARK: The thread

    package func run() {
        enter {
            while !isStopped { runTurn() }
            for events in Array(watched.values) { events.cancel() }
        }
    }

    /// Calls `body` as if on the queue's thread; only allowed before `run`.
    package func enter<Value, Failure>(
        _ body: @EventLoop () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = platform_thread_mark()
        platform_set_thread_mark(Unmanaged.passUnretained(self).toOpaque())
        defer { platform_set_thread_mark(before) }
        return try EventLoop.assumeIsolated(body)
    }

    /// Stops the queue after the jobs submitted so far; callable from any thread.
    package func stop() { async { [self] in isStopped = true } }

    /// Whether the calling thread is the queue's; callable from any thread.
    package var isCurrent: Bool {
        platform_thread_mark() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The queue whose thread is running; nil on any other thread.
    static var current: EventQueue? {
        platform_thread_mark().map { Unmanaged<EventQueue>.fromOpaque($0).takeUnretainedValue() }
    }

    package func requireCurrent() {
        precondition(isCurrent, "called from a thread other than the queue's")
    }

    @EventLoop
    private func runTurn() {
        let capacity = 64
        let isIdle = jobs.isEmpty && closingJobs.isEmpty && resumed.isEmpty
        withUnsafeTemporaryAllocation(of: platform_event.self, capacity: capacity) { events in
            let count = platform_poller_wait(
                &poller,
                events.baseAddress,
                Int32(capacity),
                isIdle ? timeout : 0
            )
            for event in events.prefix(Int(max(0, count))) {
                // An earlier event of this turn may have cancelled this one.
                watched[event.token]?.handle(event)
                runResumed()
            }
        }
        runJobs()
        if !timers.isEmpty { fireDueTimers() }
        runClosingJobs()
    }

    // MARK: Jobs

    /// Resumes asynchronous work after the current callback; must be called on the queue.
    func enqueue(_ job: UnownedJob) { resumed.append(job) }

    private func runResumed() {
        while !resumed.isEmpty {
            let current = resumed
            resumed = []
            for job in current { EventLoop.run(job) }
        }
    }

    /// Runs a job in a later turn; callable from any thread.
    ///
    /// Jobs that one thread submits run in the order of submission.
    package func async(_ job: @escaping Job) {
        if isCurrent { return jobs.append(job) }
        platform_lock_acquire(lock)
        submitted.append(job)
        let isFirst = submitted.count == 1
        platform_lock_release(lock)
        // If jobs were waiting already, the queue has been woken for them.
        if isFirst { platform_poller_wake(&poller) }
    }

    @EventLoop
    private func runJobs() {
        platform_lock_acquire(lock)
        let others = submitted
        submitted = []
        platform_lock_release(lock)
        let current = jobs + others
        jobs = []
        runResumed()
        for job in current {
            job()
            runResumed()
        }
    }

    /// The number of times that closing jobs may submit others for the same turn.
    private static let closingRounds = 8

    /// Runs a job at the end of this turn, once for everything that the turn handles; only callable
    /// on the queue.
    ///
    /// Jobs run in the order of submission. Those that a closing job submits run in the same turn,
    /// too, unless they submit one another without end: then the next turn handles events first.
    @EventLoop
    package func atEndOfTurn(_ job: @escaping Job) { closingJobs.append(job) }

    @EventLoop
    private func runClosingJobs() {
        for _ in 0..<EventQueue.closingRounds where !closingJobs.isEmpty {
            let current = closingJobs
            closingJobs = []
            for job in current {
                job()
                runResumed()
            }
        }
    }

    /// Runs a job immediately on the queue's thread; submits it on any other thread.
    func runNowOrLater(_ job: @escaping Job) {
        if isCurrent { EventLoop.assumeIsolated(job) } else { async(job) }
    }

    /// Suspends asynchronous work of this queue until the next turn, after everything that has
    /// arrived by now is handled.
    @EventLoop
    package func nextTurn() async {
        await withCheckedContinuation { continuation in async { continuation.resume() } }
    }

    // MARK: Timers

    /// Runs a job after a delay, unless the timer is cancelled first; callable from any thread.
    ///
    /// Time during which the machine sleeps does not count.
    @discardableResult
    package func async(after delay: Duration, _ job: @escaping Job) -> QueueTimer {
        let timer = QueueTimer(at: QueueTimer.deadline(after: delay), job)
        runNowOrLater { [self] in insert(timer) }
        return timer
    }

    /// Suspends asynchronous work of this queue for a while.
    @EventLoop
    package func pause(for delay: Duration) async {
        await withCheckedContinuation { continuation in
            _ = async(after: delay) { continuation.resume() }
        }
    }

    private func insert(_ timer: QueueTimer) {
        let index = timers.lastIndex { $0.deadline > timer.deadline }.map { $0 + 1 } ?? 0
        timers.insert(timer, at: index)
    }

    /// The milliseconds until the next timer; negative if there is none.
    @EventLoop
    private var timeout: Int32 {
        while timers.last?.isDone == true { timers.removeLast() }
        guard let next = timers.last else { return -1 }
        let left = next.deadline - platform_steady_milliseconds()
        return Int32(clamping: max(0, left))
    }

    @EventLoop
    private func fireDueTimers() {
        let now = platform_steady_milliseconds()
        while let next = timers.last, next.deadline <= now {
            timers.removeLast()
            next.fire()
            runResumed()
        }
    }

    // MARK: Descriptors

    /// Changes the events for which a descriptor is watched, and returns its token.
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
        let descriptor = events.descriptor
        let result = platform_poller_watch(&poller, descriptor, token, isNew, reading, writing)
        // The kernel is out of memory, or other code has closed the descriptor.
        precondition(result == 0, "cannot watch descriptor \(descriptor): error \(-result)")
        watched[token] = reading || writing ? events : nil
        return token
    }
}

/// A job of an ``EventQueue`` that runs at its time unless it is cancelled before.
@EventLoop
package final class QueueTimer {
    /// The deadline in milliseconds on a clock that stops while the machine sleeps.
    nonisolated let deadline: Int64
    private var job: EventQueue.Job?

    nonisolated init(at deadline: Int64, _ job: @escaping EventQueue.Job) {
        (self.deadline, self.job) = (deadline, job)
    }

    package func cancel() { job = nil }

    /// Whether the timer has fired or was cancelled.
    var isDone: Bool { job == nil }

    func fire() {
        let job = job
        self.job = nil
        job?()
    }

    /// Returns the deadline that is `delay` from now, at most a year; it is never early, and at
    /// most two milliseconds late.
    nonisolated static func deadline(after delay: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(delay, .zero), .seconds(31_536_000)).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return platform_steady_milliseconds() + milliseconds + 1
    }
}
