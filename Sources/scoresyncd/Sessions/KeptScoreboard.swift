import ScoreSheets
import SessionCRDT

/// The scoreboard of a session, kept: as it is on disk, and as the next write will find it.
///
/// Owns both. The second exists only while something is on its way to disk, and takes in what each
/// write adds, so that many writes in flight cost no more than as many alone.
struct KeptScoreboard {
    /// What the session comes to as it is on disk.
    private(set) var onDisk: Scoreboard
    /// What the next write will find, and how many changes were drafted when it took them in.
    private var next: (board: Scoreboard, drafts: Int)?

    /// The board of what is on disk.
    init(_ committed: CausalMap, findingSheet find: Scoreboard.SheetFinder) {
        onDisk = Scoreboard(committed.live, findingSheet: find)
    }

    /// Takes in what has come to disk.
    mutating func take(
        _ changes: [KeyChange],
        findingSheet find: Scoreboard.SheetFinder
    ) -> ScoreboardChange {
        onDisk.apply(changes, findingSheet: find)
    }

    /// What the session comes to as the next write will find it, which may not be on disk yet.
    mutating func next(
        on map: StagedMap,
        findingSheet find: Scoreboard.SheetFinder
    ) -> Scoreboard {
        guard map.isSealed || map.hasOpenChanges else {
            next = nil
            return onDisk
        }
        if var known = next, let changes = map.drafted(after: known.drafts) {
            // Let go, so that the board changes in place.
            next = nil
            _ = known.board.apply(changes, findingSheet: find)
            known.drafts = map.draftCount
            next = known
        } else {
            next = (onDisk.applying(map.drafted, findingSheet: find), map.draftCount)
        }
        return next?.board ?? onDisk
    }
}
