package import SyncProtocol

/// An error response of the server.
package struct HTTPError: Error, Hashable, Sendable {
    package let status: UInt32
    /// The kind for programs, as in `ControlError`.
    package let kind: String
    /// The message for people.
    package let message: String
    /// Headers of the response, such as `Retry-After`.
    package let headers: [String: String]
    /// The state that was found in place of the expected one; nil for any other error.
    private var conflict: WriteConflict?

    package init(
        _ status: UInt32,
        _ kind: String,
        _ message: String,
        _ headers: [String: String] = [:]
    ) {
        (self.status, self.kind, self.message, self.headers) = (status, kind, message, headers)
    }

    /// Creates the error of a daemon: 409 for a conflict, 422 if it rejected the request for another
    /// reason, 503 if a retry may succeed.
    package init(_ error: ControlError) {
        let isFinal =
            switch error.kind {
            case .usage, .refused, .notFound, .wrongCode: true
            case .failed, .noDaemon, .lost, .timedOut, .versionMismatch: false
            }
        let headers = isFinal ? [:] : HTTPError.retry
        let status: UInt32 = error.conflict != nil ? 409 : isFinal ? 422 : 503
        self.init(status, error.kind.rawValue, error.message, headers)
        conflict = error.conflict
    }

    private static let retry = ["Retry-After": "1"]

    package static let notFound = HTTPError(
        404,
        "not-found",
        "Nothing is at this address. Scan the code on the board again, or open its whole address."
    )
    static let otherHost = HTTPError(
        421,
        "usage",
        "Unknown host name. Open the address that the board shows now: after a change of the "
            + "network it is another one."
    )
    /// The link of somebody who does not take part in the game that is shown, or who is now played by
    /// a computer.
    package static let gone = HTTPError(
        410,
        "gone",
        "You are not in the game that the board shows now. Your link works again when you are."
    )
    /// A claim of a player whose link another phone has.
    static func taken(_ name: String) -> HTTPError {
        HTTPError(409, "taken", "Another phone enters for \(name).")
    }
    /// An owner's page in a browser that was not let in.
    static let locked = HTTPError(
        403,
        "locked",
        "Open this page from ScoreSync on this laptop: by its icon, or with scorectl app."
    )
    /// A key for the owner's page that was used already, or that is too old.
    package static let usedKey = HTTPError(
        403,
        "locked",
        "This address worked once. Open ScoreSync again: by its icon, or with scorectl app."
    )
    /// A submission to a session that this board has not shown.
    package static let otherSession = HTTPError(
        422,
        "not-found",
        "This board has not shown the game in which you entered this."
    )
    static let tooFast = HTTPError(429, "too-fast", "Too many at once. Wait a moment.", retry)
    package static let ending = HTTPError(503, "no-daemon", "The board is shutting down.", retry)
    package static let tooManyPages = HTTPError(
        503,
        "crowded",
        "Too many pages are open.",
        ["Retry-After": "5"]
    )
    static func tooLong(_ maxBytes: Int) -> HTTPError {
        HTTPError(413, "usage", "The body is too long (\(maxBytes) bytes at most).")
    }

    /// The body of the response to a browser that opens a page: a page that says what to do.
    package var page: [UInt8] {
        let head =
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
            + "<title>ScoreSync</title><link rel=\"stylesheet\" href=\"/help.css\">"
        return Array("\(head)<main><h1>ScoreSync</h1><p>\(message)</p></main></html>\n".utf8)
    }

    /// The body of the response to a program.
    package var json: [UInt8] {
        struct Body: Encodable {
            let kind: String
            let message: String
            let conflict: WriteConflict?
        }
        let error = Body(kind: kind, message: message, conflict: conflict)
        return (try? ControlJSON.encode(["error": error])) ?? []
    }
}
