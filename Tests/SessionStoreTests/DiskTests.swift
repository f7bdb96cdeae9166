import FoundationEssentials
import SessionStore
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

struct DiskTests {
    private static let needsMounts = Comment("needs unshare and the right to mount a tmpfs")
    private static let canMount = StoreProcess.namespace != nil

    @Test(
        "A full disk is reported, loses nothing, stays readable, and recovers once there is space",
        .enabled(if: canMount, needsMounts)
    )
    func fullDisk() throws {
        let scratch = try ScratchDirectory()
        let process = try StoreProcess(
            mounting: #"mount -t tmpfs -o size=8m none "$1" && exec "$2" "$1""#,
            on: scratch.path,
            [
                "write 3", "ballast 3000000", "bulk 800", "read", "bulk 100", "read", "free",
                "bulk 5", "read",
            ]
        )
        let lines = process.lines()
        let failures = lines.filter { $0.hasPrefix("error") }
        #expect(failures.count == 2)
        for failure in failures {
            #expect(failure.contains("the disk is full: cannot save changes"))
            #expect(failure.contains("SQLite 13"))
            #expect(failure.contains(scratch.database))
        }
        // Numbers continue without a gap, and each answer is the last that was acknowledged.
        let done = lines.compactMap { $0.hasPrefix("done ") ? Int($0.dropFirst(5)) : nil }
        #expect(done == Array(1...done.count))
        #expect(done.count >= 3 + 5)
        let held = lines.filter { !$0.hasPrefix("done") && !$0.hasPrefix("error") }
        let beforeRoom = "holds \(done.count - 5)"
        #expect(held == [beforeRoom, beforeRoom, "holds \(done.count)"])
    }

    @Test(
        "A new store on a full disk fails with the reason",
        .enabled(if: canMount, needsMounts)
    )
    func fullFromTheStart() throws {
        let scratch = try ScratchDirectory()
        let process = try StoreProcess(
            mounting: #"mount -t tmpfs -o size=12k none "$1" && exec "$2" "$1""#,
            on: scratch.path,
            ["read"]
        )
        let lines = process.lines()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("error the disk is full: ") == true, "\(lines)")
    }

    @Test(
        "A read-only disk is reported, with and without a database",
        .enabled(if: canMount, needsMounts),
        arguments: [#"echo write 1 | "$2" "$1" &&"#, ""]
    )
    func readOnlyDisk(before: String) throws {
        let scratch = try ScratchDirectory()
        let mount = #"mount -t tmpfs none "$1" &&"#
        let remount = #"mount -o remount,ro "$1" && exec "$2" "$1""#
        let script = "\(mount) \(before) \(remount)"
        let lines = try StoreProcess(mounting: script, on: scratch.path, ["read"]).lines()
        let output = before.isEmpty ? [] : ["done 1"]
        #expect(lines.dropLast() == output[...])
        #expect(
            lines.last?.hasPrefix("error the state directory is read-only: ") == true,
            "\(lines)"
        )
        #expect(lines.last?.contains(scratch.database) == true)
    }

    @Test(
        "Missing permission for the directory is reported",
        .enabled(if: geteuid() != 0, "the permissions of a directory do not bind root")
    )
    func missingPermission() throws {
        let scratch = try ScratchDirectory()
        #expect(chmod(scratch.path, 0o500) == 0)
        defer { chmod(scratch.path, 0o700) }
        let error = try #require(throws: StoreError.self) { _ = try scratch.open() }
        guard case .notPermitted(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.path == scratch.database)
        #expect(failure.code == .system(EACCES))
    }
}
