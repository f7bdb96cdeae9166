import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// What has ended in all sessions, those that were left included: owns nothing but the way there.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Results: @unchecked Sendable {
    private let sessions: SessionCatalog
    private let shelf: SheetShelf
    private let disk: Disk
    private let queue: EventQueue

    init(
        _ sessions: SessionCatalog,
        _ shelf: SheetShelf,
        _ disk: Disk,
        on queue: EventQueue
    ) {
        self.sessions = sessions
        self.shelf = shelf
        self.disk = disk
        self.queue = queue
    }

    /// Derives what has ended here, then reads what was kept of sessions that were left.
    func board(then answer: @escaping Answer<ResultBoard>) {
        derive(sessions.all[...]) { [self] in
            disk.ask { store throws(StoreError) in
                try store.results()
            } then: { [self] result in
                answer(result.map(board))
            }
        }
    }

    /// Derives what has ended in sessions, each that has changed in a turn of the queue of its own,
    /// so that nobody waits for all of them.
    private func derive(
        _ sessions: ArraySlice<Session>,
        then done: @escaping @Sendable () -> Void
    ) {
        let rest = sessions.drop(while: \.hasKnownResults)
        guard let session = rest.first else { return done() }
        _ = session.results
        queue.async { @Sendable [self] in derive(rest.dropFirst(), then: done) }
    }

    private func board(_ kept: [ResultRecord]) -> ResultBoard {
        var sheets: [String: Sheet] = [:]
        var results: [ResultRecord] = []
        var derived: Set<SessionID> = []
        for session in sessions.all {
            guard let games = session.results, let ended = games.results else { continue }
            derived.insert(session.id)
            results += ended
            if let sheet = games.sheet { sheets[sheet.id.description] = sheet }
        }
        for sheet in shelf.library.sheets { sheets[sheet.id.description] = sheet }
        return ResultBoard(kept.filter { !derived.contains($0.session) } + results, sheets: sheets)
    }
}
