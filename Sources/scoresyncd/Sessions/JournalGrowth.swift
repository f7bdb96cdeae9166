import SessionCRDT

/// How much came into a session's journal since it was shortened last, and when it is time again.
///
/// What is live is bounded, and what was replaced is in the journal: a member who writes one key
/// again and again would fill the disk with it between two regular rounds.
struct JournalGrowth {
    /// How many canonical bytes may come before the journal is shortened.
    static let mostBytes = 32 << 20

    /// How many of the newest lines are kept where they are of usual length.
    private let mostLines: Int
    private var lines = 0
    private var bytes = 0

    /// Nothing yet, of a journal that keeps so many lines.
    init(keeping mostLines: Int) { self.mostLines = mostLines }

    /// Notes what has come to disk.
    ///
    /// - Returns: to how many lines to shorten the journal now; nil while it need not be. Of long
    ///   ones fewer are kept.
    mutating func add(_ changes: [KeyChange]) -> Int? {
        for change in changes {
            for entry in change.after where change.before?[entry.dot] == nil {
                lines += 1
                bytes += entry.canonicalCount(under: change.key)
            }
        }
        guard lines > mostLines || bytes > JournalGrowth.mostBytes else { return nil }
        let fitting = Double(lines) * Double(JournalGrowth.mostBytes) / Double(max(1, bytes))
        (lines, bytes) = (0, 0)
        return max(1, min(mostLines, Int(fitting)))
    }
}
