import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The watchers of each session, and the calls that wait for a condition in it.
///
/// Changes within one turn of the queue are sent together. A change of a session without watchers
/// and waits costs two lookups. A class, because sending to a watcher may close its connection,
/// which changes the set of watchers.
@EventLoop
final class Watchers {
    private let queue: EventQueue
    private var sheets: [SessionID: WatchedSheet] = [:]
    private var waits: [SessionID: [Wait]] = [:]
    /// The sessions that have changed since the last check, in the current turn of the queue.
    private var changedSessions: Set<SessionID> = []

    nonisolated init(on queue: EventQueue) { self.queue = queue }

    /// The sheet of a session; nil if it has no watchers.
    subscript(session: SessionID) -> WatchedSheet? { sheets[session] }

    /// Makes a connection watch a session and no other, until the connection closes.
    func add(_ connection: ControlConnection, of session: any WatchedSession) {
        let id = session.id
        for (other, sheet) in sheets where other != id {
            sheet.feed.remove(connection)
            removeUnwatched(other)
        }
        let sheet = sheets[id] ?? WatchedSheet(session)
        sheets[id] = sheet
        sheet.feed.add(connection)
        connection.onClose { [weak self] in self?.removeUnwatched(id) }
    }

    /// Waits for a condition, without limit if `milliseconds` is nil; answers at once if it is met.
    @discardableResult
    func wait(
        in session: SessionID,
        milliseconds: Int?,
        for state: @escaping () -> WaitState,
        then answer: @escaping (Result<Done, ControlError>) -> Void
    ) -> Wait {
        let wait = Wait(for: state, then: answer)
        wait.check()
        removeFinishedWaits(session)
        guard !wait.isOver else { return wait }
        waits[session, default: []].append(wait)
        // Waits of more than a year have no limit.
        if let milliseconds, milliseconds <= 31_536_000_000 {
            queue.async(after: .milliseconds(max(0, milliseconds))) { [weak wait] in
                wait?.expire(after: milliseconds)
            }
        }
        return wait
    }

    func wait(
        in session: SessionID,
        milliseconds: Int?,
        for state: @escaping () -> WaitState
    ) async -> Result<Done, ControlError> {
        await withCheckedContinuation { continuation in
            wait(in: session, milliseconds: milliseconds, for: state) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Schedules a check of a session for its watchers and waits, because its scoreboard has
    /// changed or, with an empty change, the facts that only this device knows.
    func changed(_ session: SessionID, _ change: ScoreboardChange = ScoreboardChange()) {
        guard sheets[session] != nil || waits[session] != nil else { return }
        if changedSessions.isEmpty { queue.atEndOfTurn { [weak self] in self?.checkChanged() } }
        changedSessions.insert(session)
        sheets[session]?.changed(change)
    }

    /// Schedules a check of all watched sessions, because the current session has changed.
    func currentChanged() {
        for session in sheets.keys.sorted() { changed(session) }
    }

    private func checkChanged() {
        let changed = changedSessions.sorted()
        changedSessions = []
        for session in changed {
            sheets[session]?.sendChange()
            for wait in waits[session] ?? [] { wait.check() }
            removeFinishedWaits(session)
        }
    }

    func left(_ session: SessionID) {
        let reason = ControlError(.notFound, "the session was left")
        sheets[session]?.feed.end(reason)
        for wait in waits[session] ?? [] { wait.fail(reason) }
        waits[session] = nil
    }

    /// Fails all waits, because the daemon is stopping.
    func stop() {
        let reason = ControlError(.noDaemon, "the daemon is stopping")
        for (_, some) in waits.sorted(by: { $0.key < $1.key }) {
            for wait in some { wait.fail(reason) }
        }
        waits = [:]
    }

    private func removeUnwatched(_ session: SessionID) {
        if sheets[session]?.feed.isEmpty == true { sheets[session] = nil }
    }

    private func removeFinishedWaits(_ session: SessionID) {
        waits[session]?.removeAll(where: \.isOver)
        if waits[session]?.isEmpty == true { waits[session] = nil }
    }
}

/// The sheet of a watched session: changes to send, the state that was sent, and the feed.
///
/// A change is rendered once for all watchers, and not at all while all of them are congested.
@EventLoop
final class WatchedSheet {
    /// The number of renderings so far, for tests.
    private(set) var renderings = 0
    private(set) lazy var feed = WatchFeed { [unowned self] () throws(ControlError) in
        try snapshot()
    }

    private let session: any WatchedSession
    /// The changes that were not sent yet; nil if there are none.
    private var unsent: ScoreboardChange?
    /// The state of all watchers that are not behind; nil if all of them are behind.
    private var sent: SentSheet?

    init(_ session: any WatchedSession) { self.session = session }

    /// Records a change; an empty one concerns only facts that this device alone knows.
    func changed(_ change: ScoreboardChange) {
        unsent = unsent ?? ScoreboardChange()
        unsent?.merge(change)
    }

    /// Sends all recorded changes, unless the rendered sheet stays the same.
    func sendChange() {
        guard let change = unsent else { return }
        unsent = nil
        guard feed.hasReceivers else {
            // Each watcher gets a snapshot when it is no longer congested.
            sent = nil
            return feed.markCongestedBehind()
        }
        do throws(ControlError) {
            // If the scoreboard is unchanged, only the context is compared, without rendering the
            // sheet.
            if sent == nil || !change.isEmpty { renderings += 1 }
            if let difference = try sent?.change(change, in: session) {
                if !difference.isEmpty { feed.send(.change(difference)) }
            } else {
                feed.send(.snapshot(try whole()))
            }
        } catch { feed.end(error) }
    }

    /// Returns a snapshot for a watcher that is behind.
    private func snapshot() throws(ControlError) -> ShowReply {
        // First sends pending changes to the other watchers, so that all have the state of the
        // snapshot. An empty change includes changes of the context, which are not recorded.
        changed(ScoreboardChange())
        sendChange()
        renderings += 1
        return try whole()
    }

    private func whole() throws(ControlError) -> ShowReply {
        let rendering = try SheetRendering(session)
        sent = SentSheet(rendering, in: session)
        return rendering.show(session)
    }
}

/// A session in the form that a watcher needs.
protocol WatchedSession {
    var id: SessionID { get }
    /// The scoreboard of the data on disk.
    var board: Scoreboard { get }
    /// The standings on that board.
    var standings: Standings? { get }
    var localContext: LocalContext { get }
    /// The names of the devices that have written, the same on every device.
    var deviceNames: DeviceNames { get }

    /// Returns the name of a device on this laptop; other laptops may show a different one.
    func name(of device: DeviceID) -> String
}

extension WatchedSession {
    /// Returns a note about the laptop that moves for the computer whose turn it is.
    func turnNotes(_ turn: PlayerID?) -> [String] {
        guard let player = turn.flatMap(board.book.player), let computer = player.computer
        else { return [] }
        return ["\(player.name) is a computer; \(name(of: computer.device)) moves for it"]
    }
}
