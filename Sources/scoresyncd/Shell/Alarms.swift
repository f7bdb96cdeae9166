import SyncEngine
import SyncProtocol

/// What somebody should look at, the latest last, each kind and subject once: owns the alarms that
/// `status` lists.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Alarms: @unchecked Sendable {
    /// What an alarm is about, by the word that clients see.
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

    /// How many are shown; those that others cause give way to those of this device.
    static let most = 32

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

    /// What the alarm of a kind and subject says; nil where none is up.
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
