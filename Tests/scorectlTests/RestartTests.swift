import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization
import Testing

@testable import scorectl

/// The options of a restarted daemon.
@Suite("Restarting the daemon", .timeLimit(.minutes(10)))
struct RestartTests {
    /// Restarts a daemon that has options, with other words behind the command.
    private func restart(
        _ options: [String],
        _ words: [String],
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws -> (outcome: Harness.Outcome, launched: [[String]]) {
        let home = try TemporaryHome()
        let daemon = Mutex(
            try FakeDaemon(home: home, options: options, speaking: versions) as FakeDaemon?
        )
        let stopped = daemon.withLock { $0?.stopped }
        DispatchQueue(label: "end").async { @Sendable in
            _ = stopped?.wait(timeout: .now() + 20)
            daemon.withLock { $0 = nil }
        }
        let harness = Harness(home)
        let outcome = harness.run(
            ["daemon", "restart"] + words,
            launch: { () throws(ControlError) in
                let started = try? FakeDaemon(home: home)
                daemon.withLock { $0 = started }
            }
        )
        daemon.withLock { $0 = nil }
        return (outcome, harness.launched)
    }

    @Test(
        "It keeps its options, and prints them, also after an update",
        arguments: [Versions.control, 1...2]
    )
    func kept(versions: ClosedRange<Int>) throws {
        let options = ["--port", "5", "--interface", "my net"]
        let (outcome, launched) = try restart(options, [], speaking: versions)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(launched == [options])
        let line = "It has the same options: --port 5 --interface 'my net'\n"
        #expect(outcome.output.hasSuffix(line), "\(outcome)")
    }

    @Test("The running daemon is not stopped if there is no program to start")
    func missing() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let none = ControlError(.failed, "none")
        let outcome = harness.run(
            ["daemon", "restart"],
            adjust: { $0.checkProgram = { () throws(ControlError) in throw none } }
        )
        #expect(outcome.status == 1 && outcome.errors.contains("none"), "\(outcome)")
        #expect(daemon.calls.isEmpty && harness.launched.isEmpty)
    }

    @Test("Calls that a stopping daemon refused, or read and did not answer, are repeated")
    func repeats() throws {
        let cases: [(error: ControlError, words: [String], calls: ClosedRange<Int>)] = [
            (ControlError(.noDaemon, "the daemon is stopping"), ["show"], 2...9),
            (ControlError(.noDaemon, "the daemon is stopping"), ["score", "Ann", "5"], 2...9),
            (ControlError(.lost, "the daemon stopped before it answered"), ["show"], 2...9),
            (ControlError(.lost, "the daemon stopped"), ["score", "Ann", "5"], 1...1),
            (ControlError(.failed, "no disk"), ["show"], 1...1),
        ]
        for (error, words, calls) in cases {
            let home = try TemporaryHome()
            let daemon = try FakeDaemon(home: home, error: error)
            let outcome = Harness(home).run(words)
            #expect(outcome.status == error.exitCode, "\(outcome)")
            #expect(calls.contains(daemon.calls.count), "\(error) \(daemon.calls)")
        }
    }

    @Test("Given options replace all, and without any nothing is printed")
    func given() throws {
        let others = try restart(["--port", "5"], ["--", "--loopback"])
        #expect(others.launched == [["--loopback"]])
        #expect(!others.outcome.output.contains("options"), "\(others)")
        let none = try restart([], [])
        #expect(none.launched == [[]])
        #expect(!none.outcome.output.contains("options"), "\(none)")
    }
}
