import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization
import Testing

@testable import scorectl

@Suite("Restoring from the command line", .timeLimit(.minutes(10)))
struct RestoreCommandTests {
    private static let copy = CopySummary(file: "/stick/copy", bytes: 1 << 20, device: "d").with {
        $0.sessions = 2
        $0.entries = 9
        $0.latest = Timestamp(milliseconds: UInt64(Sample.now))
    }

    /// A daemon that ends when asked to.
    private final class ObedientDaemon: Sendable {
        private let daemon: Mutex<FakeDaemon?>

        init(_ home: TemporaryHome, options: [String]) throws {
            daemon = Mutex(try FakeDaemon(home: home, options: options))
            let stopped = daemon.withLock { $0?.stopped }
            DispatchQueue(label: "end").async { @Sendable [self] in
                _ = stopped?.wait(timeout: .now() + 20)
                daemon.withLock { $0 = nil }
            }
        }

        var hasEnded: Bool { daemon.withLock { $0 == nil } }
    }

    /// A program that restores, and its arguments.
    private final class Restorer: Sendable {
        let told = Mutex<[[String]]>([])
        private let wasUsed: Bool
        private let failing: ControlError?

        init(wasUsed: Bool, failing: ControlError? = nil) {
            self.wasUsed = wasUsed
            self.failing = failing
        }

        func run(_ words: [String]) throws(ControlError) -> [UInt8] {
            told.withLock { $0.append(words) }
            let isOnlyLooking = words.contains("--check")
            if let failing, !isOnlyLooking { throw failing }
            return try ControlJSON.encode(
                RestoreReport(copy: RestoreCommandTests.copy, home: "/home").with {
                    $0.heldSessions = wasUsed ? 3 : 0
                    $0.wasUsed = wasUsed
                    $0.restored = !isOnlyLooking
                    $0.replaced = isOnlyLooking || !wasUsed ? nil : "/home/scoresync.db.replaced-1"
                }
            )
        }

        /// The arguments since the last call.
        var words: [[String]] { told.withLock { $0 } }
    }

    private func run(
        _ harness: Harness,
        _ words: [String],
        _ restorer: Restorer,
        input: String? = nil
    ) -> Harness.Outcome {
        harness.run(
            words,
            input: input,
            adjust: { console in
                console.isInputTerminal = input != nil
                console.runTask = { (_, words, _) throws(ControlError) in
                    try restorer.run(words)
                }
            }
        )
    }

    @Test("checks first, asks if there is any state, and does nothing after a no")
    func asks() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        let restorer = Restorer(wasUsed: true)
        let no = run(harness, ["restore", "/stick/copy"], restorer, input: "n")
        #expect(no.status == 1)
        #expect(no.errors.contains("This laptop has 3 sessions. Replace it with the backup as of "))
        #expect(restorer.words == [["--restore", "/stick/copy", "--check"]])
        #expect(harness.launched.isEmpty)
        let yes = run(harness, ["restore", "/stick/copy"], restorer, input: "y")
        #expect(yes.status == 0, "\(yes)")
        #expect(yes.output.contains("Restored 2 sessions"))
        #expect(yes.output.contains("The previous state is in /home/scoresync.db.replaced-1"))
        #expect(restorer.words.last == ["--restore", "/stick/copy"])
        #expect(harness.launched == [[]])
    }

    @Test("asks nothing without state, and starts the daemon with the given options")
    func empty() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        let words = ["restore", "12", "--", "--name", "kitchen"]
        let done = run(harness, words, Restorer(wasUsed: false))
        #expect(done.status == 0, "\(done)")
        #expect(!done.output.contains("The previous state"))
        #expect(harness.launched == [["--name", "kitchen"]])
        let still = run(harness, ["restore", "12", "--no-spawn"], Restorer(wasUsed: false))
        #expect(still.status == 0 && harness.launched.count == 1)
    }

    @Test("stops a running daemon, and starts it again if the copy cannot be restored")
    func failing() throws {
        let home = try TemporaryHome()
        let daemon = try ObedientDaemon(home, options: ["--port", "5"])
        let harness = Harness(home)
        let restorer = Restorer(wasUsed: false, failing: ControlError(.failed, "no room"))
        let outcome = run(harness, ["restore", "/stick/copy"], restorer)
        #expect(outcome.status == 1 && outcome.errors.contains("no room"), "\(outcome)")
        #expect(daemon.hasEnded)
        #expect(harness.launched == [["--port", "5"]])
    }

    @Test("starts the daemon with the options that it had, or with others in their place")
    func options() throws {
        for (given, expected) in [([], ["--port", "5"]), (["--loopback"], ["--loopback"])] {
            let home = try TemporaryHome()
            let daemon = try ObedientDaemon(home, options: ["--port", "5"])
            let harness = Harness(home)
            let words = ["restore", "/stick/copy"] + (given.isEmpty ? [] : ["--"] + given)
            let outcome = run(harness, words, Restorer(wasUsed: false))
            #expect(daemon.hasEnded)
            #expect(outcome.status == 0 && harness.launched == [expected], "\(outcome)")
        }
    }

    @Test("reports that the copy is restored if the daemon does not start with it")
    func startless() throws {
        let home = try TemporaryHome()
        let restorer = Restorer(wasUsed: false)
        let outcome = Harness(home).run(
            ["restore", "/stick/copy"],
            launch: { () throws(ControlError) in throw ControlError(.timedOut, "no answer") },
            adjust: { console in
                console.runTask = { (_, words, _) throws(ControlError) in
                    try restorer.run(words)
                }
            }
        )
        #expect(outcome.status == 7)
        #expect(outcome.errors == "scorectl: the backup was restored, but: no answer\n")
    }

    @Test("shows its progress on a terminal, and clears it")
    func progress() throws {
        let home = try TemporaryHome()
        let restorer = Restorer(wasUsed: false)
        let clock = Mutex<Int64>(0)
        func restore(onTerminal isTerminal: Bool) -> Harness.Outcome {
            Harness(home).run(
                ["restore", "/stick/copy"],
                adjust: { console in
                    console.isErrorTerminal = isTerminal
                    console.steady = { clock.withLock { $0 } }
                    console.runTask = { (_, words, tell) throws(ControlError) in
                        for share in words.contains("--check") ? [nil] : [nil, 0.42, nil, 1] {
                            clock.withLock { $0 += 500 }
                            tell(share)
                        }
                        return try restorer.run(words)
                    }
                }
            )
        }
        let start = "\r\u{1B}[K"
        let checking = [start + "checking …", start]
        let restoring = ["restoring …", "restoring: 42 %", "restoring: 42 %", "restoring: 100 %"]
        let told = checking + restoring.map { start + $0 } + [start]
        #expect(restore(onTerminal: true).errors == told.joined())
        #expect(restore(onTerminal: false).errors.isEmpty)
    }

    @Test("prints sizes for people")
    func bytes() {
        let lengths = [0, 1, 1023, 1024, 1536, 1 << 20, 1_300_000, 31 << 20, 5 << 30]
        #expect(
            lengths.map(ByteCount.text) == [
                "0 bytes", "1 byte", "1023 bytes", "1 KiB", "2 KiB", "1.0 MiB", "1.2 MiB",
                "31 MiB", "5.0 GiB",
            ]
        )
    }
}
