import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Needs real time: the time to converge is promised.

extension LAN {
    /// Wrong clocks, scarce resources and ports in use, as the table of TROUBLESHOOTING.md lists
    /// them.
    struct TroubleTests {
        // MARK: Time

        @Test("Clocks that step while three write lose and mix up nothing")
        func steppingClocks() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            for laptop in lab.laptops { laptop.clock = "+0" }
            try lab.play("Ann", "Bob", "Cem", "All")
            let clocks = [["-1h", "+365d", "+0"], ["@1970-01-01 00:00:10", "+0", "-1h"]]
            for (turn, offsets) in clocks.enumerated() {
                for (laptop, offset) in zip(lab.laptops, offsets) { laptop.clock = offset }
                for round in 1...20 {
                    for (index, player) in ["Ann", "Bob", "Cem"].enumerated() {
                        let value = 1_000 * turn + 10 * round + index
                        try lab[index].run("score", player, "round.\(round)=\(value)")
                    }
                }
                // What everybody sees is replaced, whatever the time is.
                try lab.agree()
                try lab[turn].run("score", "All", "round.1=\(turn + 1)")
                let sheet = try lab.sheet()
                #expect(sheet.values(of: "All", in: "round") == [.integer(Int64(turn + 1))])
                for (index, player) in ["Ann", "Bob", "Cem"].enumerated() {
                    let values = (1...20).map { Int64(1_000 * turn + 10 * $0 + index) }
                    #expect(sheet.values(of: player, in: "round") == values.map(Scalar.integer))
                }
            }
            for laptop in lab.laptops { laptop.kill() }
            for laptop in lab.laptops { try laptop.start() }
            #expect(try lab.sheet().values(of: "All", in: "round") == [.integer(2)])
        }

        @Test("Laptops in different time zones show the same, and none has a wrong clock")
        func timeZones() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            lab[0].preparation = "export TZ=Pacific/Auckland"
            lab[1].preparation = "export TZ=America/Los_Angeles"
            try lab.play("Ann", "Bob")
            try lab[0].run("score", "Ann", "round.1=1")
            try lab[1].run("score", "Bob", "round.1=2")
            try lab.agree()
            // A flight.
            try lab[1].stop()
            lab[1].preparation = "export TZ=Europe/Istanbul"
            try lab[1].start()
            try lab[1].run("score", "Ann", "round.1=3")
            #expect(try lab.sheet().values(of: "Ann", in: "round") == [.integer(3)])
            for laptop in lab.laptops {
                #expect(try laptop.checkUp().complaint("clock") == nil)
            }
        }

        // MARK: Processes

        @Test("Sixteen laptops that are restarted at once are soon linked again, each with each")
        func manyRestarts() throws {
            let lab = try Lab(names: (1...16).map { "laptop-\($0)" })
            try lab.play("Ann")
            for laptop in lab.laptops { laptop.kill() }
            let start = ContinuousClock.now
            for laptop in lab.laptops { try laptop.start() }
            let started = ContinuousClock.now
            for laptop in lab.laptops { try laptop.waitForPeers(15, seconds: 20) }
            print("16 started in \(started - start), linked \(ContinuousClock.now - started) later")
            try lab[15].run("score", "Ann", "round.1=7")
            try lab.agree()
        }

        @Test("While one of three is suspended the others play on, and it catches up soon")
        func suspended() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem")
            lab[2].signal(SIGSTOP)
            var longest = Duration.zero
            for batch in 0..<50 {
                let cells = (1...10).map { "round.\(10 * batch + $0)=\($0)" }
                let start = ContinuousClock.now
                try lab[batch % 2].run(["score", ["Ann", "Bob"][batch % 2]] + cells)
                longest = max(longest, ContinuousClock.now - start)
            }
            try lab.agree(Array(lab.laptops.prefix(2)))
            lab[2].signal(SIGCONT)
            let took = try lab.agree(within: .seconds(20))
            print("500 scores on the suspended laptop after \(took), longest answer \(longest)")
            #expect(took < .seconds(5) && longest < .seconds(1))
        }

        @Test("With 32 descriptors, and more clients than those, a laptop plays on")
        func fewDescriptors() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            lab[0].preparation = "ulimit -n 32"
            try lab.play("Ann", "Bob")
            let watchers = try (0..<40).map { _ in try lab[0].begin(["watch", "--json"]) }
            // Some of them have to wait.
            _ = try watchers[0].firstLine()
            try lab[1].run("score", "Bob", "round.1=2")
            try withExtendedLifetime(watchers) {
                _ = try watchers[0].line { $0.contains(#""seq":2"#) }
            }
            for watcher in watchers { watcher.kill() }
            try lab[0].run("score", "Ann", "round.1=1")
            try lab.agree()
        }

        @Test("With 200 MB of address space a laptop invites, joins and backs up")
        func addressSpace() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            let copies = try ScratchDirectory()
            for laptop in lab.laptops { laptop.preparation = "ulimit -v 200000" }
            try lab.play("Ann", "Bob")
            for (laptop, player) in zip(lab.laptops, ["Ann", "Bob"]) {
                try laptop.run(["score", player] + (1...200).map { "round.\($0)=\($0)" })
                try laptop.run("backup", "\(copies.path)/\(player)")
            }
            try lab.agree()
        }

        @Test(
            "If the system refuses another process, a command that needs the daemon says so",
            .enabled(if: geteuid() == 0, "needs root, to run as a user with a limit")
        )
        func refusedProcesses() throws {
            let lab = try Lab("ann-laptop")
            let programs = try ScratchDirectory()
            let user = "54321"
            let limited = """
                for program in scorectl scoresyncd; do
                    cp "$(dirname '\(try Programs.path(of: "scorectl"))')/$program" '\(programs.path)'
                done
                chmod 755 '\(programs.path)' "$(dirname '\(lab[0].home)')"
                chown \(user) '\(lab[0].home)'
                exec prlimit --nproc=1 setpriv --reuid \(user) --clear-groups \
                    '\(programs.path)/scorectl' --home '\(lab[0].home)' session list
                """
            let words = lab[0].room.entrance + ["/bin/sh", "-ec", limited]
            let refused = try Running(words, .captured).outcome()
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("Resource temporarily unavailable"), "\(refused)")
        }

        @Test(
            "If the system refuses threads, a laptop invites, charts, exports and plays on",
            .enabled(if: geteuid() == 0, "needs root, to run as a user with a limit")
        )
        func refusedThreads() throws {
            let lab = try Lab("ann-laptop")
            let (laptop, programs) = (lab[0], try ScratchDirectory())
            let user = "54322"
            try laptop.room.run(
                """
                cp '\(try Programs.path(of: "scorectl"))' '\(try Programs.path(of: "scoresyncd"))' \
                    '\(programs.path)'
                mkdir '\(programs.path)/copies'
                chmod 755 '\(programs.path)' "$(dirname '\(laptop.home)')"
                chown \(user) '\(laptop.home)' '\(programs.path)/copies'
                """
            )
            let asUser = ["setpriv", "--reuid", user, "--clear-groups"]
            laptop.program = "\(programs.path)/scoresyncd"
            laptop.preparation =
                "set -- prlimit --nproc=1 \(asUser.joined(separator: " ")) \"$@\""
            try laptop.start()
            func run(_ words: String...) throws {
                let scorectl = ["\(programs.path)/scorectl", "--no-spawn", "--home", laptop.home]
                let entrance = laptop.room.entrance + asUser
                let outcome = try Running(entrance + scorectl + words, .captured).outcome()
                guard outcome.status == 0 else { throw Failure("\(outcome)") }
            }
            try run("session", "new", "rounds", "--player", "Ann")
            try run("session", "invite")
            try run("score", "Ann", "round.1=1")
            // The log is copied into the database two seconds after the last score.
            let changed = "stat -c %y '\(laptop.home)/scoresync.db'"
            let before = try laptop.room.run(changed)
            try eventually(within: .seconds(10), "the log is copied") {
                try run("show")
                return try laptop.room.run(changed) != before
            }
            try run("chart")
            try run("export", "\(programs.path)/copies/export")
            try run("backup", "\(programs.path)/copies/backup.db")
            try run("score", "Ann", "round.2=2")
            #expect(try laptop.stop() == 0)
        }

        @Test("Of many commands at once without a daemon one starts it, and all are answered")
        func manyCommands() throws {
            let lab = try Lab("ann-laptop")
            let account = try Account(in: lab[0].room)
            let calls = try (0..<50).map { _ in try account.begin("status", "--json") }
            let outcomes = try calls.map { try $0.outcome() }
            _ = try account.process()
            #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes.filter { $0.status != 0 })")
            #expect(Set(outcomes.map(\.output)).count == 1)
        }

        @Test("Programs that are replaced while they run play on, and doctor asks for a restart")
        func replacedPrograms() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            let directory = try ScratchDirectory()
            let program = "\(directory.path)/scoresyncd"
            let original = try Programs.path(of: "scoresyncd")
            try FileManager.default.copyItem(atPath: original, toPath: program)
            lab[0].program = program
            try lab.play("Ann", "Bob")
            try FileManager.default.removeItem(atPath: program)
            try lab[0].run("score", "Ann", "round.1=1")
            try FileManager.default.copyItem(atPath: original, toPath: program)
            try lab[0].run("score", "Ann", "round.2=2")
            try lab.agree()
            let checkup = try lab[0].checkUp()
            #expect(checkup.complaint("version") != nil, "\(checkup)")
            try lab[0].stop()
            try lab[0].start()
            try lab[0].waitForPeers(1)
            #expect(try lab.sheet().values(of: "Ann", in: "round") == [.integer(1), .integer(2)])
        }

        // MARK: Networks

        @Test("With packets of at most 576 bytes a large session is joined and played")
        func smallPackets() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            for laptop in lab.laptops { try laptop.room.run("ip link set eth0 mtu 576") }
            try lab.play("Ann", "Bob", laptops: 2)
            for (laptop, player) in zip(lab.laptops, ["Ann", "Bob"]) {
                for first in stride(from: 1, to: 1_000, by: 200) {
                    let rounds = first..<first + 200
                    try laptop.run(["score", player] + rounds.map { "round.\($0)=\($0)" })
                }
            }
            try lab[2].start()
            try lab[2].run("join", lab[0].read(InviteCode.self, "session", "invite").code)
            try lab.agree()
        }

        @Test(
            "A laptop whose announcement port is in use says so, and others find it",
            .enabled(if: PortHolder.isPossible, "needs python3")
        )
        func announcementPortInUse() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab[1].stop()
            let holder = try PortHolder(of: [47_615], "SOCK_DGRAM", in: lab[1].room)
            // Only announcements lead to other addresses.
            for (laptop, address) in zip(lab.laptops, ["10.77.0.8", "10.77.0.9"]) {
                try laptop.room.run(
                    "ip addr flush dev eth0; ip addr add \(address)/24 brd + dev eth0"
                )
            }
            try lab[1].start()
            try lab[1].waitForPeers(1)
            let checkup = try lab[1].checkUp()
            #expect(checkup.complaint("interface")?.state == "problem", "\(checkup)")
            #expect(try lab[1].read(StatusReply.self, "status").alarms.map(\.kind) == ["network"])
            try lab[1].run("score", "Bob", "round.1=2")
            try lab.agree()
            holder.release()
            try eventually(within: .seconds(15), everyMilliseconds: 100, "the alarm is gone") {
                try lab[1].read(StatusReply.self, "status").alarms.isEmpty
            }
            #expect(try lab[1].checkUp().status == 0)
        }

        @Test(
            "A laptop with no free port dials out, and doctor names the port",
            .enabled(if: PortHolder.isPossible, "needs python3")
        )
        func allPortsInUse() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            let holder = try PortHolder(of: Array(47_615...47_634), "SOCK_STREAM", in: lab[1].room)
            try lab.play("Ann", "Bob")
            try lab[1].run("score", "Bob", "round.1=2")
            try lab.agree()
            let checkup = try lab[1].checkUp()
            #expect(checkup.complaint("port")?.state == "problem", "\(checkup)")
            // No one is told to call it.
            let others = try lab[0].read(PeerListReply.self, "peer", "list").items
            #expect(others.map(\.name) == ["bob-laptop"] && others[0].address == nil)
            #expect(try lab[0].run("peer", "list").contains("does not listen"))
            holder.release()
        }

        @Test("Two users of one host play with a laptop elsewhere, each by a daemon of their own")
        func twoUsers() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            let code = try lab.play("Ann", "Bob", "Cem").code
            let account = try Account(in: lab[0].room)
            account.variables.append("SCORESYNC_TEST_SCRYPT_N=1024")
            try account.run("join", code)
            _ = try account.process()
            try account.run("wait", "--for", "peers=2", "--timeout", "10")
            try account.run("score", "Cem", "round.1=3")
            try lab.agree()
            try lab[1].run("score", "Bob", "round.1=2")
            try account.run("wait", "--for", "synced", "--timeout", "10")
            #expect(try account.run("show", "--json") == lab[1].run("show", "--json"))
            // Each host is restarted as a whole.
            try account.run("daemon", "stop")
            try lab[0].stop()
            try lab[0].start()
            try account.run("wait", "--for", "peers=2", "--timeout", "10")
        }
    }
}

/// Another program that holds ports.
private final class PortHolder {
    private let program: Running

    /// Takes ports of a kind, `SOCK_STREAM` or `SOCK_DGRAM`, in a room.
    init(of ports: [Int], _ kind: String, in room: Room) throws {
        let script = """
            import socket, sys
            held = []
            for port in \(ports):
                held.append(socket.socket(socket.AF_INET, socket.\(kind)))
                held[-1].bind(("", port))
            print("ready", flush=True)
            sys.stdin.read()
            """
        program = try Running(room.entrance + ["python3", "-c", script], .conversing)
        guard try program.firstLine() == "ready" else { throw Failure("no ports") }
    }

    func release() { program.kill() }

    static let isPossible =
        (try? Running(["python3", "-c", "import socket"], .captured).outcome().status) == 0
}
