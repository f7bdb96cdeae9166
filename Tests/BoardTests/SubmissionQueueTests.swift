import BoardSite
import ControlSocket
import Dispatch
import Synchronization
import Testing

@testable import scoresync_board

@Suite("The submission queue of a board")
struct SubmissionQueueTests {
    @Test("rejects what still waits when the board closes, instead of submitting it")
    func closing() throws {
        // There is no daemon: a submission that starts fails as `no-daemon` with another message.
        let queue = SubmissionQueue(try ControlPaths.current(chosen: "/nowhere"))
        let submission = try Submission(Array(#"{"id":"00000000000000a1"}"#.utf8), isUndo: true)
        func submit(_ completion: @escaping @Sendable (SubmissionQueue.Outcome) -> Void) {
            queue.submit(submission, of: "ann", in: "s", completion: completion)
        }
        let (isRunning, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasClosed = DispatchSemaphore(value: 0)
        let waiting = Mutex<SubmissionQueue.Outcome?>(nil)
        submit { _ in
            isRunning.signal()
            mayEnd.wait()
        }
        isRunning.wait()
        submit { outcome in waiting.withLock { $0 = outcome } }
        DispatchQueue.global().async { @Sendable in
            queue.close()
            hasClosed.signal()
        }
        let isClosed = Mutex(false)
        while !isClosed.withLock(\.self) {
            // Completes later if the queue is still open, and at once if it is closed.
            submit { _ in isClosed.withLock { $0 = true } }
        }
        mayEnd.signal()
        hasClosed.wait()
        #expect(waiting.withLock(\.self) == .failure(.ending))
    }
}
