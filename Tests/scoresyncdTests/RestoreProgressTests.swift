import CPlatform
import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

@testable import SessionStore

/// The progress of a restore.
@Suite(.timeLimit(.minutes(10)))
struct RestoreProgressTests {
    @Test("A long copy writes a line feed for each per cent, and then the report")
    func hundredths() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let place = try ScratchDirectory()
        let copy = place.path + "/copy"
        try laptop.run("backup", copy)
        try laptop.stop()
        // Some five mebibytes.
        try Connection(path: copy).run(
            """
            INSERT INTO setting (name, value)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24000)
            SELECT 'row ' || i, hex(zeroblob(100)) FROM n
            """
        )
        for isPiped in [true, false] {
            let said = try restore(copy, on: laptop, piped: isPiped)
            let report = said.drop { $0 == 0x0A }
            let hundredths = said.count - report.count
            #expect(isPiped ? (50...100).contains(hundredths) : hundredths == 0, "\(hundredths)")
            let done = try ControlJSON.decode(RestoreReport.self, from: Array(report))
            #expect(done.restored && done.copy.sessions == 1)
        }
    }

    /// Restores a copy; what is said to the program that started it, or on standard output.
    private func restore(_ copy: String, on laptop: Laptop, piped: Bool) throws -> [UInt8] {
        let program = try Programs.path(of: "scoresyncd")
        let words = [program, "--home", laptop.home, "--restore", copy]
        guard piped else { return Array(try Running(words, .captured).outcome().output.utf8) }
        var ends: [Int32] = [-1, -1]
        #expect(platform_pipe(&ends) == 0)
        defer { platform_close(ends[0]) }
        let run = try Running(
            words,
            adding: ["SCORESYNC_READY_FD=3"],
            .logging(to: laptop.logPath, ready: ends[1])
        )
        platform_close(ends[1])
        var said: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while platform_wait(ends[0], false, -1, 30_000) == 1 {
            let count = platform_read(ends[0], &bytes, bytes.count)
            guard count > 0 else { break }
            said += bytes.prefix(count)
        }
        #expect(try run.outcome().status == 0)
        return said
    }
}
