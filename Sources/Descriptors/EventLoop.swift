/// The global actor of all code that an ``EventQueue`` runs: descriptor events, timers and jobs.
///
/// A program has one such queue, so one global actor is enough. Calls between isolated declarations
/// are plain calls, which the compiler checks. An `async` function continues on the queue's thread,
/// right after the callback that resumed it, without a hop to another thread.
///
/// The executor uses the queue of the running thread. Tests have several queues; an object of one
/// queue must not be used on the thread of another.
@globalActor
package actor EventLoop {
    package static let shared = EventLoop()

    private static let executor = EventLoopExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        EventLoop.executor.asUnownedSerialExecutor()
    }

    /// Starts asynchronous work right after the current callback; must be called on the queue.
    ///
    /// Its continuations must be resumed on the queue. The executor preference avoids a hop through
    /// the global executor on each resumption.
    @EventLoop
    package static func start(_ work: @escaping @EventLoop () async -> Void) {
        Task(executorPreference: executor) { await work() }
    }

    /// Calls `body` as code of the queue; traps on any thread that is not a queue's.
    package static func assumeIsolated<Value, Failure>(
        _ body: @EventLoop () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        executor.checkIsolated()
        // Casts the isolation away, which does not change the calling convention (as in MainActor).
        return try withoutActuallyEscaping(body) { body throws(Failure) in
            try unsafeBitCast(body, to: (() throws(Failure) -> Value).self)()
        }
    }

    /// Runs a job of the actor, on the thread of the queue to which it was submitted.
    static func run(_ job: UnownedJob) {
        job.runSynchronously(
            isolatedTo: executor.asUnownedSerialExecutor(),
            taskExecutor: executor.asUnownedTaskExecutor()
        )
    }
}

/// Submits jobs of the actor to the queue of the running thread.
private final class EventLoopExecutor: SerialExecutor, TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        guard let queue = EventQueue.current else {
            preconditionFailure("resumed from another thread than the queue's")
        }
        queue.enqueue(UnownedJob(job))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        precondition(EventQueue.current != nil, "called from another thread than the queue's")
    }

    func isIsolatingCurrentContext() -> Bool? { EventQueue.current != nil }
}
