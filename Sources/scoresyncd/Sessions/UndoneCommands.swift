import SessionCRDT

/// What undo passes over: the commands of this device that were undone, and those that undid them.
///
/// Undo goes back in time, so that what it has walked over is one range of stamps, however long;
/// a command that is entered later begins after it.
struct UndoneCommands: Hashable, Sendable {
    /// The most ranges that are kept.
    static let most = 100

    /// The ranges, the earliest first; no two of them touch.
    private(set) var ranges: [ClosedRange<Stamp>] = []

    /// Nothing was undone yet.
    init() {}

    /// What words say, each a stamp or two with a `-` between; other words are left out.
    init(words: String) {
        for word in words.split(separator: " ") {
            let stamps = word.split(separator: "-").compactMap { UInt64($0) }.map(Stamp.init(bits:))
            guard let first = stamps.first, let last = stamps.last, first <= last else { continue }
            insert(first...last)
        }
    }

    /// The words.
    var words: String {
        ranges.map { "\($0.lowerBound.bits)-\($0.upperBound.bits)" }.joined(separator: " ")
    }

    /// Whether the command with this stamp is passed over.
    func contains(_ stamp: Stamp) -> Bool { ranges.contains { $0.contains(stamp) } }

    /// Passes over everything in a range from now on.
    ///
    /// Of too many ranges the two earliest become one, with what lies between them: what cannot be
    /// remembered is not undone any more, since else undoing would be undone.
    mutating func insert(_ range: ClosedRange<Stamp>) {
        let touching = ranges.filter { $0.overlaps(range) }
        let first = min(range.lowerBound, touching.first?.lowerBound ?? range.lowerBound)
        let last = max(range.upperBound, touching.last?.upperBound ?? range.upperBound)
        ranges = ranges.filter { !$0.overlaps(range) } + [first...last]
        ranges.sort { $0.lowerBound < $1.lowerBound }
        while ranges.count > UndoneCommands.most {
            let second = ranges.remove(at: 1)
            ranges[0] = ranges[0].lowerBound...second.upperBound
        }
    }
}
