import SessionCRDT
import SyncEngine
import SyncProtocol

extension Question {
    /// What to ask before a session is left, which nobody can take back alone: what it holds, what
    /// of it would be lost, and who can let this device in again.
    ///
    /// `others` are the devices that have held it, `scores` how many it has; nil where it cannot be
    /// read.
    static func aboutLeaving(
        _ title: String,
        _ session: SessionID,
        scores: Int?,
        others: [String],
        _ engine: SyncEngine
    ) -> Question {
        let held =
            switch scores {
            case nil: ""
            case 0?: "It has no scores yet. "
            case 1?: "It has 1 score. "
            case let count?: "It has \(count) scores. "
            }
        let loss = loss(with: session, isAlone: others.isEmpty, engine)
        let names = others.prefix(mostNames).joined(separator: ", ")
        let more = others.count > mostNames ? " and \(others.count - mostNames) more" : ""
        let way = others.isEmpty ? "" : " To come back you need an invite by \(names)\(more)."
        return Question(
            asking: "Leave “\(title)”? \(held)\(loss)\(way)",
            about: session
        )
    }

    /// How many devices are named.
    private static let mostNames = 4

    private static func loss(
        with session: SessionID,
        isAlone: Bool,
        _ engine: SyncEngine
    ) -> String {
        guard engine.replicas[session] != nil else {
            return "It cannot be read now, and its scores may be on no other laptop."
        }
        guard !isAlone else { return "No other laptop has it: all of it would be lost." }
        guard engine.hasUnsyncedWrites(session) else {
            return "Others have all that was entered here."
        }
        let unsynced = engine.unsyncedCells(session)
        let what =
            switch unsynced {
            case 0: "What you changed is"
            case 1: "1 of your scores is"
            default: "\(unsynced) of your scores are"
            }
        return "\(what) on no other laptop and would be lost."
    }
}
