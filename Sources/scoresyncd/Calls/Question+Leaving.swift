import SessionCRDT
import SyncEngine
import SyncProtocol

extension Question {
    /// What to ask before a session is left of which something may be on no other laptop; nil where
    /// nothing can be lost.
    static func aboutLeaving(_ session: SessionID, _ engine: SyncEngine) -> Question? {
        guard let loss = loss(with: session, engine) else { return nil }
        return Question(asking: "\(loss) Leave all the same?", about: session)
    }

    private static func loss(with session: SessionID, _ engine: SyncEngine) -> String? {
        guard engine.replicas[session] != nil else {
            return "This session cannot be read now, and its scores may be on no other laptop."
        }
        guard engine.hasUnsyncedWrites(session) else { return nil }
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
