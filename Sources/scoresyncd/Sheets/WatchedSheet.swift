import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The watchers of each session, and the calls that wait for a condition there.
///
/// Changes within one turn of the queue are sent once. A session without watchers or waits needs
/// two lookups. A class, because sending to a watcher may close its connection, which changes the
/// set of watchers.
@EventLoop
final class Watchers {
    private let queue: EventQueue
    private var sheets: [SessionID: WatchedSheet] = [:]
    private var waits: [SessionID: [Wait]] = [:]
    /// The sessions that have changed in this turn of the queue.
    private var changedSessions: Set<SessionID> = []

    nonisolated init(on queue: EventQueue) { self.queue = queue }

    /// The sheet of a session; nil if it has no watchers.
    subscript(session: SessionID) -> WatchedSheet? { sheets[session] }

    /// Makes a connection watch a session, and no other one, until it closes.
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

    /// Waits for a condition, forever without `milliseconds`; answers at once if it is already met.
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
        // More than a year is unlimited.
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

    /// Schedules a check of a session for everyone who watches or waits: its scoreboard differs or,
    /// if the change is empty, what this device knows about it.
    func changed(_ session: SessionID, _ change: ScoreboardChange = ScoreboardChange()) {
        guard sheets[session] != nil || waits[session] != nil else { return }
        if changedSessions.isEmpty { queue.async { [weak self] in self?.checkChanged() } }
        changedSessions.insert(session)
        sheets[session]?.changed(change)
    }

    /// Schedules a check of all watched sessions, because another one became the current one.
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

    /// Ends all waits in a session that is no longer held here.
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

/// The sheet of a watched session: unsent changes, the state that was sent, and the feed.
///
/// A change is rendered once for all watchers, and not at all while all are congested.
@EventLoop
final class WatchedSheet {
    /// The number of renderings, for tests.
    private(set) var renderings = 0
    private(set) lazy var feed = WatchFeed { [unowned self] () throws(ControlError) in
        try snapshot()
    }

    private let session: any WatchedSession
    /// The unsent changes; nil if there are none.
    private var unsent: ScoreboardChange?
    /// The state of all watchers that are not behind; nil if all are.
    private var sent: SentSheet?

    init(_ session: any WatchedSession) { self.session = session }

    /// Records a change; an empty one concerns only what this device alone knows.
    func changed(_ change: ScoreboardChange) {
        unsent = unsent ?? ScoreboardChange()
        unsent?.merge(change)
    }

    /// Sends all recorded changes, if the sheet looks different.
    func sendChange() {
        guard let change = unsent else { return }
        unsent = nil
        guard feed.hasReceivers else {
            // Each watcher gets a snapshot once it is no longer congested.
            sent = nil
            return feed.markCongestedBehind()
        }
        do throws(ControlError) {
            // The context around the sheet is compared without a rendering.
            if sent == nil || !change.isEmpty { renderings += 1 }
            if let difference = try sent?.change(change, in: session) {
                if !difference.isEmpty { feed.send(.change(difference)) }
            } else {
                feed.send(.snapshot(try whole()))
            }
        } catch { feed.end(error) }
    }

    /// Returns the whole sheet, for a watcher that is behind.
    private func snapshot() throws(ControlError) -> ShowReply {
        // The others receive their change first: they must have what the snapshot shows, and
        // changes of the context are not reported.
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

/// A session as a watcher sees it.
protocol WatchedSession {
    var id: SessionID { get }
    /// The scoreboard of the data on disk.
    var board: Scoreboard { get }
    var localContext: LocalContext { get }
    /// The names of the devices that have written, the same on every device.
    var deviceNames: DeviceNames { get }

    /// Returns this laptop's name for a device; other laptops may have another one.
    func name(of device: DeviceID) -> String
}

extension WatchedSession {
    /// Returns the note on the laptop that moves for a computer whose turn it is.
    func turnNotes(_ turn: PlayerID?) -> [String] {
        guard let player = turn.flatMap(board.book.player), let computer = player.computer
        else { return [] }
        return ["\(player.name) is a computer; \(name(of: computer.device)) moves for it"]
    }
}
