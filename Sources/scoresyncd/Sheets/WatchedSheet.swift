import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The watchers of each session, and the calls that wait for a condition there.
///
/// Changes within one turn of the queue are sent once. A session that nobody watches or waits
/// for costs a look into two dictionaries. A class, because telling a watcher may end its
/// connection, which changes who watches.
@EventLoop
final class Watchers {
    private let queue: EventQueue
    private var sheets: [SessionID: WatchedSheet] = [:]
    private var waits: [SessionID: [Wait]] = [:]
    /// The sessions in which something has changed in this turn of the queue.
    private var changedSessions: Set<SessionID> = []

    /// Nobody, yet.
    nonisolated init(on queue: EventQueue) {
        self.queue = queue
    }

    /// The sheet of a session that somebody watches.
    subscript(session: SessionID) -> WatchedSheet? { sheets[session] }

    /// Lets a connection watch a session until it closes, and no other one.
    func add(_ connection: ControlConnection, of session: any WatchedSession) {
        let id = session.id
        for (other, sheet) in sheets where other != id {
            sheet.feed.remove(connection)
            forgetUnwatched(other)
        }
        let sheet = sheets[id] ?? WatchedSheet(session)
        sheets[id] = sheet
        sheet.feed.add(connection)
        connection.onClose { [weak self] in self?.forgetUnwatched(id) }
    }

    /// Lets somebody wait until something is so, unless it is so already.
    func add(_ wait: Wait) {
        wait.check()
        // Those that are over by now were answered, ran out or were given up.
        forgetOver(wait.session)
        if !wait.isOver { waits[wait.session, default: []].append(wait) }
    }

    /// Waits until something is so, as long as it may take.
    func wait(
        in session: SessionID,
        until isTrue: @escaping () -> Bool,
        otherwise shortfall: @escaping () -> String,
        milliseconds: Int
    ) async -> Result<Done, ControlError> {
        await withCheckedContinuation { continuation in
            let wait = Wait(
                for: session,
                until: isTrue,
                what: shortfall,
                milliseconds: milliseconds,
                on: queue,
                then: { continuation.resume(returning: $0) }
            )
            add(wait)
        }
    }

    /// Tells who watches or waits that something differs in a session: on its scoreboard, or, with
    /// no such change, of what this device knows about it.
    func changed(_ session: SessionID, _ change: ScoreboardChange = ScoreboardChange()) {
        guard sheets[session] != nil || waits[session] != nil else { return }
        if changedSessions.isEmpty { queue.async { [weak self] in self?.tell() } }
        changedSessions.insert(session)
        sheets[session]?.changed(change)
    }

    /// Tells all who watch that another session is the current one.
    func changedCurrent() {
        for session in sheets.keys.sorted() { changed(session) }
    }

    private func tell() {
        let changed = changedSessions.sorted()
        changedSessions = []
        for session in changed {
            sheets[session]?.tell()
            for wait in waits[session] ?? [] { wait.check() }
            forgetOver(session)
        }
    }

    /// The session is no longer held here.
    func left(_ session: SessionID) {
        let reason = ControlError(.notFound, "the session was left")
        sheets[session]?.feed.end(reason)
        for wait in waits[session] ?? [] { wait.abandon(reason) }
        waits[session] = nil
    }

    /// The daemon stops: who waits is told so, and is not waited for.
    func stop() {
        let reason = ControlError(.noDaemon, "the daemon is stopping")
        for (_, some) in waits.sorted(by: { $0.key < $1.key }) {
            for wait in some { wait.abandon(reason) }
        }
        waits = [:]
    }

    private func forgetUnwatched(_ session: SessionID) {
        if sheets[session]?.feed.isEmpty == true { sheets[session] = nil }
    }

    private func forgetOver(_ session: SessionID) {
        waits[session]?.removeAll(where: \.isOver)
        if waits[session]?.isEmpty == true { waits[session] = nil }
    }
}

/// The sheet of a session that somebody watches: what has changed in it, what was told of it, and
/// the feed that tells it.
///
/// A change is rendered once, whoever watches, and not at all where nobody has room for it.
@EventLoop
final class WatchedSheet {
    /// The number of renderings, for tests.
    private(set) var renderings = 0
    private(set) lazy var feed = WatchFeed { [unowned self] () throws(ControlError) in
        try snapshot()
    }

    private let session: any WatchedSession
    /// The changes not sent yet; nil if there are none.
    private var untold: ScoreboardChange?
    /// The state of all watchers that are not behind; nil while all are.
    private var told: SentSheet?

    /// A sheet that nobody watches yet.
    init(_ session: any WatchedSession) {
        self.session = session
    }

    /// Notes that something differs, if only of what this device alone knows.
    func changed(_ change: ScoreboardChange) {
        untold = untold ?? ScoreboardChange()
        untold?.merge(change)
    }

    /// Tells what has changed since this was last called, if it looks different.
    func tell() {
        guard let change = untold else { return }
        untold = nil
        guard feed.hasReceivers else {
            // Each gets a snapshot once there is room.
            told = nil
            return feed.markCongestedBehind()
        }
        do throws(ControlError) {
            // What is around the sheet is compared, and not rendered.
            if told == nil || !change.isEmpty { renderings += 1 }
            if let news = try told?.change(change, in: session) {
                if !news.isEmpty { feed.send(.change(news)) }
            } else {
                feed.send(.snapshot(try whole()))
            }
        } catch { feed.end(error) }
    }

    /// The whole sheet, for somebody who has nothing that a change could be told of.
    private func snapshot() throws(ControlError) -> ShowReply {
        // The others are told first: what a snapshot shows and what they have must be the same,
        // and what is around the sheet changes without a word.
        changed(ScoreboardChange())
        tell()
        renderings += 1
        return try whole()
    }

    private func whole() throws(ControlError) -> ShowReply {
        let rendering = try SheetRendering(session)
        told = SentSheet(rendering, in: session)
        return rendering.show(session)
    }
}

/// A session as a watcher sees it.
protocol WatchedSession {
    /// Its id.
    var id: SessionID { get }
    /// The scoreboard of what is on disk.
    var board: Scoreboard { get }
    var localContext: LocalContext { get }

    /// The names of the devices that have written, the same on every device.
    var deviceNames: DeviceNames { get }

    /// The sheet that it is played by; throws what users are told where there is none.
    func sheet() throws(ControlError) -> Sheet
    /// The name of a device here, which may differ between devices.
    func name(of device: DeviceID) -> String
}

extension WatchedSession {
    /// Names the laptop that moves, if a computer is to move.
    func notes(ofTurn turn: PlayerID?) -> [String] {
        guard let player = turn.flatMap(board.book.player), let computer = player.computer
        else { return [] }
        return ["\(player.name) is a computer; \(name(of: computer.device)) moves for it"]
    }
}
