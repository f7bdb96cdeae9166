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

    /// Decides the exit code of `scorectl`.
    package let kind: Kind
    /// What went wrong and where, for everybody: it names no command.
    package var message: String
    /// What to type instead, for a command line: `choose one with: scorectl session use SESSION`.
    ///
    /// Pages and phones leave it out.
    package var hint: String?
    /// What the user may have meant.
    package var candidates: [String]?

    package init(
        _ kind: Kind,
        _ message: String,
        hint: String? = nil,
        candidates: [String]? = nil
    ) {
        (self.kind, self.message, self.hint) = (kind, message, hint)
        self.candidates = candidates
    }

    /// Whether the daemon is not there, or no longer.
    package var isAbsence: Bool { kind == .noDaemon || kind == .lost }

    /// The message and the hint on one line, as a terminal prints them.
    package var text: String {
        guard let hint else { return message }
        let isSentence = message.last.map { ".?!".contains($0) } ?? true
        return message + (isSentence ? " " : "; ") + hint
    }

    /// The same error with another message, which usually says more about the place.
    package func with(message: String) -> ControlError {
        var error = self
        error.message = message
        return error
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
