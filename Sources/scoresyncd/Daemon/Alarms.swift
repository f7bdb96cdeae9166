import Descriptors
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The problems that `status` lists, at most one of each kind and subject, the latest last.
@EventLoop
final class Alarms {
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

    /// Whether peers can raise alarms of this kind, with any number of subjects.
    private static func isRaisedByPeers(_ kind: Kind) -> Bool {
        kind != .storage && kind != .network
    }

    private struct Entry {
        let kind: Kind
        let subject: String
        let text: String
    }

    /// The maximum number of alarms; beyond it, the oldest alarm that a peer caused is removed.
    nonisolated static let maxCount = 32

    private var entries: [Entry] = []
    private let log: Log

    init(_ log: Log) { self.log = log }

    /// The alarms in the form that `status` shows.
    var all: [Alarm] { entries.map { Alarm(kind: $0.kind.rawValue, text: $0.text) } }

    /// Raises an alarm, in place of the one of its kind and subject; logs it if its text is new.
    func raise(_ kind: Kind, _ subject: String, _ text: String, _ level: LogLevel = .error) {
        let isNew = !entries.contains {
            $0.kind == kind && $0.subject == subject && $0.text == text
        }
        clear(kind, subject)
        entries.append(Entry(kind: kind, subject: subject, text: text))
        if entries.count > Alarms.maxCount {
            entries.remove(at: entries.firstIndex { Alarms.isRaisedByPeers($0.kind) } ?? 0)
        }
        if isNew { log.write(level, from: Alarms.isRaisedByPeers(kind) ? .others : .here, text) }
    }

    /// Returns the text of an alarm; nil if no such alarm is raised.
    func text(of kind: Kind, _ subject: String) -> String? {
        entries.first { $0.kind == kind && $0.subject == subject }?.text
    }

    /// Returns the texts of the alarms that a sheet shows: all but those about another session.
    func texts(on session: SessionID, isHeld: (SessionID) -> Bool) -> [String] {
        entries.filter { entry in
            // These are about the game before the one that is played.
            [.manyNextGames, .twoNextGames].contains(entry.kind)
                || entry.subject.split(separator: " ").compactMap { SessionID(String($0)) }
                    .allSatisfy { $0 == session || !isHeld($0) }
        }
        .map(\.text)
    }

    func clear(_ kind: Kind, _ subject: String) {
        entries.removeAll { $0.kind == kind && $0.subject == subject }
    }

    func clear(_ kind: Kind) { entries.removeAll { $0.kind == kind } }
}

extension Alarms {
    func raise(_ alarm: EngineAlarm) {
        let (kind, subject, text) = Alarms.line(of: alarm)
        raise(kind, subject, text, .warning)
    }

    private static func line(of alarm: EngineAlarm) -> (Kind, subject: String, text: String) {
        switch alarm {
        case .clockSkew(_, let device, let name, let milliseconds):
            let way = milliseconds > 0 ? "ahead of" : "behind"
            let skew = SpokenTime.text(milliseconds)
            return (
                .clockSkew, "\(device)",
                "the clock of \(name) is \(skew) \(way) this one; scores are safe, but correct it"
            )
        case .clonedDevice(let device, let name):
            return (
                .clonedHome, "\(device)",
                "two daemons are running as \(name): a home directory was copied; scores are safe, "
                    + "but delete one of the copies and join again"
            )
        case .digestMismatch(let session, let device, let name):
            return (
                .digestMismatch, "\(session) \(device)",
                "\(name) had the same writes but different scores; both were merged: check them"
            )
        case .excess(let session, let device, let name, let excess):
            return (
                .tooMuch, "\(session) \(device)",
                "\(name) sends \(excess); no more of it is accepted. If this goes on, start a new "
                    + "session without it"
            )
        case .refused(let session, let device, let name):
            return (
                .tooMuch, "\(session) \(device) there",
                "\(name) accepts no more of session \(session.description.prefix(8)), which is too "
                    + "large there; start a new one"
            )
        case .badDelta(let session, let device, let name, let reason):
            return (
                .badDelta, "\(session) \(device)", "\(name) sends \(invalidData(session, reason))"
            )
        case .deltaRefused(let session, let device, let name, let reason):
            return (
                .badDelta, "\(session) \(device) there",
                "\(name) is sent \(invalidData(session, reason))"
            )
        case .storage(let session, let reason):
            return (.storage, "\(session)", "could not save: \(reason)")
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

    private static func invalidData(_ session: SessionID, _ reason: String) -> String {
        "data of session \(session.description.prefix(8)) that cannot be read (\(reason)); install "
            + "the same version on both"
    }

    /// Removes the alarms about copied homes but for those of devices that are linked twice now.
    func clearCopies(besides cloned: @autoclosure () -> Set<DeviceID>) {
        guard entries.contains(where: { $0.kind == .clonedHome }) else { return }
        let subjects = Set(cloned().map(\.description))
        entries.removeAll { $0.kind == .clonedHome && !subjects.contains($0.subject) }
    }

    /// Removes the alarms about a linked peer whose cause is gone.
    func clear(of peer: PeerStatus) {
        clear(.version, "\(peer.device)")
        if peer.skew.magnitude <= Timing.clockSkewThreshold.magnitude {
            clear(.clockSkew, "\(peer.device)")
        }
    }
}
