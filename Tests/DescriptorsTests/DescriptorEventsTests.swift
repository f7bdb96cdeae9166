import QueueKit
import Testing

@testable import Descriptors

struct DescriptorEventsTests {
    private let thread = QueueThread()
    private var queue: EventQueue { thread.queue }

    @Test("Readability is reported until the end, and then the descriptor is closed")
    func readsAndCloses() async throws {
        let pipe = try Pipe()
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        let events = DescriptorEvents(pipe.reading, queue: queue)
        queue.async { @Sendable in
            events.startReading { @Sendable in step.yield("read \(pipe.read())") }
        }
        var next = steps.makeAsyncIterator()
        pipe.write(7)
        #expect(await next.next() == "read 7")
        pipe.write(8)
        #expect(await next.next() == "read 8")
        queue.async { @Sendable in
            events.cancel()
            events.cancel()
            step.yield("cancelled: \(events.isCancelled)")
        }
        #expect(await next.next() == "cancelled: true")
        queue.async { @Sendable in
            events.startReading { @Sendable in step.yield("read after the end") }
            step.yield("open: \(pipe.isReadingOpen)")
        }
        #expect(await next.next() == "open: false")
    }

    @Test("Writability is reported after each start")
    func writesAgain() async throws {
        let pipe = try Pipe()
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        let events = DescriptorEvents(pipe.writing, queue: queue)
        var next = steps.makeAsyncIterator()
        for _ in 0..<3 {
            queue.async { @Sendable in
                events.startWriting { @Sendable in
                    events.stopWriting()
                    step.yield("room")
                }
            }
            #expect(await next.next() == "room")
        }
        // Cancelling must work while nothing is watched.
        queue.async { @Sendable in
            events.cancel()
            step.yield("open: \(pipe.isWritingOpen)")
        }
        #expect(await next.next() == "open: false")
    }

    @Test("A pause of reading loses nothing")
    func pauses() async throws {
        let pipe = try Pipe()
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        let events = DescriptorEvents(pipe.reading, queue: queue)
        queue.async { @Sendable in
            events.startReading { @Sendable in step.yield("read \(pipe.read())") }
            events.pauseReading(for: .milliseconds(20))
            events.pauseReading(for: .seconds(60))
            pipe.write(9)
        }
        var next = steps.makeAsyncIterator()
        #expect(await next.next() == "read 9")
        queue.async { @Sendable in events.cancel() }
    }

    @Test("Cancelling works during a pause")
    func endsPaused() async throws {
        let pipe = try Pipe()
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        let events = DescriptorEvents(pipe.reading, queue: queue)
        queue.async { @Sendable in
            events.startReading { @Sendable in step.yield("read \(pipe.read())") }
            events.pauseReading(for: .seconds(60))
            events.cancel()
            step.yield("open: \(pipe.isReadingOpen)")
        }
        var next = steps.makeAsyncIterator()
        #expect(await next.next() == "open: false")
    }

    @Test("Cancelling closes a descriptor that was never watched")
    func endsUnused() throws {
        let pipe = try Pipe()
        queue.sync { DescriptorEvents(pipe.reading, queue: queue).cancel() }
        #expect(!pipe.isReadingOpen)
    }
}
