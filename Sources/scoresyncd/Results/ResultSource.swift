import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// Collects the results of all sessions, including those that were left.
@EventLoop
struct ResultSource: DaemonPart {
    let daemon: Daemon

    /// Derives the results of the sessions on this device, and reads those of sessions that were
    /// left.
    ///
    /// Each changed session is evaluated in a turn of the queue of its own, so that other calls
    /// need not wait for all of them.
    func board() async throws(ControlError) -> ResultBoard {
        for session in sessions.all where !session.hasKnownResults {
            _ = session.results
            await queue.nextTurn()
        }
        let kept = try await storage.run { store throws(StoreError) in try store.results() }
        var sheets: [String: Sheet] = [:]
        var results: [ResultRecord] = []
        var tables: [SessionID: ResultTable] = [:]
        for session in sessions.all {
            guard let games = session.results, let ended = games.results else { continue }
            tables[session.id] = games.table
            results += ended
            if let sheet = games.sheet { sheets[sheet.id.description] = sheet }
        }
        for sheet in userSheets.library.sheets { sheets[sheet.id.description] = sheet }
        let left = kept.filter { tables[$0.session] == nil }
        return ResultBoard(left + results, sheets: sheets, tables: tables)
    }
}
