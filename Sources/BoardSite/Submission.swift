package import SyncProtocol

/// What a phone enters, or takes back, as its page sends it.
package struct Submission: Hashable, Sendable {
    /// What is to be done.
    package enum Wish: Hashable, Sendable {
        /// To enter what one would type after `score`.
        case words([String])
        /// To make a move: what one would type after `play`, its options by name.
        case move([String], details: [String: String])
        /// To take back what this phone's player entered last.
        case undo
    }

    /// What it is called, by a name that is its own for good.
    package let id: SubmissionID
    /// What is to be done.
    package let wish: Wish
    /// The session in which it was typed; nil is the one that is shown.
    package let session: String?

    /// The most bytes of a body.
    package static let mostBytes = 4096
    /// The most words of a submission, or of its details.
    package static let mostWords = 64

    private struct Body: Decodable {
        let id: String
        let words: [String]?
        let move: [String]?
        let details: [String: String]?
        let session: String?
    }

    /// What a body says; `isUndo` where it came to take something back.
    ///
    /// - Throws: a refusal of what no page of the board sends.
    package init(_ body: [UInt8], isUndo: Bool) throws(Refusal) {
        guard body.count <= Submission.mostBytes else { throw .tooLong }
        let said: Body
        do { said = try ControlJSON.decode(Body.self, from: body) } catch {
            throw Refusal(400, "usage", "The body cannot be read: \(error.message)")
        }
        guard let id = SubmissionID(said.id) else {
            throw Refusal(400, "usage", "An id has 16 lower-case hexadecimal digits.")
        }
        self.id = id
        session = said.session
        switch (isUndo, said.words, said.move, said.details) {
        case (true, nil, nil, nil): wish = .undo
        case (false, let words?, nil, nil): wish = .words(words)
        case (false, nil, let move?, let details): wish = .move(move, details: details ?? [:])
        default:
            let text = "What is entered has words or a move, and an undo neither."
            throw Refusal(400, "usage", text)
        }
        let counts = [said.words, said.move].compactMap { $0?.count }
        guard counts.allSatisfy({ (1...Submission.mostWords).contains($0) }),
            said.details?.count ?? 0 <= Submission.mostWords
        else {
            let text = "What is entered has 1 to \(Submission.mostWords) words."
            throw Refusal(400, "usage", text)
        }
    }
}
