import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

@EventLoop
struct SheetCalls: CallGroup {
    let daemon: Daemon
    private var sheets: SheetReader { SheetReader(daemon: daemon) }

    func register(on router: inout ControlRouter) {
        router.answer(.show) { request throws(ControlError) in
            try sheets.show(try sessions.session(request.session))
        }
        router.answer(.conflicts) { request throws(ControlError) in
            let shown = try sheets.show(try sessions.session(request.session)).document
            return ConflictsReply(shown.players.flatMap(\.conflicts))
        }
        router.answer(.history, with: history)
        router.on(.watch) { request, call in
            do throws(ControlError) {
                let session = try sessions.session(request.session)
                _ = try session.board.playedSheet()
                call.respond(Done())
                watchers.add(
                    call.connection,
                    of: DaemonSession(session: session, reader: sheets)
                )
            } catch { call.fail(error) }
        }
    }

    private func history(_ request: HistoryParameters) async throws(ControlError) -> HistoryReply {
        let session = try sessions.session(request.session)
        let limit = request.limit ?? .max
        guard limit > 0 else { throw .usage("--limit must be at least 1") }
        let filter = HistoryFilter(try subject(request, session.board))
        let records = try await storage.run { [id = session.id] store throws(StoreError) in
            try store.history(of: id, filter, limit: limit)
        }
        let board = session.board
        let gameWords = board.game?.words(in: board.book) ?? GameWords()
        let (phones, names) = (session.phoneCommits, session.deviceNames)
        return HistoryReply(
            records.compactMap {
                $0.line.historyEntry(on: board, by: gameWords, phones, names)
            }
        )
    }

    private func subject(
        _ request: HistoryParameters,
        _ board: Scoreboard
    ) throws(ControlError) -> HistoryFilter.Subject {
        var player: PlayerID?
        if let text = request.player { player = try Naming.player(text, among: board.players).id }
        guard let text = request.row else { return .cells(player: player) }
        let parser = ScoreParser(try board.playedSheet())
        let reference = try byRules(RowReference(text))
        let row = try byRules(parser.row(reference)).id
        guard let round = reference.round else { return .cells(player: player, row: row) }
        guard let player else {
            throw .usage("a round needs a player", hint: "add --player NAME")
        }
        return .key(.cell(Cell(player: player, row: row, round: round)))
    }
}

extension ShownPlayer {
    fileprivate var conflicts: [ConflictSummary] {
        cells.filter { !$0.conflict.isEmpty }.map { cell in
            ConflictSummary(
                player: name,
                row: cell.row,
                round: cell.round,
                values: [cell.shown] + cell.conflict
            ).with { $0.label = cell.label }
        }
    }
}

extension JournalLine {
    /// Returns a journal line in the form that people read; nil if it is not about a cell.
    fileprivate func historyEntry(
        on board: Scoreboard,
        by gameWords: GameWords,
        _ phones: Set<CommitID>,
        _ names: DeviceNames
    ) -> HistoryEntry? {
        guard case .cell(let cell) = key else { return nil }
        let score = Score(cell, entry.value)
        return HistoryEntry(
            player: board.player(cell.player)?.name ?? cell.player.description,
            row: cell.row.description,
            value: Scalar(gameWords.visibleValue(of: score)),
            by: board.name(of: entry.author, among: names),
            at: Timestamp(milliseconds: entry.stamp.milliseconds)
        ).with {
            $0.round = cell.round.map(Int.init)
            $0.label = gameWords.cell(cell)
            $0.text = gameWords.value(score)?.shown
            $0.replaced = replaced.map { Scalar(gameWords.visibleValue(of: Score(cell, $0.value))) }
            $0.replacedTexts = gameWords.texts(of: replaced.map(\.value), in: cell)
            $0.phone = phones.contains(CommitID(entry)) ? true : nil
            $0.winner = board[cell]?.winner.dot == entry.dot
        }
    }
}

/// Renders score sheets for clients, with the facts that only this device knows.
@EventLoop
struct SheetReader: DaemonPart {
    let daemon: Daemon

    func show(_ session: Session) throws(ControlError) -> ShowReply {
        let watched = DaemonSession(session: session, reader: self)
        return try SheetRendering(watched).show(watched)
    }

    fileprivate func localContext(of session: Session) -> LocalContext {
        let next = daemon.nextGames.next(after: session)
        let current = sessions.current.flatMap { sessions[$0] }
        let isOther = current?.id != session.id && current?.id != next?.id
        let knocks = daemon.knocks.all(of: session)
        return LocalContext(
            me: session.facts.me,
            peers: peers.summaries(of: session),
            isOffline: driver.engine.isOffline,
            unsynced: driver.engine.unsyncedCells(session.id),
            notes: daemon.nextGames.notes(on: session)
                + alarms.texts(on: session.id) { sessions[$0] != nil },
            knocks: knocks.isEmpty ? nil : knocks,
            next: next.map(name),
            inUse: isOther ? current.map(name) : nil
        )
    }

    private func name(_ session: Session) -> NamedSession {
        NamedSession(id: session.id.description, title: session.title)
    }
}

/// Facts about a session that only this device knows.
struct LocalContext: Hashable, Sendable {
    var me: PlayerID?
    var peers: [PeerSummary] = []
    /// Whether the user took this device offline.
    var isOffline = false
    /// The number of this device's writes that no linked peer is known to have.
    var unsynced = 0
    /// Warnings in addition to those of the game, in sentences.
    var notes: [String] = []
    /// The laptops that wait to be admitted; nil if there are none.
    var knocks: [KnockSummary]?
    /// The next game of the same people; nil if there is none.
    var next: NamedSession?
    /// The current session of this device, unless it is this session or `next`.
    var inUse: NamedSession?
}

@EventLoop
private struct DaemonSession: WatchedSession {
    let session: Session
    let reader: SheetReader

    var id: SessionID { session.id }
    var board: Scoreboard { session.board }
    var standings: Standings? { session.standings }
    var deviceNames: DeviceNames { session.deviceNames }
    var localContext: LocalContext { reader.localContext(of: session) }

    func name(of device: DeviceID) -> String { reader.sessions.name(of: device, in: session) }
}
