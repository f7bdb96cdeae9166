import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization
import Testing

@testable import scorectl

/// A daemon that is older or newer than the command line.
@Suite(.timeLimit(.minutes(10)))
struct SkewTests {
    private let old = ProgramBuild(bytes: 5, changed: 7)
    private let new = ProgramBuild(bytes: 6, changed: 8)

    private func skew(
        _ version: String,
        _ running: ProgramBuild?,
        _ installed: ProgramBuild?
    )
        -> DaemonSkew?
    {
        let agreement = NegotiateReply(api: 3, version: version, build: running?.text)
        return DaemonSkew(agreement) { installed }
    }

    @Test("Versions are compared as numbers, builds only of one version")
    func comparing() {
        let ours = Versions.program
        #expect(skew(ours, nil, nil) == nil)
        #expect(skew(ours, old, old) == nil)
        #expect(skew(ours, old, nil) == nil)
        #expect(skew(ours, nil, new) == nil)
        #expect(skew(ours, old, new) == .replaced(ours))
        // A developer may run a newer daemon.
        #expect(skew(ours, new, old) == nil)
        #expect(skew("0.0.10", old, old) == .older("0.0.10"))
        #expect(skew("0.10.0", old, old) == .newer("0.10.0"))
        #expect(skew("nonsense", nil, nil) == .older("nonsense"))
        #expect(ProgramBuild("later form") == nil && ProgramBuild(old.text) == old)
    }

    @Test("A script is informed once, and its call is carried out")
    func hint() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home, program: "0.0.9")
        let harness = Harness(home)
        let line =
            "scorectl: the running daemon (0.0.9) is older than this scorectl "
            + "(\(Versions.program)); restart it with: scorectl daemon restart\n"
        let score = harness.run(["score", "Ann", "5"])
        #expect(score.status == 0 && score.errors.hasPrefix(line) && score.output != "")
        // Also where several calls are made over a connection.
        #expect(harness.run(["session", "leave", "--yes"]).errors == line)
        #expect(harness.run(["session", "leave", "--yes", "-q"]).errors == "")
        #expect(harness.run(["show", "--json"]).errors == "")
        withExtendedLifetime(daemon) {}
    }

    @Test("A newer daemon is reported, without an offer to restart it")
    func newer() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home, program: "99.0")
        let outcome = Harness(home).run(["show"], adjust: terminal)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("(99.0) is newer than this scorectl"))
        #expect(outcome.errors.contains("install the same version of both"))
        withExtendedLifetime(daemon) {}
    }

    private func terminal(_ console: inout Console) {
        console.isInputTerminal = true
        console.isOutputTerminal = true
    }

    @Test("On a terminal it offers once to restart an older daemon, and does so after a yes")
    func offer() throws {
        let home = try TemporaryHome()
        let daemon = Mutex(try FakeDaemon(home: home, build: old) as FakeDaemon?)
        let harness = Harness(home)
        func run(
            _ words: [String],
            _ input: String?
        ) -> Harness.Outcome {
            harness.run(
                words,
                input: input,
                launch: { () throws(ControlError) in
                    let started = try? FakeDaemon(home: home, build: self.new)
                    daemon.withLock { $0 = started }
                },
                adjust: { console in
                    terminal(&console)
                    console.installedDaemon = { self.new }
                }
            )
        }
        let question =
            "The running daemon is an older build of \(Versions.program) than the installed one. "
            + "Restart it now? Nothing is lost. [Y/n] "
        #expect(run(["show"], nil).errors == question)
        let no = run(["show"], "n")
        #expect(no.status == 0 && no.errors == question && no.output != "", "\(no)")
        #expect(harness.launched == [])
        let stopped = daemon.withLock { $0?.stopped }
        DispatchQueue(label: "end").async {
            _ = stopped?.wait(timeout: .now() + 20)
            daemon.withLock { $0 = nil }
        }
        let yes = run(["session", "leave", "--yes"], nil)
        #expect(yes.status == 0 && yes.errors == "", "\(yes)")
        #expect(harness.launched == [[]])
        #expect(daemon.withLock { $0?.calls.last }?.hasPrefix("session.leave") == true)
        #expect(run(["show"], nil).errors == "")
        daemon.withLock { $0 = nil }
    }

    @Test("A daemon without a version in common is reported in one line, and can be restarted")
    func tooOld() throws {
        let home = try TemporaryHome()
        let daemon = Mutex(
            try FakeDaemon(home: home, program: "0.0.9", speaking: 1...2) as FakeDaemon?
        )
        let harness = Harness(home)
        let line =
            "the running daemon (0.0.9) is older than this scorectl (\(Versions.program)); "
            + "restart it with: scorectl daemon restart"
        for words in [["score", "Ann", "5"], ["session", "leave", "--yes"], ["daemon", "start"]] {
            let refused = harness.run(words)
            #expect(refused.status == 8 && refused.errors == "scorectl: \(line)\n", "\(refused)")
            let json = harness.run(words + ["--json"])
            #expect(json.errors.contains(#""kind":"version-mismatch""#), "\(json)")
        }
        #expect(daemon.withLock { $0?.calls } == [])
        let stopped = daemon.withLock { $0?.stopped }
        DispatchQueue(label: "end").async {
            _ = stopped?.wait(timeout: .now() + 20)
            daemon.withLock { $0 = nil }
        }
        let yes = harness.run(
            ["score", "Ann", "5"],
            input: "",
            launch: { () throws(ControlError) in
                let started = try? FakeDaemon(home: home)
                daemon.withLock { $0 = started }
            },
            adjust: terminal
        )
        #expect(yes.status == 0 && yes.output.contains("Round 3 = 15"), "\(yes)")
        #expect(daemon.withLock { $0?.calls } == [#"score {"words":["Ann","5"]}"#])
        daemon.withLock { $0 = nil }
    }

    @Test("A command line that is too old must be updated, and offers nothing")
    func tooNew() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home, program: "99.0", speaking: 8...9)
        let refused = Harness(home).run(["score", "Ann", "5"], input: "", adjust: terminal)
        #expect(refused.status == 8)
        let ours = "scorectl \(Versions.program)"
        #expect(
            refused.errors
                == "scorectl: daemon 99.0 speaks versions 8 to 9 of the control interface, "
                + "\(ours) speaks 3 to 3; update \(ours)\n"
        )
        withExtendedLifetime(daemon) {}
    }
}
