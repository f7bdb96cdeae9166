import SessionCRDT
import SyncEngine
import SyncProtocol

extension Alarms {
    /// Tells what the engine found to be wrong.
    func raise(_ alarm: EngineAlarm) {
        let (kind, subject, text) = Alarms.line(of: alarm)
        raise(kind, subject, text, .warning)
    }

    /// The alarm as people read it; a later one of the same kind and subject replaces it.
    private static func line(of alarm: EngineAlarm) -> (Kind, subject: String, text: String) {
        switch alarm {
        case .clockSkew(_, let device, let name, let milliseconds):
            let way = milliseconds > 0 ? "ahead of" : "behind"
            let skew = SpokenTime.text(milliseconds)
            return (
                .clockSkew, "\(device)",
                "the clock of \(name) is \(skew) \(way) this one; scores are safe, but set it right"
            )
        case .clonedDevice(let device, let name):
            return (
                .clonedHome, "\(device)",
                "two daemons run as \(name): a home directory was copied; scores are safe, but "
                    + "delete one of the copies and join anew"
            )
        case .digestMismatch(let session, let device, let name):
            return (
                .digestMismatch, "\(session) \(device)",
                "\(name) had seen the same and held something else; both were united, look at "
                    + "the scores"
            )
        case .excess(let session, let device, let name, let excess):
            return (
                .tooMuch, "\(session) \(device)",
                "\(name) sends \(excess); nothing more of it is taken. If it goes on, begin a new "
                    + "session without it: scorectl session new GAME"
            )
        case .refused(let session, let device, let name):
            return (
                .tooMuch, "\(session) \(device) there",
                "\(name) takes no more of session \(session.description.prefix(8)): it would hold "
                    + "too much; begin a new one: scorectl session new GAME"
            )
        case .badDelta(let session, let device, let name, let reason):
            return (.badDelta, "\(session) \(device)", "\(name) sends \(unsound(session, reason))")
        case .deltaRefused(let session, let device, let name, let reason):
            return (
                .badDelta, "\(session) \(device) there",
                "\(name) is sent \(unsound(session, reason))"
            )
        case .storage(let session, let reason):
            return (.storage, "\(session)", "the disk refused: \(reason)")
        case .wrongKey(let session, let endpoint):
            return (
                .wrongKey, "\(session)",
                "\(endpoint) has another key for session \(session.description.prefix(8))"
            )
        case .version(let device, let name, let speaks):
            return (
                .version, "\(device)",
                "\(name) speaks protocol \(speaks.lowerBound)–\(speaks.upperBound), this device "
                    + "\(Versions.peer.lowerBound)–\(Versions.peer.upperBound): update "
                    + (speaks.lowerBound > Versions.peer.upperBound ? "this device" : name)
            )
        }
    }

    /// What is said of a delta that breaks the rules.
    private static func unsound(_ session: SessionID, _ reason: String) -> String {
        "what cannot be taken of session \(session.description.prefix(8)) (\(reason)); install the "
            + "same version on both"
    }

    /// Takes down what is no longer wrong with a peer that is linked.
    func clear(of peer: PeerStatus) {
        clear(.version, "\(peer.device)")
        if peer.skew.magnitude <= Timing.tellSkew.magnitude { clear(.clockSkew, "\(peer.device)") }
    }
}
