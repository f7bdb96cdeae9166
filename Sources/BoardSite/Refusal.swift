package import SyncProtocol

/// Why a browser is not served.
package struct Refusal: Error, Hashable, Sendable {
    /// The status of HTTP.
    package let status: UInt32
    /// What sort it is, for programs.
    package let kind: String
    /// What it is, for people.
    package let message: String
    /// The headers that belong to it, such as after how many seconds to ask again.
    package let headers: [String: String]

    /// A refusal of these parts.
    package init(
        _ status: UInt32,
        _ kind: String,
        _ message: String,
        _ headers: [String: String] = [:]
    ) {
        self.status = status
        self.kind = kind
        self.message = message
        self.headers = headers
    }

    /// What the daemon refused; what it did not come to may be asked for again.
    package init(_ error: ControlError) {
        let isFinal =
            switch error.kind {
            case .usage, .refused, .notFound, .wrongCode: true
            case .failed, .noDaemon, .lost, .timedOut, .versionMismatch: false
            }
        self.init(
            isFinal ? 422 : 503,
            error.kind.rawValue,
            error.message,
            isFinal ? [:] : ["Retry-After": "1"]
        )
    }

    /// The path leads nowhere.
    static let nothing = Refusal(404, "not-found", "There is nothing here.")
    /// A link of somebody who does not play any more, or for whom a computer moves.
    static let gone = Refusal(
        410,
        "gone",
        "This link is no longer good: scan the code on the board again."
    )
    /// A submission for a session that the board has not shown.
    package static let otherSession = Refusal(
        422,
        "not-found",
        "This board has not shown the game in which that was typed."
    )
    /// More submissions than anybody types.
    static let tooFast = Refusal(
        429,
        "too-fast",
        "Too much at once: wait a moment.",
        ["Retry-After": "1"]
    )
    /// The board is about to end.
    package static let ending = Refusal(503, "no-daemon", "The board ends.", ["Retry-After": "1"])
    /// More pages than are told at once.
    package static let crowded = Refusal(
        503,
        "crowded",
        "Too many pages are open.",
        ["Retry-After": "5"]
    )
    /// A body longer than any submission.
    static let tooLong = Refusal(413, "usage", "What is entered is not as long as that.")

    /// The refusal for the program of a page.
    package var json: [UInt8] {
        let document = Document(error: Document.Reason(kind: kind, message: message))
        return (try? ControlJSON.encode(document)) ?? []
    }

    private struct Document: Encodable {
        let error: Reason

        struct Reason: Encodable {
            let kind: String
            let message: String
        }
    }
}
