import Dispatch
import ScoreSheets
import SessionCRDT

/// What the computer players of this device are thinking about: owns the queue of the searches.
///
/// A session has at most one search under way, and each book is searched once: what came of it is
/// played or does not count any more, and the book changes before there is anything new to find.
struct ComputerSearches {
    /// Where the searches run, one after the other, so that they never take more than one core.
    private let queue = DispatchQueue(label: "computer players", qos: .utility)

    private var searched: [SessionID: Book] = [:]
    private var searching: Set<SessionID> = []

    /// Searches beside everything else.
    func search(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Whether to search this book now; then it counts as searched.
    mutating func begin(_ book: Book, of session: SessionID) -> Bool {
        guard !searching.contains(session), searched[session] != book else { return false }
        searched[session] = book
        searching.insert(session)
        return true
    }

    /// The search of a session has ended.
    mutating func end(_ session: SessionID) { searching.remove(session) }

    /// Lets the book of a session be searched again, because what was found could not be written.
    mutating func forget(_ session: SessionID) { searched[session] = nil }
}
