import SyncProtocol
import Testing

@testable import scorectl

/// The options of all commands.
@Suite(.timeLimit(.minutes(10)))
struct MannerTests {
    private static func all(_ commands: [Command], _ path: [String] = []) -> [([String], Command)] {
        commands.flatMap { command in
            let path = path + [command.name]
            return [(path, command)] + all(command.subcommands, path)
        }
    }

    @Test("--session is rejected by every command that is not about a session, before any question")
    func session() throws {
        let harness = Harness(try TemporaryHome())
        var refused: Set<String> = []
        for (path, command) in Self.all(CommandTree.commands) where !command.takesSession {
            guard !command.resolved.takesSession else { continue }
            let outcome = harness.run(path + ["--session", "Friday"])
            #expect(outcome.status == 2, "\(path) \(outcome)")
            guard command.subcommands.isEmpty else { continue }
            let name = path.joined(separator: " ")
            #expect(
                outcome.errors.hasPrefix(
                    "scorectl: '\(name)' does not take --session\n"
                ),
                "\(outcome)"
            )
            refused.insert(name)
        }
        #expect(harness.launched == [])
        let some: Set = ["people add", "session list", "session use", "join", "status", "version"]
        #expect(refused.isSuperset(of: some))
        // Help is for everything.
        #expect(harness.run(["people", "add", "--session", "x", "--help"]).status == 0)
    }

    @Test("--quiet prints results but no confirmations")
    func quiet() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        for line in [
            "session new rounds", "session leave --yes", "score Ann 15", "player add Ann",
            "people add Ann", "peer add h", "daemon offline", "games remove tichu --yes",
            "stats reset darts -y", "play d3", "session finish", "daemon start",
            "session new --again --yes",
        ] {
            let words = line.split(separator: " ").map(String.init)
            let loud = harness.run(words)
            #expect(loud.status == 0 && loud.output != "", "\(line) \(loud)")
            let quiet = harness.run(words + ["-q"])
            #expect(quiet == Harness.Outcome(status: 0, output: "", errors: ""), "\(line)")
            // JSON was asked for explicitly.
            #expect(harness.run(words + ["-q", "--json"]).output.hasPrefix("{"), "\(line)")
        }
        for line in ["show", "session", "history", "peer", "player list", "player shuffle"] {
            let words = line.split(separator: " ").map(String.init)
            #expect(harness.run(words + ["--quiet"]) == harness.run(words), "\(line)")
        }
        #expect(harness.run(["session", "invite", "-q"]).output == "7K3MQ-ZX2RV-9WTPA\n")
        let wrong = harness.run(["show", "-q", "--minutes", "5"])
        #expect(wrong.status == 2 && wrong.errors != "")
        withExtendedLifetime(daemon) {}
    }

    @Test("--verbose logs each call with parameters and duration, but no secrets")
    func verbose() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let score = harness.run(["score", "Ann", "15", "-v"])
        #expect(score.output == harness.run(["score", "Ann", "15"]).output)
        let lines = score.errors.split(separator: "\n")
        #expect(
            lines.first == "daemon \(Versions.program), interface \(Versions.control.upperBound)"
        )
        #expect(lines[1].hasPrefix(#"score {"words":["Ann","15"]}: answered after "#), "\(score)")
        #expect(lines[1].hasSuffix(" ms"))
        // Confirmed calls are made twice.
        let leave = harness.run(["session", "leave", "--yes", "--verbose"])
        #expect(leave.errors.split(separator: "\n").count { $0.hasPrefix("session.leave {") } == 2)
        var random = SystemRandomNumberGenerator()
        let code = JoinCode.random(using: &random).text
        let join = harness.run(["join", code, "-v"])
        #expect(join.errors.contains("session.join {…}: answered after "))
        #expect(!join.errors.contains(code), "\(join)")
        withExtendedLifetime(daemon) {}
    }

    @Test("Letters are short forms of options in all commands")
    func letters() throws {
        let harness = Harness(try TemporaryHome())
        #expect(harness.run(["score", "-h"]) == harness.run(["score", "--help"]))
        #expect(harness.run(["score", "-x"]).status == 2)
        let overview = harness.run(["help"]).output
        for option in ["-q, --quiet", "-v, --verbose", "-y, --yes", "-h, --help"] {
            #expect(overview.contains("  \(option) "), "\(option)")
        }
    }

    @Test("'player me' without arguments prints this laptop's player")
    func me() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        #expect(harness.run(["player", "me"]).output == "You are Bob.\n")
        let json = harness.run(["player", "me", "--json"]).output
        #expect(json.hasPrefix(#"{"player":{"#) && json.contains(#""name":"Bob""#))
        withExtendedLifetime(daemon) {}
    }

    @Test("A game after 'stats' is not mistaken for a command, and unknown options are reported")
    func stats() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        #expect(harness.run(["stats", "darts"]) == harness.run(["stats", "show", "darts"]))
        #expect(harness.run(["stats", "reset", "darts", "--player", "Ann"]).status == 2)
        #expect(harness.run(["help", "stats", "reset"]).output.contains("stats reset GAME"))
        withExtendedLifetime(daemon) {}
    }
}
