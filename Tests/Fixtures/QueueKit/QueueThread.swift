package import Descriptors
import Dispatch

/// An event queue on a thread of its own, which ends with this object.
package final class QueueThread: Sendable {
    package let queue: EventQueue

    package init() {
        do throws(SystemError) { queue = try EventQueue() } catch {
            fatalError("no queue: error \(error.code)")
        }
        DispatchQueue(label: "queue of a test").async { [queue] in queue.run() }
    }

    deinit { queue.stop() }

    /// Blocks the queue until the returned function is called.
    package func suspend() -> @Sendable () -> Void {
        let resumed = DispatchSemaphore(value: 0)
        queue.async { resumed.wait() }
        return { resumed.signal() }
    }
}

/// Runs code of the daemon's queue on this thread.
package func onEventLoop<Value, Failure: Error>(
    _ body: @EventLoop () throws(Failure) -> Value
) throws(Failure) -> Value {
    let queue: EventQueue
    do throws(SystemError) { queue = try EventQueue() } catch {
        fatalError("no queue: error \(error.code)")
    }
    return try queue.enter(body)
}

extension EventQueue {
    /// Runs a function on the queue, and waits for it.
    package func sync<Value, Failure: Error>(
        execute body: @EventLoop () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // The variable is read only after the signal, and the job does not use it afterwards.
        nonisolated(unsafe) var result: Result<Value, Failure>?
        withoutActuallyEscaping(body) { body in
            // Only the job, which this thread waits for, uses it.
            nonisolated(unsafe) var left: (@EventLoop () throws(Failure) -> Value)? = body
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
