import CPlatform
import FoundationEssentials
import Testing

@testable import scorectl

@Suite("Following the log")
struct LogFollowerTests {
    /// A log that grows.
    private final class Log {
        let home: TemporaryHome
        var path: String { home.path + "/daemon.log" }

        init() throws { home = try TemporaryHome() }

        func write(_ text: String) throws {
            let descriptor = platform_open_log(path)
            defer { platform_close(descriptor) }
            let bytes = Array(text.utf8)
            #expect(platform_write_all(descriptor, bytes, bytes.count) == 0)
        }
    }

    @Test("returns new lines once they are complete")
    func lines() throws {
        let log = try Log()
        try log.write("old\n")
        var follower = LogFollower(log.path)
        #expect(follower.next() == [])
        try log.write("one\ntw")
        #expect(follower.next() == ["one"])
        #expect(follower.next() == [])
        try log.write("o\n")
        #expect(follower.next() == ["two"])
    }

    @Test("loses no line when the log is rotated, and starts before the log exists")
    func rotation() throws {
        let log = try Log()
        var follower = LogFollower(log.path)
        #expect(follower.next() == [])
        try log.write("one\n")
        #expect(follower.next() == ["one"])
        try log.write("two\n")
        #expect(platform_rename(log.path, log.path + ".1") == 0)
        try log.write("three\n")
        #expect(follower.next() == ["two", "three"])
        // Truncated, and written again.
        #expect(platform_write_file(log.path, Array("4\n".utf8), 2) == 0)
        #expect(follower.next() == ["4"])
    }
}
