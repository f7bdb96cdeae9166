/// The failure of a call: a kind for programs and a message for people.
package struct ControlError: Document, Error {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case failed
        /// The call itself was malformed.
        case usage
        case noDaemon = "no-daemon"
        /// The daemon closed the connection before it answered.
        case lost = "connection-lost"
        case notFound = "not-found"
        /// The rules of the game do not allow the call.
        case refused
        /// A holder of the invite rejected the join code.
        case wrongCode = "wrong-code"
        case timedOut = "timed-out"
        case versionMismatch = "version-mismatch"
    }

    /// Decides the exit code of `scorectl`.
    package let kind: Kind
    /// A text for people that states the problem; it names no command, because web pages show it,
    /// too.
    package var message: String
    /// The command to type instead, which only terminals show:
    /// `choose one with: scorectl session use SESSION`.
    package var hint: String?
    /// The names that the user may have meant.
    package var candidates: [String]?
    /// The state that was found in place of the expected one; nil for any other error.
    package var conflict: WriteConflict?

    package init(
        _ kind: Kind,
        _ message: String,
        hint: String? = nil,
        candidates: [String]? = nil
    ) {
        (self.kind, self.message, self.hint) = (kind, message, hint)
        self.candidates = candidates
    }

    /// Whether no daemon is running, or the daemon closed the connection.
    package var isAbsence: Bool { kind == .noDaemon || kind == .lost }

    /// The message and the hint on one line, as a terminal prints them.
    package var text: String {
        guard let hint else { return message }
        let isSentence = message.last.map { ".?!".contains($0) } ?? true
        return message + (isSentence ? " " : "; ") + hint
    }

    /// Returns the same error with another message, usually one with more context.
    package func with(message: String) -> ControlError {
        var error = self
        error.message = message
        return error
    }

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

extension ControlError {
    package static func failed(_ message: String, hint: String? = nil) -> Self {
        Self(.failed, message, hint: hint)
    }

    package static func refused(_ message: String, hint: String? = nil) -> Self {
        Self(.refused, message, hint: hint)
    }

    package static func usage(
        _ message: String,
        hint: String? = nil,
        candidates: [String]? = nil
    ) -> Self {
        Self(.usage, message, hint: hint, candidates: candidates)
    }

    package static func notFound(
        _ message: String,
        hint: String? = nil,
        candidates: [String]? = nil
    ) -> Self {
        Self(.notFound, message, hint: hint, candidates: candidates)
    }
}
