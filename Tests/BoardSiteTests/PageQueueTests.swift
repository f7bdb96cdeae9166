import BoardSite
import Testing

@Suite("The event queue of a page")
struct PageQueueTests {
    private static let long = [UInt8](repeating: 1, count: PageQueue.maxBytes / 2)

    private func all(_ queue: inout PageQueue, _ most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = queue.next(maxBytes: most) { bytes += piece }
        return bytes
    }

    @Test("returns events in order, in pieces of any size")
    func order() {
        for most in [1, 2, 3, 100] {
            var queue = PageQueue([[1, 2, 3], [4]])
            #expect(queue.add([5, 6]) { [] })
            #expect(all(&queue, most) == [1, 2, 3, 4, 5, 6])
            #expect(queue.next(maxBytes: 1) == nil)
        }
    }

    @Test("is replaced by a snapshot on overflow, after the event that was partly sent")
    func anew() {
        var queue = PageQueue([[7, 8]])
        #expect(queue.next(maxBytes: 1) == [7])
        #expect(queue.add(Self.long) { [[0]] })
        #expect(queue.add(Self.long) { [[9, 9]] })
        #expect(all(&queue, 4096) == [8, 9, 9])
    }

    @Test("closes a page that reads nothing between two overflows, and no other")
    func stalled() {
        var idle = PageQueue([])
        var slow = PageQueue([])
        var answers: [Bool] = []
        for _ in 0..<5 {
            answers.append(idle.add(Self.long) { [Self.long] })
            #expect(slow.add(Self.long) { [Self.long] })
            #expect(slow.next(maxBytes: 1) != nil)
        }
        #expect(answers == [true, true, true, true, false])
    }
}

@Suite("Heartbeats")
struct HeartbeatTests {
    @Test("are due at once and then every 15 seconds")
    func pace() {
        var heartbeat = Heartbeat()
        let beats = stride(from: 1_000_000, through: 1_045_000, by: 100)
            .filter { heartbeat.isDue(at: $0) }
        #expect(beats == [1_000_000, 1_015_000, 1_030_000, 1_045_000])
    }

    @Test("are not repeated after the machine slept")
    func late() {
        var heartbeat = Heartbeat()
        let beats = [0, 10_000_000, 10_014_999].map { heartbeat.isDue(at: $0) }
        #expect(beats == [true, true, false])
        #expect(heartbeat.due == 10_015_000)
    }
}

@Suite("Chart requests of a board")
struct ChartPaceTests {
    @Test("are due at once after a change, and then at most once a second")
    func pace() {
        var pace = ChartThrottle()
        let changes: Set<Int64> = [5_000, 5_200, 5_900, 9_000]
        let asked = (Int64(4_990)...9_010).filter { now in
            if changes.contains(now) { pace.scheduleRequest(at: now) }
            return pace.isDue(at: now)
        }
        #expect(asked == [5_000, 6_000, 9_000])
        #expect(pace.due == nil)
    }

    @Test("have a due time")
    func due() {
        var pace = ChartThrottle()
        pace.scheduleRequest(at: 5_000)
        #expect(pace.due == 5_000)
    }
}
