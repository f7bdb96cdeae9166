internal import CPlatform

/// The isolation domain of all that an ``EventQueue`` runs: descriptor events, timers and jobs.
///
/// A program has one such queue, so one global actor represents it. Calls between isolated
/// declarations are plain calls, checked by the compiler. An `async` function continues on the
/// queue's thread, right after the callback that resumed it, without a hop to another thread.
///
/// Its executor is the queue whose thread is running. Tests have several queues, each with objects
/// of its own: objects of one queue must not be used on another.
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
    /// the global executor for each.
    @EventLoop
    package static func start(_ work: @escaping @EventLoop () async -> Void) {
        Task(executorPreference: executor) { await work() }
    }

    /// Runs synchronous code of the queue; ends the program on any other thread.
    package static func assumeIsolated<Value, Failure>(
        _ body: @EventLoop () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        executor.checkIsolated()
        // Casts the isolation away; it does not affect the calling convention (see MainActor).
        return try withoutActuallyEscaping(body) { body throws(Failure) in
            try unsafeBitCast(body, to: (() throws(Failure) -> Value).self)()
        }
    }

    /// Runs a job of the actor on the queue that it was handed to.
    static func run(_ job: UnownedJob) {
        job.runSynchronously(
            isolatedTo: executor.asUnownedSerialExecutor(),
            taskExecutor: executor.asUnownedTaskExecutor()
        )
    }
}

/// Hands jobs of the actor to the queue of the running thread.
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
