import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The state that was last sent to the watchers of a session, to compute the next change.
///
/// It stores no cells, because changes of the scoreboard name the cells that differ. Law: a
/// snapshot, after all later changes are applied in order, equals a newly rendered sheet.
struct SentSheet {
    /// The sheet as sent, without its cells and without the rows of its table.
    private var sent: ShowReply
    private var notes: [String]
    private var turn: PlayerID?
    /// The indices of the players in seat order.
    private let seats: [PlayerID: Int]
    /// The rounds that are shown as rows of the table, by row of the sheet.
    private var lines: [Symbol: RoundLines]

    /// The maximum number of cells in a change; beyond it, a snapshot is sent.
    private static let maxCells = 1_000

    init(_ rendering: SheetRendering, in session: some WatchedSession) {
        sent = ShowReply(document: rendering.outline, context: rendering.outline(in: session))
        notes = rendering.notes
        turn = rendering.standings.turn
        seats = Dictionary(zip(session.board.players.map(\.id), 0...)) { first, _ in first }
        lines = rendering.roundLines
    }

    /// Returns the difference to send, which may be empty; nil if a snapshot must be sent instead.
    mutating func change(
        _ change: ScoreboardChange,
        in session: some WatchedSession
    ) throws(ControlError) -> ShowChange? {
        var difference = ShowChange()
        if !change.isEmpty {
            guard !change.isWhole, change.cells.count <= SentSheet.maxCells else { return nil }
            let rendering = try SheetRendering(session)
            guard isOfSameGame(rendering, in: session) else { return nil }
            difference.document = document(change, rendering)
            difference.context = table(change, rendering)
            let leaders = rendering.standings.leaders.map(\.description)
            difference.context.leaders = update(&sent.context.leaders, leaders)
            notes = rendering.notes
            turn = rendering.standings.turn
        }
        updateLocalContext(&difference.context, in: session)
        return difference
    }

    /// Whether everything is unchanged that only a snapshot contains.
    private func isOfSameGame(
        _ rendering: SheetRendering,
        in session: some WatchedSession
    ) -> Bool {
        rendering.head == sent.document.session && rendering.sheet.name == sent.context.gameName
            && rendering.standings.totalLabel == sent.context.totalLabel
            && rendering.hasPanels == !sent.document.panels.isEmpty
            && rendering.moves == sent.context.moves
            && session.board.players.count == seats.count
    }

    private mutating func document(
        _ change: ScoreboardChange,
        _ rendering: SheetRendering
    ) -> ShowDocument.Change {
        var difference = ShowDocument.Change()
        let standings = rendering.standings
        difference.teams = update(&sent.document.teams, rendering.teams)
        difference.finished = update(&sent.document.finished, standings.isFinished)
        difference.turn = update(&sent.document.turn, standings.turn?.description)
        difference.turnNumber = update(&sent.document.turnNumber, standings.turnNumber)
        difference.winners = update(&sent.document.winners, standings.winners.map(\.description))
        if change.areFlagsDifferent {
            difference.flags = update(&sent.document.flags, rendering.flags)
        }
        if change.arePanelsDifferent {
            difference.panels = update(&sent.document.panels, rendering.panels)
            difference.darts = update(&sent.document.darts, rendering.darts)
        }
        let cells = Dictionary(grouping: change.cells.sorted(), by: \.player)
        // A new leg changes the headlines of all players, although their lines stay the same.
        let areAllTouched = change.arePanelsDifferent && !standings.headlines.isEmpty
        let players = seats.filter {
            areAllTouched || change.lines.contains($0.key) || cells[$0.key] != nil
        }
        let lines = players.sorted { $0.value < $1.value }.map { player, seat in
            SentSheet.line(
                rendering.line(ofPlayerAt: seat),
                sent: &sent.document.players[seat],
                cells[player] ?? [],
                rendering
            )
        }
        .filter { !$0.isEmpty }
        difference.players = lines.isEmpty ? nil : lines
        return difference
    }

    private static func line(
        _ line: ShownPlayer,
        sent: inout ShownPlayer,
        _ changed: [Cell],
        _ rendering: SheetRendering
    ) -> ShownPlayer.Change {
        var difference = ShownPlayer.Change(id: line.id, name: line.name)
        difference.total = update(&sent.total, line.total)
        difference.rank = update(&sent.rank, line.rank)
        difference.tieBreak = update(&sent.tieBreak, line.tieBreak)
        difference.winner = update(&sent.winner, line.winner)
        difference.computed = update(&sent.computed, line.computed)
        difference.headline = update(&sent.headline, line.headline)
        difference.advice = update(&sent.advice, line.advice)
        let cells = changed.map { (cell: $0, shown: rendering.cell(at: $0)) }
        let cleared = cells.filter { $0.shown == nil }.map { cell, _ in
            ShownPosition(row: cell.row.description, round: cell.round.map(Int.init))
        }
        let written = cells.compactMap(\.shown)
        difference.cells = written.isEmpty ? nil : written
        difference.cleared = cleared.isEmpty ? nil : cleared
        return difference
    }

    /// Returns the rows of the table that were added or removed by the changed cells.
    private mutating func table(
        _ change: ScoreboardChange,
        _ rendering: SheetRendering
    ) -> ShowContext.Change {
        var (rows, gone) = ([ShownRow](), [ShownPosition]())
        var touched: [Symbol: Set<UInt32>] = [:]
        for cell in change.cells {
            guard let round = cell.round else { continue }
            for id in rendering.sheet.row(cell.row)?.lineRows ?? [] {
                touched[id, default: []].insert(round)
            }
        }
        for (id, rounds) in touched.sorted(by: { $0.key < $1.key }) {
            guard let row = rendering.sheet.row(id), var lines = lines[id] else { continue }
            var (new, old) = (Set<UInt32>(), Set<UInt32>())
            for round in rounds.sorted()
            where row.violation(ofRound: round) == nil {
                let change = lines.mark(round, isUsed: rendering.isUsed(id, round))
                for round in change.new where old.remove(round) == nil { new.insert(round) }
                for round in change.gone where new.remove(round) == nil { old.insert(round) }
            }
            self.lines[id] = lines
            rows += new.sorted().map { ShownRow(row, round: $0, in: rendering.sheet) }
            gone += old.sorted().map { ShownPosition(row: id.description, round: Int($0)) }
        }
        var difference = ShowContext.Change()
        difference.rows = rows.isEmpty ? nil : rows
        difference.gone = gone.isEmpty ? nil : gone
        return difference
    }

    private mutating func updateLocalContext(
        _ difference: inout ShowContext.Change,
        in session: some WatchedSession
    ) {
        let local = session.localContext
        let notes = notes + session.turnNotes(turn) + local.notes
        difference.me = update(&sent.context.me, local.me?.description)
        difference.peers = update(&sent.context.peers, local.peers)
        difference.offline = update(&sent.context.offline, local.isOffline)
        difference.unsynced = update(&sent.context.unsynced, local.unsynced)
        difference.notes = update(&sent.context.notes, notes)
        difference.knocks = update(&sent.context.knocks, local.knocks)
        difference.next = update(&sent.context.next, local.next)
        difference.inUse = update(&sent.context.inUse, local.inUse)
    }
}

/// Replaces a part that was sent; returns the new part if it differs, otherwise nil.
private func update<Part: Equatable>(_ sent: inout Part, _ now: Part) -> Part? {
    guard sent != now else { return nil }
    sent = now
    return now
}

/// Replaces an optional part that was sent; a change to nil is sent as null.
private func update<Part: Codable & Hashable & Sendable>(
    _ sent: inout Part?,
    _ now: Part?
) -> ExplicitNull<Part>? {
    guard sent != now else { return nil }
    sent = now
    return ExplicitNull(wrappedValue: now)
}
