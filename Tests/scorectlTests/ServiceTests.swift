import ControlSocket
import FoundationEssentials
import SyncProtocol
import Synchronization
import Testing

@testable import scorectl

@Suite("The daemon as a service")
struct ServiceTests {
    /// A user with a home, and a systemd that records its orders.
    private final class User: Sendable {
        let home: TemporaryHome
        private let told = Mutex<[String]>([])
        private let statuses: [String: Int32]
        /// The pieces in which journalctl prints the log.
        private let journal: [String]
        private let follows = Mutex<[String]>([])

        /// A user whose systemctl ends with these statuses, by its first word; else with 0.
        init(
            _ statuses: [String: Int32] = [:],
            journal: [String] = ["<one>\n<t", "wo>\n"]
        ) throws {
            home = try TemporaryHome()
            (self.statuses, self.journal) = (statuses, journal)
        }

        /// The lines of programs whose output was read.
        var followed: [String] { follows.withLock { $0 } }

        /// The orders to systemctl, without queries.
        var orders: [String] {
            told.withLock { all in
                all.filter { order in
                    !["show-environment", "is-", "cat", "--user-unit"].contains {
                        order.hasPrefix($0)
                    }
                }
            }
        }

        var unit: String { home.path + "/.config/systemd/user/scoresyncd.service" }

        func run(_ words: String..., home chosen: String? = nil) -> Harness.Outcome {
            Harness(home).run(
                words,
                variables: ["HOME": home.path],
                adjust: { console in
                    console.paths = { [self] (wish) throws(ControlError) in
                        try paths(wish ?? chosen)
                    }
                    console.runProgram = { [self] in run(program: $0) }
                    console.followProgram = { [self] words, receive in
                        follows.withLock { $0.append(words.joined(separator: " ")) }
                        for piece in journal { receive(Array(piece.utf8)) }
                        return 0
                    }
                }
            )
        }

        private func paths(_ chosen: String?) throws(ControlError) -> ControlPaths {
            try ControlPaths(
                chosen: chosen,
                in: ControlPaths.Environment(
                    variable: { $0 == "HOME" ? self.home.path : nil },
                    currentDirectory: "/",
                    userID: 0,
                    isPrivateDirectory: { _ in false }
                )
            )
        }

        private func run(program words: [String]) -> Int32 {
            told.withLock { $0.append(words.dropFirst(2).joined(separator: " ")) }
            return statuses[words.count > 2 ? words[2] : ""] ?? 0
        }
    }

    @Test("is enabled by the unit of a package if there is one")
    func packaged() throws {
        let user = try User(["is-active": 3])
        let outcome = user.run("daemon", "enable")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(user.orders == ["enable --now scoresyncd.service"])
        #expect(!FileManager.default.fileExists(atPath: user.unit))
        #expect(user.run("daemon", "disable").status == 0)
        #expect(user.orders.last == "disable --now scoresyncd.service")
    }

    @Test("is otherwise enabled by a file that is written, and removed when it is disabled")
    func written() throws {
        let user = try User(["is-active": 3, "cat": 1])
        #expect(user.run("daemon", "enable").status == 0)
        #expect(user.orders == ["daemon-reload", "enable --now scoresyncd.service"])
        let text = try String(contentsOf: URL(filePath: user.unit), encoding: .utf8)
        #expect(text.contains("/scoresyncd\"\n") && !text.contains("--log-to-file"))
        #expect(text.contains(ServiceFile.mark))
        #expect(user.run("daemon", "disable").status == 0)
        #expect(user.orders.suffix(2) == ["disable --now scoresyncd.service", "daemon-reload"])
        #expect(!FileManager.default.fileExists(atPath: user.unit))
    }

    @Test("fails without a service manager, or with another home")
    func refusals() throws {
        let user = try User(["show-environment": 1])
        let outcome = user.run("daemon", "enable")
        #expect(outcome.status == 1 && outcome.errors.contains("no service manager answers"))
        #expect(user.run("--home", "/elsewhere", "daemon", "enable").status == 2)
        #expect(user.run("daemon", "disable", home: "/elsewhere").status == 2)
        #expect(user.orders.isEmpty)
    }

    @Test("logs to systemd's journal, which 'daemon logs' prints")
    func journal() throws {
        let user = try User()
        let outcome = user.run("daemon", "logs", "-n", "3", "-f")
        #expect(outcome == .init(status: 0, output: "<one>\n<two>\n", errors: ""))
        let options =
            "scoresyncd.service --quiet --output short-iso --no-hostname --lines 3 --follow"
        #expect(user.followed == ["journalctl --user-unit " + options])
        let json = user.run("daemon", "logs", "--json").output
        #expect(
            json == #"{"lines":["<one>"],"schema":1}"# + "\n" + #"{"lines":["<two>"],"schema":1}"#
                + "\n"
        )
        // A service that has failed, and no daemon since; one that never ran logged nothing.
        #expect(try User(["is-active": 3]).run("daemon", "logs").output == "<one>\n<two>\n")
        let idle = try User(["is-active": 3, "is-failed": 1]).run("daemon", "logs")
        #expect(idle.status == 4 && idle.errors.contains("daemon.log"))
        let elsewhere = try User().run("--home", "/elsewhere", "daemon", "logs")
        #expect(elsewhere.errors.contains("/elsewhere/daemon.log"))
        let empty = try User(journal: []).run("daemon", "logs")
        #expect(empty.status == 4 && empty.errors.contains("journal shows you no lines"))
    }

    @Test("reports the command that failed")
    func failures() throws {
        let user = try User(["is-active": 3, "enable": 5])
        let outcome = user.run("daemon", "enable")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("'systemctl --user enable --now scoresyncd.service'"))
        #expect(outcome.errors.contains("status 5"))
    }

    @Test("escapes paths in a unit")
    func paths() {
        let unit = ServiceFile.systemd(starting: #"/a b/100%/$x/"q"\scoresyncd"#)
        #expect(unit.contains(#"ExecStart="/a b/100%%/$$x/\"q\"\\scoresyncd""# + "\n"))
        #expect(
            ServiceFile.launchd(starting: "/a&<b>").contains("<string>/a&amp;&lt;b&gt;</string>")
        )
    }
}
