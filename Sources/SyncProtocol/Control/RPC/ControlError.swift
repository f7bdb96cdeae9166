/// Why a call failed: a kind that programs act on, and words for people.
package struct ControlError: Error, Codable, Hashable, Sendable {
    /// What sort of failure it is; decides the exit code of `scorectl`.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// Something went wrong.
        case failed
        /// The call itself was malformed.
        case usage
        /// No daemon answers.
        case noDaemon = "no-daemon"
        /// The daemon has gone before it answered.
        case lost = "connection-lost"
        /// Something was named that is not there.
        case notFound = "not-found"
        /// The rules do not allow it.
        case refused
        /// A holder of the invite rejected the join code.
        case wrongCode = "wrong-code"
        /// It did not happen in time.
        case timedOut = "timed-out"
        /// Client and daemon speak different versions.
        case versionMismatch = "version-mismatch"
    }

    /// What sort of failure it is.
    package let kind: Kind
    /// Whether the daemon is not there, or no longer.
    package var isAbsence: Bool { kind == .noDaemon || kind == .lost }
    /// What went wrong, where, and what to do about it.
    package let message: String
    /// What the user may have meant.
    package let candidates: [String]?

    /// An error of these parts.
    package init(_ kind: Kind, _ message: String, candidates: [String]? = nil) {
        self.kind = kind
        self.message = message
        self.candidates = candidates
    }
}

extension ControlError {
    /// The exit code of `scorectl` for this kind of failure.
    package var exitCode: Int32 {
        switch kind {
        case .failed, .lost: 1
        case .usage: 2
        case .noDaemon: 3
        case .notFound: 4
        case .refused: 5
        case .wrongCode: 6
        case .timedOut: 7
        case .versionMismatch: 8
        }
    }
}
