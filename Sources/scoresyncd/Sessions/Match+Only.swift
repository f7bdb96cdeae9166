import ScoreSheets
import SyncProtocol

extension Match {
    /// The only item that was meant, or an error that lists those that could be.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - plural: what several such items are called, as in “could be several players”.
    ///   - missing: what is said when there is none.
    ///   - known: the names to choose from then.
    ///   - precise: what tells one of several from the others.
    /// - Returns: the item.
    /// - Throws: `notFound` with the candidates.
    func only(
        of text: String,
        _ plural: String,
        missing: String,
        known: [String],
        precise: (Item) -> String
    ) throws(ControlError) -> Item {
        switch self {
        case .one(let item): return item
        case .none: throw ControlError(.notFound, missing, candidates: known)
        case .many(let items):
            throw ControlError(
                .notFound,
                "“\(text)” could be several \(plural)",
                candidates: items.map(precise)
            )
        }
    }
}
