import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The state that the watchers of a session have been sent, from which the next change is computed.
///
/// It keeps no cells: the scoreboard says which of them differ. Law: what it tells, taken in by
/// whoever has been told everything before, gives the sheet from scratch.
struct SentSheet {
    /// The sheet without its cells and the rows of its table.
    private var told: ShowReply
    private var notes: [String]
    private var turn: PlayerID?
    /// The places of the players.
    private let places: [PlayerID: Int]
    /// The rounds that have lines in the table, of the rows that have rounds.
    private var lines: [Symbol: RoundLines]

    /// The most cells that are told one by one: with more the whole sheet is told anew.
    private static let mostCells = 1_000

    /// A sheet of which the whole was told.
    init(_ rendering: SheetRendering, in session: some WatchedSession) {
        told = ShowReply(document: rendering.outline, context: rendering.outline(in: session))
        notes = rendering.notes
        turn = rendering.standings.turn
        places = Dictionary(zip(session.board.players.map(\.id), 0...)) { first, _ in first }
        lines = rendering.roundLines
    }

    /// The difference to send for a change, perhaps empty; nil if a snapshot is needed.
    mutating func change(
        _ change: ScoreboardChange,
        in session: some WatchedSession
    ) throws(ControlError) -> ShowChange? {
        var news = ShowChange()
        if !change.isEmpty {
            guard !change.isWhole, change.cells.count <= SentSheet.mostCells else { return nil }
            let rendering = try SheetRendering(session)
            guard isOfSameGame(rendering, in: session) else { return nil }
            news.document = document(change, rendering)
            news.context = table(change, rendering)
            let leaders = rendering.standings.leaders.map(\.description)
            news.context.leaders = Self.differing(&told.context.leaders, leaders)
            notes = rendering.notes
            turn = rendering.standings.turn
        }
        surround(&news.context, in: session)
        return news
    }

    /// Whether nothing differs that only a snapshot tells.
    private func isOfSameGame(
        _ rendering: SheetRendering,
        in session: some WatchedSession
    ) -> Bool {
        rendering.head == told.document.session && rendering.sheet.name == told.context.gameName
            && rendering.standings.totalLabel == told.context.totalLabel
            && rendering.standings.panels.isEmpty == told.document.panels.isEmpty
            && rendering.moves == told.context.moves
            && session.board.players.count == places.count
    }

    /// Takes in how something is now; nil where it was told so.
    private static func differing<Part: Equatable>(_ told: inout Part, _ now: Part) -> Part? {
        guard told != now else { return nil }
        told = now
        return now
    }

    /// The same of what may be nothing, which is told, too.
    private static func differing<Part: Codable & Hashable & Sendable>(
        _ told: inout Part?,
        _ now: Part?
    ) -> ExplicitNull<Part>? {
        guard told != now else { return nil }
        told = now
        return ExplicitNull(wrappedValue: now)
    }

    // MARK: What differs for everybody

    private mutating func document(
        _ change: ScoreboardChange,
        _ rendering: SheetRendering
    ) -> ShowDocument.Change {
        var news = ShowDocument.Change()
        let standings = rendering.standings
        news.teams = Self.differing(&told.document.teams, rendering.teams)
        news.finished = Self.differing(&told.document.finished, standings.isFinished)
        news.turn = Self.differing(&told.document.turn, standings.turn?.description)
        news.winners = Self.differing(&told.document.winners, standings.winners.map(\.description))
        if change.areFlagsDifferent {
            news.flags = Self.differing(&told.document.flags, rendering.flags)
        }
        if change.arePanelsDifferent {
            news.panels = Self.differing(&told.document.panels, rendering.panels)
            news.darts = Self.differing(&told.document.darts, rendering.darts)
        }
        let cells = Dictionary(grouping: change.cells.sorted(), by: \.player)
        // A new leg changes the headlines of all players, whose lines stay as they are.
        let areAllTouched = change.arePanelsDifferent && !standings.headlines.isEmpty
        let players = places.filter {
            areAllTouched || change.lines.contains($0.key) || cells[$0.key] != nil
        }
        let changes = players.sorted { $0.value < $1.value }.map { player, place in
            line(place, cells[player] ?? [], rendering)
        }
        .filter { !$0.isEmpty }
        news.players = changes.isEmpty ? nil : changes
        return news
    }

    private mutating func line(
        _ place: Int,
        _ changed: [Cell],
        _ rendering: SheetRendering
    ) -> ShownPlayer.Change {
        let now = rendering.line(ofPlayerAt: place)
        var news = ShownPlayer.Change(id: now.id, name: now.name)
        news.total = Self.differing(&told.document.players[place].total, now.total)
        news.rank = Self.differing(&told.document.players[place].rank, now.rank)
        news.tieBreak = Self.differing(&told.document.players[place].tieBreak, now.tieBreak)
        news.winner = Self.differing(&told.document.players[place].winner, now.winner)
        news.computed = Self.differing(&told.document.players[place].computed, now.computed)
        news.headline = Self.differing(&told.document.players[place].headline, now.headline)
        news.advice = Self.differing(&told.document.players[place].advice, now.advice)
        var (cells, cleared) = ([ShownCell](), [ShownPlace]())
        for cell in changed {
            if let shown = rendering.cell(at: cell) {
                cells.append(shown)
            } else {
                cleared.append(
                    ShownPlace(row: cell.row.description, round: cell.round.map(Int.init))
                )
            }
        }
        news.cells = cells.isEmpty ? nil : cells
        news.cleared = cleared.isEmpty ? nil : cleared
        return news
    }

    /// The rows of the table that came or went with these cells.
    private mutating func table(
        _ change: ScoreboardChange,
        _ rendering: SheetRendering
    ) -> ShowContext.Change {
        var (rows, gone) = ([ShownRow](), [ShownPlace]())
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
            gone += old.sorted().map { ShownPlace(row: id.description, round: Int($0)) }
        }
        var news = ShowContext.Change()
        news.rows = rows.isEmpty ? nil : rows
        news.gone = gone.isEmpty ? nil : gone
        return news
    }

    // MARK: What only this device knows

    private mutating func surround(
        _ news: inout ShowContext.Change,
        in session: some WatchedSession
    ) {
        let localContext = session.localContext
        news.me = Self.differing(&told.context.me, localContext.me?.description)
        news.peers = Self.differing(&told.context.peers, localContext.peers)
        news.offline = Self.differing(&told.context.offline, localContext.isOffline)
        news.unsynced = Self.differing(&told.context.unsynced, localContext.unsynced)
        let notes = notes + session.notes(ofTurn: turn) + localContext.notes
        news.notes = Self.differing(&told.context.notes, notes)
        news.next = Self.differing(&told.context.next, localContext.next)
        news.inUse = Self.differing(&told.context.inUse, localContext.inUse)
    }
}
