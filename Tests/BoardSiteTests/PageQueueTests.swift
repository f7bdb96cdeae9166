import BoardSite
import Testing

@Suite("What waits for a page")
struct PageQueueTests {
    private static let long = [UInt8](repeating: 1, count: PageQueue.mostBytes / 2)

    private func all(_ queue: inout PageQueue, _ most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = queue.take(most) { bytes += piece }
        return bytes
    }

    @Test("is taken in order, in pieces of any size")
    func order() {
        for most in [1, 2, 3, 100] {
            var queue = PageQueue([[1, 2, 3], [4]])
            #expect(queue.add([5, 6]) { [] })
            #expect(all(&queue, most) == [1, 2, 3, 4, 5, 6])
            #expect(queue.take(1) == nil)
        }
    }

    @Test("is everything anew where it would be too much, behind what was begun")
    func anew() {
        var queue = PageQueue([[7, 8]])
        #expect(queue.take(1) == [7])
        #expect(queue.add(Self.long) { [[0]] })
        #expect(queue.add(Self.long) { [[9, 9]] })
        #expect(all(&queue, 4096) == [8, 9, 9])
    }

    @Test("ends a page that takes nothing in between, and none that does")
    func stalled() {
        var idle = PageQueue([])
        var slow = PageQueue([])
        var answers: [Bool] = []
        for _ in 0..<5 {
            answers.append(idle.add(Self.long) { [Self.long] })
            #expect(slow.add(Self.long) { [Self.long] })
            #expect(slow.take(1) != nil)
        }
        #expect(answers == [true, true, true, true, false])
    }
}
