import CPlatform
import Descriptors
import Dispatch
import QueueKit
import Synchronization
import Testing

// Needs real time: the queue has timers.

struct EventQueueTests {
    private let thread = QueueThread()
    private var queue: EventQueue { thread.queue }

    /// The events, in their order.
    private final class Record: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("Jobs of many threads run on one thread, in the order of each thread")
    func submitted() async {
        let record = Record()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<200 {
                queue.async { [queue] in
                    queue.requireCurrent()
                    record.add("\(thread) \(number)")
                }
            }
        }
        queue.sync {}
        #expect(record.all.count == 1600)
        for thread in 0..<8 {
            let own = record.all.filter { $0.hasPrefix("\(thread) ") }
            #expect(own == (0..<200).map { "\(thread) \($0)" })
        }
    }

    @Test("Events are handled before postponed jobs")
    func laterTurn() async {
        let record = Record()
        await withCheckedContinuation { continuation in
            queue.async { [queue] in
                queue.async {
                    record.add("postponed")
                    queue.async {
                        record.add("postponed twice")
                        continuation.resume()
                    }
                }
                record.add("first")
            }
        }
        #expect(record.all == ["first", "postponed", "postponed twice"])
    }

    @Test("Closing jobs run after all jobs of a turn, before the next turn")
    func endOfTurn() async {
        let record = Record()
        await withCheckedContinuation { continuation in
            queue.async { [queue] in
                queue.async {
                    queue.async {
                        record.add("next turn")
                        continuation.resume()
                    }
                    queue.atEndOfTurn {
                        record.add("closing")
                        queue.atEndOfTurn { record.add("closing again") }
                    }
                    record.add("first")
                }
                queue.async { record.add("second") }
            }
        }
        #expect(record.all == ["first", "second", "closing", "closing again", "next turn"])
    }

    @Test("Closing jobs that submit themselves again do not keep others from running")
    func endlessClosing() async {
        // Only used on the queue. The test itself continues when a thread is free for it.
        nonisolated(unsafe) var isOver = false
        @EventLoop
        func close() { if !isOver { queue.atEndOfTurn { close() } } }
        queue.async { close() }
        await withCheckedContinuation { continuation in
            queue.async { [queue] in
                queue.async {
                    isOver = true
                    continuation.resume()
                }
            }
        }
    }

    @Test("Timers fire in order, unless they are cancelled")
    func times() async {
        let record = Record()
        let start = SuspendingClock.now
        await withCheckedContinuation { continuation in
            queue.async { [queue] in
                queue.async(after: .milliseconds(30)) {
                    record.add("last")
                    continuation.resume()
                }
                let cancelled = queue.async(after: .milliseconds(10)) { record.add("cancelled") }
                queue.async(after: .milliseconds(5)) { record.add("first") }
                queue.async(after: .milliseconds(5)) { record.add("second") }
                queue.async(after: .zero) { record.add("at once") }
                cancelled.cancel()
            }
        }
        #expect(record.all == ["at once", "first", "second", "last"])
        #expect(start.duration(to: .now) >= .milliseconds(30))
    }

    @Test("A descriptor that was cancelled by an earlier event is not reported")
    func endedInTheTurn() async throws {
        let record = Record()
        let pipes = [try Pipe(), try Pipe()]
        let watched = pipes.map { DescriptorEvents($0.reading, queue: queue) }
        queue.sync {
            for events in watched {
                events.startReading {
                    record.add("reported")
                    // The first one cancels both, in a turn with events of both.
                    for each in watched { each.cancel() }
                }
            }
            for pipe in pipes { pipe.write(1) }
        }
        while record.all.isEmpty { queue.sync {} }
        queue.sync {}
        #expect(record.all == ["reported"])
        for pipe in pipes { platform_close(pipe.writing) }
    }

    @Test("Unread bytes are reported again")
    func untilRead() async throws {
        let pipe = try Pipe()
        for byte: UInt8 in [1, 2, 3] { pipe.write(byte) }
        let events = DescriptorEvents(pipe.reading, queue: queue)
        let record = Record()
        queue.sync {
            events.startReading {
                var byte: UInt8 = 0
                guard platform_read(pipe.reading, &byte, 1) == 1 else { return events.cancel() }
                record.add("\(byte)")
            }
        }
        while record.all.count < 3 { queue.sync {} }
        platform_close(pipe.writing)
        while !queue.sync(execute: { events.isCancelled }) {}
        #expect(record.all == ["1", "2", "3"])
    }

    @Test("A timer can repeat itself")
    func ticks() async throws {
        let descriptor = platform_ticks(2)
        try #require(descriptor >= 0)
        let events = DescriptorEvents(descriptor, queue: queue)
        let record = Record()
        await withCheckedContinuation { continuation in
            queue.async {
                events.startReading {
                    platform_drain_ticks(descriptor)
                    record.add("tick")
                    guard record.all.count == 3 else { return }
                    events.cancel()
                    continuation.resume()
                }
            }
        }
        #expect(record.all.count == 3)
    }

    @Test("A queue belongs to the thread that enters it, until that leaves")
    func entered() throws {
        let queue = try EventQueue()
        #expect(!queue.isCurrent)
        #expect(queue.enter { queue.isCurrent })
        #expect(!queue.isCurrent)
    }
}
