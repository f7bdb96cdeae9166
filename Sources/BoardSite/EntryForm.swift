package import SyncProtocol

/// What a phone enters, or takes back, as its page sends it.
package struct EntryForm: Hashable, Sendable {
    /// What is to be done.
    package enum Wish: Hashable, Sendable {
        /// To enter what one would type after `score`.
        case words([String])
        /// To make a move: what one would type after `play`, with its options by name.
        case move([String], details: [String: String])
        /// To take back what this phone's player entered last.
        case undo
    }

    /// The entry, by a name that is its own for good.
    package let id: EntryID
    /// What is to be done.
    package let wish: Wish
    /// The session in which it was typed; nil is the one that is shown.
    package let session: String?

    /// The most bytes of a body.
    package static let mostBytes = 4096
    /// The most words of an entry, or of its details.
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
        guard body.count <= EntryForm.mostBytes else { throw .tooLong }
        let said: Body
        do { said = try ControlJSON.decode(Body.self, from: body) } catch {
            throw Refusal(400, "usage", "The body cannot be read: \(error.message)")
        }
        guard let id = EntryID(said.id) else {
            throw Refusal(400, "usage", "An id has 16 lower-case hexadecimal digits.")
        }
        self.id = id
        session = said.session
        switch (isUndo, said.words, said.move, said.details) {
        case (true, nil, nil, nil): wish = .undo
        case (false, let words?, nil, nil): wish = .words(words)
        case (false, nil, let move?, let details): wish = .move(move, details: details ?? [:])
        default: throw Refusal(400, "usage", "An entry has words or a move, and an undo neither.")
        }
        let counts = [said.words, said.move].compactMap { $0?.count }
        guard counts.allSatisfy({ (1...EntryForm.mostWords).contains($0) }),
            said.details?.count ?? 0 <= EntryForm.mostWords
        else { throw Refusal(400, "usage", "An entry has 1 to \(EntryForm.mostWords) words.") }
    }
}
