internal import CPlatform

/// The isolation domain of all that an ``EventQueue`` runs: descriptor events, timers and jobs.
///
/// A program has one such queue, so that one global actor can stand for it. Calls between isolated
/// declarations are plain calls, as the compiler proves what would else be a promise in a comment;
/// an `async` function continues on the queue's thread, without a hop to another one, right after
/// the callback that resumed it. Its executor is the queue whose thread is running. In tests there
/// are several, each with objects of its own: objects of one queue must not get into another.
@globalActor
package actor EventLoop {
    package static let shared = EventLoop()

    private static let executor = EventLoopExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        EventLoop.executor.asUnownedSerialExecutor()
    }

    /// Starts asynchronous work, which begins right after the present callback; on the queue.
    ///
    /// Its continuations must be resumed on the queue. Without the preference each would go through
    /// the threads of the global executor first.
    @EventLoop
    package static func start(_ work: @escaping @EventLoop () async -> Void) {
        Task(executorPreference: executor) { await work() }
    }

    /// Runs synchronous code of the queue; ends the program on any other thread.
    package static func assumeIsolated<Value, Failure>(
        _ body: @EventLoop () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        executor.checkIsolated()
        // The isolation is no part of how a synchronous function is called: as in MainActor's.
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
