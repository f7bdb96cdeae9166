import ScoreSheets
import SessionCRDT
import SyncProtocol

/// A score sheet as clients see it, put together from a session and its standings.
struct SheetView {
    let session: SessionID
    let board: Scoreboard
    let sheet: Sheet
    let standings: Standings
    private let words: GameWords
    private var book: Book { board.book }
    /// What devices are called here, which is not the same on every device.
    let nameOfDevice: (DeviceID) -> String

    /// The most flags that are shown: who needs more does not read them, and strangers may have
    /// written a hundred thousand values that do not count.
    static let mostFlags = 1000

    init(
        session: SessionID,
        board: Scoreboard,
        sheet: Sheet,
        standings: Standings,
        nameOfDevice: @escaping (DeviceID) -> String
    ) {
        self.nameOfDevice = nameOfDevice
        self.session = session
        self.board = board
        self.sheet = sheet
        words = sheet.rules.words(in: board.book)
        self.standings = standings
    }

    /// What is the same on every device with the same state.
    var document: ShowDocument {
        let winners = standings.winners
        let winning = Set(winners)
        let lines = Dictionary(standings.players.map { ($0.player.id, $0) }) { first, _ in first }
        return ShowDocument(
            session: ShownSession(
                id: session.description,
                title: board.header.title,
                game: sheet.id.description,
                status: board.header.isFinished ? "finished" : "open"
            ),
            players: board.players.enumerated().map { place, player in
                shown(
                    player,
                    lines[player.id],
                    seat: place + 1,
                    winner: winning.contains(player.id)
                )
            },
            finished: standings.isFinished,
            turn: standings.turn?.description,
            winners: winners.map(\.description),
            flags: standings.flags.prefix(SheetView.mostFlags).compactMap(shown),
            panels: standings.panels.map(ShownPanel.init)
        )
    }

    /// The rows of the table, rounds spread out; none where the game shows panels.
    var rows: [ShownRow] {
        guard standings.panels.isEmpty else { return [] }
        return SheetLayout(sheet, standings, in: book).lines.map { line in
            ShownRow(
                row: line.row.id.description,
                round: line.round.map(Int.init),
                label: line.label,
                scores: line.row.scores,
                computed: line.row.isComputed
            )
        }
    }

    /// Whether the lowest total leads.
    var lowestWins: Bool { sheet.winRule(of: book) == .lowest }

    /// What the user should know about the scores, in sentences.
    var notes: [String] {
        let kept = board.players.filter { $0.isPresent && $0.wasKeptIn }.map {
            "\($0.name) was removed on one laptop while somebody scored for them on another: "
                + "they stay in"
        }
        let flags = standings.flags.prefix(SheetView.mostFlags).compactMap(note)
        let rest = standings.flags.count - SheetView.mostFlags
        let more = rest > 0 ? ["\(rest) more values do not count"] : []
        return kept + flags + more + standings.notes + computerTurn
    }

    /// What a flag says beside the cells; those of cells are shown with the cells.
    private func note(_ flag: Flag) -> String? {
        switch flag.subject {
        case .cell: nil
        case .game: flag.words(in: book, by: words)
        case .option, .player: "does not count: \(flag.words(in: book, by: words))"
        }
    }

    /// Where the move is made, when a computer is to move.
    private var computerTurn: [String] {
        guard let player = standings.turn.flatMap(book.player), let computer = player.computer
        else { return [] }
        return ["\(player.name) is a computer; \(nameOfDevice(computer.device)) moves for it"]
    }

    private func shown(
        _ player: Player,
        _ standing: PlayerStanding?,
        seat: Int,
        winner: Bool
    ) -> ShownPlayer {
        ShownPlayer(
            id: player.id.description,
            name: player.name,
            seat: seat,
            team: player.team,
            total: standing?.total ?? 0,
            rank: standing?.rank,
            tieBreak: standing?.tieBreak,
            winner: winner,
            removed: !player.isPresent,
            cells: standing?.cells.map(shown) ?? [],
            computed: standing?.computed.map {
                ShownPoints(row: $0.row.description, points: $0.points)
            } ?? []
        )
    }

    private func shown(_ scored: ScoredCell) -> ShownCell {
        let live = scored.entry.live
        let winner = live.winner
        let cell = scored.entry.cell
        let values = live.entries.map(\.value)
        return ShownCell(
            row: cell.row.description,
            round: cell.round.map(Int.init),
            label: words.cell(cell),
            value: Scalar(winner.value),
            text: words.value(Score(cell, winner.value))?.shown,
            typed: live.isConflicting ? words.typed(winner.value, among: values, in: cell) : nil,
            count: sheet.row(cell.row)?.isNumeric == true ? scored.count : nil,
            points: scored.points,
            by: board.name(of: winner.author),
            at: Timestamp(milliseconds: winner.stamp.milliseconds),
            conflict: live.losers.filter { $0.value != winner.value }.map { loser in
                AttributedValue(
                    value: Scalar(loser.value),
                    by: board.name(of: loser.author),
                    at: Timestamp(milliseconds: loser.stamp.milliseconds),
                    text: words.value(Score(cell, loser.value))?.shown,
                    typed: words.typed(loser.value, among: values, in: cell)
                )
            }
        )
    }

    private func shown(_ flag: Flag) -> ShownFlag? {
        guard case .cell(let cell) = flag.subject else { return nil }
        return ShownFlag(
            player: cell.player.description,
            row: cell.row.description,
            round: cell.round.map(Int.init),
            label: words.cell(cell),
            reason: flag.reason.description
        )
    }
}
