import FoundationEssentials
import LaptopKit

/// The program of `Tests/Interop`, written from PROTOCOL.md alone.
enum SecondClient {
    /// Its tests, as `--list` prints them.
    enum Story: String, CaseIterable {
        case examples, joins, scores, conflicts, returns, nonsense, refuses, repairs, listens
        case floods, keeps, shows, finishes, knocks, replays, crowds, relays
    }

    /// Whether this machine has what it is made of.
    static let isPossible: Bool = {
        let script = """
            python3 -c 'import hashlib, sys; hashlib.scrypt; sys.exit(sys.version_info < (3, 9))' &&
            openssl version | grep -q ^OpenSSL
            """
        let outcome = try? Running(["/bin/sh", "-c", script], .captured).outcome()
        return outcome?.status == 0
    }()

    /// The reason to print when it is skipped.
    static let need = "needs python3 (from 3.9) and the openssl program of OpenSSL"

    /// Runs it.
    static func run(_ words: [String]) throws -> Outcome {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let program = tests.appending(path: "Interop/run.py").path
        return try Running(["python3", "-B", program] + words, .captured)
            .outcome(within: .seconds(60))
    }
}
