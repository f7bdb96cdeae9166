package import SyncProtocol

/// A request of a phone to enter something or to undo it.
package struct Submission: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The arguments of `scorectl score`.
        case words([String])
        /// The cells that `scorectl clear` empties.
        case clear([String])
        /// The arguments of `scorectl play`, with its options by name.
        case move([String], details: [String: String])
        /// Undoes the last entry of the phone's player.
        case undo
    }

    /// An id that a retry repeats.
    package let id: SubmissionID
    package let action: Action
    /// The session in which it was typed; nil for the one that is shown.
    package let session: String?
    /// The state for which it was typed; nil for an undo.
    package let expecting: Expectation?

    /// The maximum length of a body.
    package static let maxBytes = 4096
    /// The maximum number of words of a submission, and of its details.
    package static let maxWords = 64

    private struct Body: Decodable {
        let id: String
        let words: [String]?
        let clear: [String]?
        let move: [String]?
        let details: [String: String]?
        let session: String?
        let expecting: Expectation?
    }

    /// Decodes a body.
    ///
    /// - Throws: an error of status 400 or 413 for a body that no page of the board sends.
    package init(_ json: [UInt8], isUndo: Bool) throws(HTTPError) {
        guard json.count <= Submission.maxBytes else { throw .tooLong(Submission.maxBytes) }
        let body: Body
        do { body = try ControlJSON.decode(Body.self, from: json) } catch {
            throw HTTPError(400, "usage", "Cannot read the body: \(error.message)")
        }
        guard let id = SubmissionID(body.id) else {
            throw HTTPError(400, "usage", "An id has 16 lower-case hexadecimal digits.")
        }
        self.id = id
        session = body.session
        expecting = body.expecting
        switch (isUndo, body.words, body.clear, body.move, body.details) {
        case (true, nil, nil, nil, nil) where expecting == nil: action = .undo
        case (false, let words?, nil, nil, nil): action = .words(words)
        case (false, nil, let cells?, nil, nil): action = .clear(cells)
        case (false, nil, nil, let move?, let details):
            action = .move(move, details: details ?? [:])
        default:
            let text = "A submission has words, cells to clear or a move, and an undo has none."
            throw HTTPError(400, "usage", text)
        }
        let counts = [body.words, body.clear, body.move].compactMap { $0?.count }
        guard counts.allSatisfy({ (1...Submission.maxWords).contains($0) }),
            body.details?.count ?? 0 <= Submission.maxWords
        else {
            let text = "A submission has 1 to \(Submission.maxWords) words."
            throw HTTPError(400, "usage", text)
        }
    }
}
