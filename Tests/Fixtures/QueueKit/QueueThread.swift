package import Descriptors
import Dispatch

/// A queue on a thread of its own, which ends with it.
package final class QueueThread: Sendable {
    /// The queue, which runs.
    package let queue: EventQueue

    /// Starts the thread.
    package init() {
        do throws(SystemCallFailure) { queue = try EventQueue() } catch {
            fatalError("no queue: error \(error.code)")
        }
        DispatchQueue(label: "queue of a test").async { [queue] in queue.run() }
    }

    deinit { queue.stop() }

    /// Keeps the queue from doing anything until the result is called.
    package func suspend() -> @Sendable () -> Void {
        let resumed = DispatchSemaphore(value: 0)
        queue.async { resumed.wait() }
        return { resumed.signal() }
    }
}

extension EventQueue {
    /// Does something on the running queue, after what was handed in before, and waits for it.
    package func sync<Value, Failure: Error>(
        execute body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // Nobody looks at either before the signal, and the job keeps neither beyond it.
        nonisolated(unsafe) var result: Result<Value, Failure>?
        withoutActuallyEscaping(body) { body in
            // Taken by the job alone, which this thread waits for.
            nonisolated(unsafe) var left: (() throws(Failure) -> Value)? = body
            let done = DispatchSemaphore(value: 0)
            async {
                do throws(Failure) {
                    result = try left.take().map { body throws(Failure) in .success(try body()) }
                } catch { result = .failure(error) }
                done.signal()
            }
            done.wait()
        }
        guard let result else { fatalError("the queue has signalled for nothing") }
        return try result.get()
    }
}
