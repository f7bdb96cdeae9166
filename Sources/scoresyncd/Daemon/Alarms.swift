import Descriptors
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Problems that need attention, the latest last, each kind and subject once: the alarms that
/// `status` lists.
@EventLoop
final class Alarms {
    /// The kinds of alarms by their words on the wire.
    enum Kind: String {
        case storage
        case network
        case version
        case clockSkew = "clock-skew"
        case clonedHome = "cloned-home"
        case digestMismatch = "digest-mismatch"
        case wrongKey = "wrong-key"
        case tooMuch = "too-much"
        case badDelta = "bad-delta"
        case manyNextGames = "many-next-games"
        case twoNextGames = "two-next-games"
    }

    /// Whether what others do puts alarms of this kind up, as often as they like.
    private static func isOfOthers(_ kind: Kind) -> Bool {
        switch kind {
        case .storage, .network: false
        case .version, .clockSkew, .clonedHome, .digestMismatch, .wrongKey, .tooMuch, .badDelta,
            .manyNextGames, .twoNextGames:
            true
        }
    }

    private struct Line {
        let kind: Kind
        let subject: String
        let text: String
    }

    /// The limit; alarms that others cause give way to those of this device.
    nonisolated static let most = 32

    private var lines: [Line] = []
    private let log: Log

    /// No alarms; a new one is also logged.
    init(_ log: Log) { self.log = log }

    /// The alarms as `status` shows them.
    var all: [Alarm] { lines.map { Alarm(kind: $0.kind.rawValue, text: $0.text) } }

    /// Puts an alarm up, in place of an earlier one of the same kind and subject, and logs it if it
    /// says something new.
    func raise(_ kind: Kind, _ subject: String, _ text: String, _ level: LogLevel = .error) {
        let isNew = !lines.contains { $0.kind == kind && $0.subject == subject && $0.text == text }
        clear(kind, subject)
        lines.append(Line(kind: kind, subject: subject, text: text))
        if lines.count > Alarms.most {
            lines.remove(at: lines.firstIndex { Alarms.isOfOthers($0.kind) } ?? 0)
        }
        if isNew { log.write(level, from: Alarms.isOfOthers(kind) ? .others : .here, text) }
    }

    /// The text of an alarm; nil if it is not raised.
    func text(of kind: Kind, _ subject: String) -> String? {
        lines.first { $0.kind == kind && $0.subject == subject }?.text
    }

    /// Takes an alarm down.
    func clear(_ kind: Kind, _ subject: String) {
        lines.removeAll { $0.kind == kind && $0.subject == subject }
    }

    /// Takes all alarms of a kind down.
    func clear(_ kind: Kind) { lines.removeAll { $0.kind == kind } }
}

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

    private static func unsound(_ session: SessionID, _ reason: String) -> String {
        "what cannot be taken of session \(session.description.prefix(8)) (\(reason)); install the "
            + "same version on both"
    }

    /// Takes down what is no longer wrong with a peer that is linked.
    func clear(of peer: PeerStatus) {
        clear(.version, "\(peer.device)")
        if peer.skew.magnitude <= Timing.clockSkewThreshold.magnitude {
            clear(.clockSkew, "\(peer.device)")
        }
    }
}
