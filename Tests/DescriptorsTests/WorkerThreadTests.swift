import CPlatform
import Descriptors
import Dispatch
import Synchronization
import Testing

struct WorkerThreadTests {
    @Test("Jobs run one at a time on another thread, in the order of submission")
    func order() {
        let numbers = Mutex<[Int]>([])
        let isOtherThread = Mutex(true)
        let ended = DispatchSemaphore(value: 0)
        // A mark that only this thread has.
        let before = platform_thread_mark()
        platform_set_thread_mark(UnsafeRawPointer(bitPattern: 1))
        defer { platform_set_thread_mark(before) }
        let thread = WorkerThread()
        for number in 0..<1_000 {
            thread.async {
                if platform_thread_mark() != nil { isOtherThread.withLock { $0 = false } }
                numbers.withLock { $0.append(number) }
                if number == 999 { ended.signal() }
            }
        }
        ended.wait()
        #expect(numbers.withLock(\.self) == Array(0..<1_000))
        let isOther = isOtherThread.withLock(\.self)
        #expect(isOther)
    }

    @Test("Jobs that were submitted before its end are still run")
    func end() {
        let count = Mutex(0)
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<50 {
            let thread = WorkerThread()
            for _ in 0..<20 {
                thread.async {
                    count.withLock { $0 += 1 }
                    ended.signal()
                }
            }
        }
        for _ in 0..<1_000 { ended.wait() }
        #expect(count.withLock(\.self) == 1_000)
    }
}
