import BoardSite
import ControlSocket
import Dispatch
import Synchronization
import Testing

@testable import scoresync_board

@Suite("The clerk of a board")
struct ClerkTests {
    @Test("refuses what waits when the board ends, instead of doing it first")
    func ending() throws {
        // Nobody answers there: what is done ends as `no-daemon` of another message.
        let clerk = Clerk(try ControlPaths.current(chosen: "/nowhere"))
        let submission = try Submission(Array(#"{"id":"00000000000000a1"}"#.utf8), isUndo: true)
        let (begun, isEnding, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let waiting = Mutex<Exchange.Outcome?>(nil)
        clerk.take(submission, of: "ann", in: "s") { _ in
            begun.signal()
            isEnding.wait()
        }
        begun.wait()
        clerk.take(submission, of: "ann", in: "s") { outcome in waiting.withLock { $0 = outcome } }
        DispatchQueue.global().async { @Sendable in
            clerk.finish()
            hasEnded.signal()
        }
        let isOver = Mutex(false)
        while !isOver.withLock(\.self) {
            // What is taken before the end is told later, and what comes after it at once.
            clerk.take(submission, of: "ann", in: "s") { _ in isOver.withLock { $0 = true } }
        }
        isEnding.signal()
        hasEnded.wait()
        #expect(waiting.withLock(\.self) == .failure(.ending))
    }
}
