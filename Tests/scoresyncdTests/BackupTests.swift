import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import SessionStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Needs real time: a daemon is killed after various times.

/// Copies of a laptop that runs, by its own command line.
@Suite(.timeLimit(.minutes(10)))
struct BackupTests {
    /// A laptop with a game of rounds between Ann and Bob.
    private func laptop() throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        return laptop
    }

    /// A laptop that a copy was restored on, and runs.
    private func restored(_ copy: String) throws -> Laptop {
        let laptop = try Laptop("restored")
        try laptop.run("restore", copy)
        try laptop.start("--no-discovery")
        return laptop
    }

    @Test("A backup during writes contains every score that was saved before it began")
    func underLoad() throws {
        let laptop = try laptop()
        let place = try ScratchDirectory()
        let script = """
            i=0
            while [ ! -e \(place.path)/stop ]; do
                i=$((i + 1))
                "$1" --no-spawn --home "$2" score Ann round.$i=$i > /dev/null || exit 1
                echo $i > \(place.path)/next && mv \(place.path)/next \(place.path)/last
            done
            """
        let program = try Programs.path(of: "scorectl")
        let words = ["/bin/sh", "-c", script, "sh", program, laptop.home]
        let load = try Running(words, .captured)
        func last() throws -> Int {
            let text = (try? place.bytes(of: "last")).map { String(decoding: $0, as: UTF8.self) }
            return text.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
        try eventually(within: .seconds(10), "scores come") { try last() > 2 }
        for number in 1...3 {
            let before = try last()
            let copy = "\(place.path)/copy-\(number)"
            try laptop.run("backup", copy)
            let after = try last() + 1
            let other = try restored(copy)
            let total = try other.read(ShowDocument.self, "show").players[0].total
            // Rounds 1 to n came one after the other, so that the total says which are there.
            let rounds = (before...after).first { Points(Int64($0 * ($0 + 1) / 2)) == total }
            #expect(rounds != nil, "\(total) after \(before) and before \(after)")
        }
        try Data().write(to: URL(filePath: place.path + "/stop"))
        #expect(try load.outcome().status == 0)
    }

    @Test("A path is relative to the directory of the command, and the file's contents are listed")
    func relative() throws {
        let laptop = try laptop()
        let place = try ScratchDirectory()
        let program = try Programs.path(of: "scorectl")
        let script = #"cd "$1" && exec "$2" --no-spawn --home "$3" backup scores.db"#
        let words = ["/bin/sh", "-c", script, "sh", place.path, program, laptop.home]
        let outcome = try Running(words, .captured).outcome()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.hasPrefix("Wrote \(place.path)/scores.db: 1 session, "))
        #expect(outcome.errors.contains("It contains the keys"))
        #expect(try BackupContents(of: place.path + "/scores.db").sessions == 1)
        let again = try laptop.attempt("backup", place.path + "/scores.db")
        #expect(again.status == 5 && again.errors.contains("--force"), "\(again)")
        let reply = try laptop.read(
            BackupMakeReply.self,
            "backup",
            place.path + "/scores.db",
            "--force"
        )
        #expect(reply.copy.sessions == 1 && reply.copy.latest != nil)
    }

    @Test("A location that cannot hold a copy is rejected, and the daemon goes on")
    func places() throws {
        let laptop = try laptop()
        let place = try ScratchDirectory()
        #expect(mkfifo(place.path + "/fifo", 0o600) == 0)
        let refusals = [
            (place.path, 5, "is a directory"), (place.path + "/fifo", 5, "not a regular file"),
            (place.path + "/none/copy", 1, "No such file"),
            (laptop.home + "/copy", 5, "own directory"),
            (laptop.home + "/../home/scoresync.db", 5, "own directory"),
        ]
        for (path, status, reason) in refusals {
            let refused = try laptop.attempt("backup", path, "--force")
            #expect(refused.status == Int32(status), "\(refused)")
            #expect(refused.errors.contains(reason), "\(refused)")
        }
        try laptop.run("score", "Ann", "round.1=1")
        #expect(try laptop.read(StatusReply.self, "status").alarms.isEmpty)
    }

    @Test(
        "A daemon that is killed while it writes backups leaves only complete ones"
    )
    func killed() throws {
        let laptop = try laptop()
        let place = try ScratchDirectory()
        for round in 0..<4 {
            let copy = try laptop.begin(["backup", "\(place.path)/copy", "--force"])
            let end = ContinuousClock.now + .milliseconds(3 * round)
            while ContinuousClock.now < end {}
            laptop.kill()
            _ = try copy.outcome()
            if FileManager.default.fileExists(atPath: place.path + "/copy") {
                #expect(try BackupContents(of: place.path + "/copy").sessions == 1)
            }
            try laptop.start("--no-discovery")
        }
        try laptop.run("backup", "\(place.path)/copy", "--force")
        let left = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(left == ["copy"])
    }

    @Test("Without a file it lists the copies that are kept, and one comes back by its number")
    func list() throws {
        let laptop = try laptop()
        #expect(try laptop.run("backup").hasPrefix("No backups yet"))
        try laptop.run("score", "Ann", "round.1=7")
        let directory = laptop.home + "/backups"
        #expect(mkdir(directory, 0o700) == 0)
        let place = try ScratchDirectory()
        try laptop.run("backup", place.path + "/copy")
        for name in ["3-2026-11-16.db", "4-2026-11-23-schema-5.db"] {
            try FileManager.default.copyItem(
                atPath: place.path + "/copy",
                toPath: "\(directory)/\(name)"
            )
        }
        try laptop.run("score", "Ann", "round.1=8")
        let copies = try laptop.read(BackupListReply.self, "backup", "list").copies
        #expect(copies.map(\.name) == ["4-2026-11-23-schema-5", "3-2026-11-16"])
        #expect(copies.map(\.reason) == ["schema", "weekly"])
        #expect(try laptop.run("backup").contains("before an update"))
        let none = try laptop.attempt("restore", "9", "--yes")
        #expect(none.status == 4 && none.errors.contains("4-2026-11-23-schema-5"), "\(none)")
        try laptop.run("restore", "3", "--yes")
        try laptop.start("--no-discovery")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [7, 0])
    }
}
