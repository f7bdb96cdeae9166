import BoardSite
import Testing

@Suite("A heartbeat")
struct HeartbeatTests {
    @Test("comes at once and then every 15 seconds, however often it is asked for")
    func pace() {
        var heartbeat = Heartbeat()
        let beats = stride(from: 1_000_000, through: 1_045_000, by: 100)
            .filter { heartbeat.isDue(at: $0) }
        #expect(beats == [1_000_000, 1_015_000, 1_030_000, 1_045_000])
    }

    @Test("is not made up for after a sleep")
    func late() {
        var heartbeat = Heartbeat()
        let beats = [0, 10_000_000, 10_014_999].map { heartbeat.isDue(at: $0) }
        #expect(beats == [true, true, false])
        #expect(heartbeat.due == 10_015_000)
    }
}
