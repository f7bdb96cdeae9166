internal import CPlatform

/// A thread for work that would block the event queue.
///
/// It runs jobs one at a time, in the order of submission. It is started for the first job, and
/// ends with this object.
///
/// If the system refuses another thread, the job runs on the caller's thread: then others wait for
/// the job, where Dispatch would let them wait until there is a thread.
package final class WorkerThread: Sendable {
    package typealias Job = @Sendable () -> Void

    /// The jobs that are waiting, shared with the thread.
    ///
    /// Invariant for `@unchecked Sendable`: the properties are used only while the lock is held.
    private final class Jobs: @unchecked Sendable {
        let lock: UnsafeMutableRawPointer
        var waiting: [Job] = []
        var isStarted = false
        var isEnding = false

        init() {
            // An event queue, which all callers have, needs a lock as well.
            guard let lock = platform_lock_make() else { fatalError("out of memory") }
            self.lock = lock
        }

        deinit { platform_lock_free(lock) }

        /// Runs the jobs on the thread, until there are none and no more will come.
        func run() {
            while true {
                platform_lock_acquire(lock)
                while waiting.isEmpty, !isEnding { platform_lock_wait(lock) }
                let job = waiting.isEmpty ? nil : waiting.removeFirst()
                platform_lock_release(lock)
                guard let job else { return }
                job()
            }
        }

        /// Starts the thread, which retains this object; returns false if the system refuses it.
        func start() -> Bool {
            let retained = Unmanaged.passRetained(self)
            let result = platform_thread_start(
                { pointer in
                    if let pointer { Unmanaged<Jobs>.fromOpaque(pointer).takeRetainedValue().run() }
                    return nil
                },
                retained.toOpaque()
            )
            guard result != 0 else { return true }
            retained.release()
            return false
        }
    }

    private let jobs = Jobs()

    package init() {}

    deinit {
        platform_lock_acquire(jobs.lock)
        jobs.isEnding = true
        platform_lock_notify(jobs.lock)
        platform_lock_release(jobs.lock)
    }

    /// Runs a job after those submitted before; callable from any thread.
    package func async(_ job: @escaping Job) {
        platform_lock_acquire(jobs.lock)
        if !jobs.isStarted { jobs.isStarted = jobs.start() }
        guard jobs.isStarted else {
            platform_lock_release(jobs.lock)
            return job()
        }
        jobs.waiting.append(job)
        platform_lock_notify(jobs.lock)
        platform_lock_release(jobs.lock)
    }
}
