import FoundationEssentials
import SyncTestKit
import Testing

@testable import SessionStore

// Needs real time: a process is killed after random times.

/// Backups by processes that are killed, or whose disk is full.
@Suite(.timeLimit(.minutes(10)))
struct BackupCrashTests {
    @Test("A process that is killed during a backup leaves a complete one or none")
    func kills() throws {
        var generator = SeededGenerator(seed: 5)
        let scratch = try ScratchDirectory()
        var written = try StoreProcess(on: scratch.path, ["write 300", "copy"]).lines()
        #expect(written.removeLast().hasPrefix("copied "))
        let clock = ContinuousClock()
        for round in 0..<12 {
            let process = try StoreProcess(on: scratch.path, ["copies"])
            _ = process.line()
            let end = clock.now + .microseconds(Int.random(in: 0...6_000, using: &generator))
            while clock.now < end {}
            process.kill()
            let content = try BackupContents(of: scratch.path + "/copy")
            #expect(content.sessions == 2 && content.entries == 6, "round \(round): \(content)")
        }
        // Unfinished files of killed processes are removed.
        #expect(try StoreProcess(on: scratch.path, ["copy"]).lines() == ["copied 6"])
        #expect(try scratch.files.allSatisfy { !$0.contains(BackupWriter.unfinished) })
        #expect(try StoreProcess(on: scratch.path, ["read"]).lines() == ["holds 300"])
    }

    @Test(
        "A backup to a full disk fails without a trace, and commits continue",
        .enabled(if: StoreProcess.namespace != nil, "needs unshare and the right to mount a tmpfs")
    )
    func fullDisk() throws {
        let scratch = try ScratchDirectory()
        let stick = try ScratchDirectory()
        try scratch.write([], to: "unused")
        let script = """
            mount -t tmpfs -o size=64k none \(stick.path) && "$2" "$1" && ls -A \(stick.path) && \
            echo listed
            """
        let lines = try StoreProcess(
            mounting: script,
            on: scratch.path,
            ["bulk 20", "copy \(stick.path)/copy", "write 1", "read"]
        ).lines()
        let output = lines.filter { !$0.hasPrefix("done ") }
        #expect(output.count == 3, "\(lines)")
        #expect(
            output.first?.hasPrefix("error the disk is full: cannot write a backup") == true
        )
        #expect(output.dropFirst() == ["holds 21", "listed"])
    }
}
