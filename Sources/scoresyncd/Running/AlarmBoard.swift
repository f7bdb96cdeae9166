import SyncProtocol

/// What somebody should look at, the latest last, each kind and subject once.
struct AlarmBoard: Sendable {
    private struct Line: Sendable {
        let kind: String
        let subject: String
        let text: String
    }

    private var lines: [Line] = []
    private static let most = 32

    /// Puts an alarm up, in place of an earlier one of the same kind and subject.
    ///
    /// - Returns: whether it says something new.
    @discardableResult
    mutating func raise(kind: String, subject: String, text: String) -> Bool {
        let isNew = !lines.contains { $0.kind == kind && $0.subject == subject && $0.text == text }
        clear(kind: kind, subject: subject)
        lines.append(Line(kind: kind, subject: subject, text: text))
        lines.removeFirst(max(0, lines.count - AlarmBoard.most))
        return isNew
    }

    /// Takes an alarm down.
    mutating func clear(kind: String, subject: String) {
        lines.removeAll { $0.kind == kind && $0.subject == subject }
    }

    /// Takes all alarms of a kind down.
    mutating func clear(kind: String) { lines.removeAll { $0.kind == kind } }

    /// The alarms as `status` shows them.
    var alarms: [Alarm] { lines.map { Alarm(kind: $0.kind, text: $0.text) } }
}
