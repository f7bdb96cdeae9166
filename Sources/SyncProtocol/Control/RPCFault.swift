/// An error object of JSON-RPC 2.0 (section 5.1).
///
/// The standard codes tell what was wrong with the call itself. Everything else is −32000 less the
/// exit code of `scorectl`; `data` says the same in words, for clients that do not count.
package struct RPCFault: Error, Codable, Hashable, Sendable {
    /// What goes beyond the standard.
    package struct Details: Codable, Hashable, Sendable {
        /// The kind of ``ControlError``, as text because later versions may know more of them.
        package var kind: String
        /// What the user may have meant.
        package var candidates: [String]?
    }

    /// The frame holds no JSON.
    package static let notJSON = -32_700
    /// The JSON is no call.
    package static let notACall = -32_600
    /// Nobody knows the method.
    package static let unknownMethod = -32_601
    /// The parameters do not fit the method.
    package static let badParameters = -32_602
    /// The answer could not be made.
    package static let `internal` = -32_603

    /// The code of the standard, or of the kind.
    package var code: Int
    /// What went wrong, for people.
    package var message: String
    /// What goes beyond the standard.
    package var data: Details?

    /// A fault of the call itself.
    package init(code: Int, _ message: String, kind: ControlError.Kind = .usage) {
        self.code = code
        self.message = message
        data = Details(kind: kind.rawValue, candidates: nil)
    }

    /// The form in which an error travels.
    package init(_ error: ControlError) {
        code = -32_000 - Int(error.exitCode)
        message = error.message
        data = Details(kind: error.kind.rawValue, candidates: error.candidates)
    }

    /// The error that travelled; of a kind that this version does not know, just a failure.
    package var error: ControlError {
        let kind = (data?.kind).flatMap(ControlError.Kind.init(rawValue:)) ?? .failed
        return ControlError(kind, message, candidates: data?.candidates)
    }
}
