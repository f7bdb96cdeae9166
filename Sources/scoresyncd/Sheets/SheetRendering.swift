import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Renders a score sheet for clients, as a whole or in parts.
struct SheetRendering {
    let sheet: Sheet
    let standings: Standings

    private let id: SessionID
    private let board: Scoreboard
    private let game: any Game
    private let names: DeviceNames
    private let gameWords: GameWords
    private let lines: [PlayerID: PlayerStanding]
    private let winners: Set<PlayerID>

    /// The maximum number of flags: nobody reads more, and a malicious member may have written a
    /// hundred thousand values that do not count.
    private static let maxFlags = 1000

    init(_ session: some WatchedSession) throws(ControlError) {
        sheet = try session.board.playedSheet()
        id = session.id
        board = session.board
        names = session.deviceNames
        game = board.game ?? sheet.rules.game(of: board.book)
        standings = session.standings ?? game.standings(of: board.book)
        gameWords = game.words(in: board.book)
        lines = Dictionary(standings.players.map { ($0.player.id, $0) }) { first, _ in first }
        winners = Set(standings.winners)
    }

    /// Returns the whole sheet, including the facts that only this device knows.
    func show(_ session: some WatchedSession) -> ShowReply {
        var show = ShowReply(document: outline, context: outline(in: session))
        for (index, player) in board.players.enumerated() {
            show.document.players[index].cells = lines[player.id]?.cells.map(cell) ?? []
        }
        show.context.rows = rows
        return show
    }

    // MARK: The document, which is the same on every device with the same state

    /// The document without its cells.
    var outline: ShowDocument {
        ShowDocument(session: head, players: board.players.indices.map(line(ofPlayerAt:))).with {
            $0.teams = teams
            $0.finished = standings.isFinished
            $0.turn = standings.turn?.description
            $0.turnNumber = standings.turnNumber
            $0.winners = standings.winners.map(\.description)
            $0.flags = flags
            $0.panels = panels
            $0.darts = darts
        }
    }

    var head: ShownSession { ShownSession(id, board.header, sheet) }

    /// Returns the player with an index in seat order, without cells.
    func line(ofPlayerAt index: Int) -> ShownPlayer {
        let player = board.players[index]
        let standing = lines[player.id]
        let headline = standings.headlines[player.id]
        return ShownPlayer(id: player.id.description, name: player.name, seat: index + 1).with {
            $0.team = player.team
            $0.total = standing?.total ?? 0
            $0.rank = standing?.rank
            $0.tieBreak = standing?.tieBreak
            $0.winner = winners.contains(player.id)
            $0.removed = !player.isPresent
            $0.since = player.since > 1 ? Int(player.since) : nil
            $0.start = player.start
            $0.computed =
                standing?.computed.map {
                    ShownPoints(row: $0.row.description, points: $0.points)
                } ?? []
            $0.headline = headline.map { headline in
                ShownHeadline(value: headline.value, label: headline.label).with {
                    $0.left = headline.left
                }
            }
            $0.advice = headline?.advice
        }
    }

    /// Returns a cell; nil if it has no value.
    func cell(at cell: Cell) -> ShownCell? {
        guard let cells = lines[cell.player]?.cells else { return nil }
        return cells.cell(of: cell.row, in: cell.round).map { self.cell($0) }
    }

    func isUsed(_ row: Symbol, _ round: UInt32) -> Bool {
        let rows = sheet.rowAndFields(row)
        return standings.players.contains { line in
            rows.contains { row in
                board.book.isWritten(Cell(player: line.player.id, row: row, round: round))
            }
        }
    }

    var flags: [ShownFlag] {
        standings.flags.prefix(SheetRendering.maxFlags).compactMap { flag in
            guard case .cell(let cell) = flag.subject else { return nil }
            return ShownFlag(
                player: cell.player.description,
                row: cell.row.description,
                round: cell.round.map(Int.init),
                reason: flag.reason.message
            ).with { $0.label = gameWords.cell(cell) }
        }
    }

    var teams: [ShownTeam] {
        standings.teams.map { team in
            ShownTeam(
                name: team.name,
                total: team.total,
                rank: team.rank,
                winner: team.members.contains { winners.contains($0.id) },
                players: team.members.map(\.id.description)
            ).with { $0.together = sheet.teams == .together ? true : nil }
        }
    }

    var hasPanels: Bool { game.hasPanels }
    var panels: [ShownPanel] { game.panels.map(ShownPanel.init) }

    var darts: [String]? { standings.darts.isEmpty ? nil : standings.darts }

    private func cell(_ scored: ScoredCell) -> ShownCell {
        let live = scored.bookCell.live
        let winner = live.winner
        let cell = scored.bookCell.cell
        let values = live.entries.map(\.value)
        return ShownCell(
            row: cell.row.description,
            round: cell.round.map(Int.init),
            value: Scalar(gameWords.visibleValue(of: Score(cell, winner.value))),
            by: board.name(of: winner.author, among: names),
            at: Timestamp(milliseconds: winner.stamp.milliseconds)
        ).with {
            $0.revision = live.revision(of: cell)
            $0.label = gameWords.cell(cell)
            $0.text = gameWords.value(Score(cell, winner.value))?.shown
            $0.typed =
                live.isConflicting
                ? gameWords.typed(winner.value, among: values, in: cell) : nil
            $0.count = sheet.row(cell.row)?.isNumeric == true ? scored.count : nil
            $0.points = scored.points
            $0.conflict = live.losers.filter { $0.value != winner.value }.map { loser in
                AttributedValue(
                    value: Scalar(gameWords.visibleValue(of: Score(cell, loser.value))),
                    by: board.name(of: loser.author, among: names),
                    at: Timestamp(milliseconds: loser.stamp.milliseconds)
                ).with {
                    $0.text = gameWords.value(Score(cell, loser.value))?.shown
                    $0.typed = gameWords.typed(loser.value, among: values, in: cell)
                }
            }
        }
    }

    // MARK: The context

    /// Returns the context without the rows of the table.
    func outline(in session: some WatchedSession) -> ShowContext {
        let localContext = session.localContext
        return ShowContext(gameName: sheet.name).with {
            $0.engine = sheet.gameEngine.rawValue
            $0.pad = pad
            let out = sheet.rows(of: board.book).filter { $0.wins == .out }
            $0.out = out.isEmpty ? nil : out.map(\.id.description)
            $0.moves = moves
            $0.order = sheet.placedRows.map(\.description)
            $0.totalLabel = standings.totalLabel
            $0.lowestWins = sheet.winRule(of: board.book) == .lowest
            $0.teams = sheet.teams == .sum ? nil : sheet.teams.rawValue
            $0.me = localContext.me?.description
            $0.leaders = standings.leaders.map(\.description)
            $0.peers = localContext.peers
            $0.offline = localContext.isOffline
            $0.unsynced = localContext.unsynced
            $0.notes = notes + session.turnNotes(standings.turn) + localContext.notes
            $0.knocks = localContext.knocks
            $0.next = localContext.next
            $0.inUse = localContext.inUse
        }
    }

    var moves: ShownMoves? { standings.moveInput.flatMap(ShownMoves.init) }

    /// Returns the flags that contradict one by a check of its rounds; nil if there are none.
    private func flags(of rows: [Row], excludedBy row: Row) -> [String]? {
        guard row.kind == .flag, let group = row.group,
            case .rounds(_, let rounds)? = rows.first(where: { $0.id == group.row })?.content
        else { return nil }
        let excluded = rows.filter { other in
            other.kind == .flag && other.group == group
                && rounds.checks.contains { $0.excludes(row.id, with: other.id) }
        }
        return excluded.isEmpty ? nil : excluded.map(\.id.description)
    }

    private var pad: [ShownPadRow] {
        let rows = sheet.rows(of: board.book)
        guard sheet.hasMoves else {
            return rows.compactMap { row in
                var shown = ShownPadRow(row)
                shown?.excludes = flags(of: rows, excludedBy: row)
                if sheet.teams == .together, row.partners == .one { shown?.shared = true }
                return shown
            }
        }
        guard let most = sheet.rules.maxPoints(in: board.book) else { return [] }
        return rows.compactMap { ShownPadRow(points: $0, max: most) }
    }

    /// The rows of the table, one per round; empty if the game shows panels.
    private var rows: [ShownRow] {
        guard !hasPanels else { return [] }
        return SheetLayout(sheet, standings, in: board.book).lines.map { line in
            ShownRow(line.row, round: line.round, in: sheet)
        }
    }

    /// The rounds that are shown as rows of the table, by row of the sheet.
    var roundLines: [Symbol: RoundLines] {
        guard !hasPanels else { return [:] }
        var used: [Symbol: Set<UInt32>] = [:]
        for row in sheet.rows(of: board.book) where row.lastRound != nil { used[row.id] = [] }
        for cell in standings.players.lazy.flatMap(\.cells).map(\.bookCell.cell) {
            guard let round = cell.round, let row = sheet.row(cell.row),
                row.violation(ofRound: round) == nil
            else { continue }
            for id in row.lineRows { used[id]?.insert(round) }
        }
        return Dictionary(
            uniqueKeysWithValues: used.map { ($0, RoundLines($1, of: sheet.row($0))) }
        )
    }

    /// The notes of the game, as sentences.
    var notes: [String] {
        let kept = board.players.filter { $0.isPresent && $0.wasKeptIn }.map {
            "\($0.name) was removed on one laptop while another entered scores for them, so they "
                + "stay in the game"
        }
        let flags = standings.flags.prefix(SheetRendering.maxFlags).compactMap(sentence)
        let rest = standings.flags.count - SheetRendering.maxFlags
        let more = rest > 0 ? ["\(rest) more values do not count"] : []
        return kept + flags + more + standings.notes.map(\.description)
    }

    /// Returns the sentence of a flag; nil if the flag is about a cell, because it is shown there.
    private func sentence(_ flag: Flag) -> String? {
        switch flag.subject {
        case .cell: nil
        case .game: flag.words(in: board.book, by: gameWords)
        case .option, .player: "does not count: \(flag.words(in: board.book, by: gameWords))"
        }
    }
}

extension ShownRow {
    /// Creates the table row for a row of a sheet, or for one of its rounds.
    init(_ row: Row, round: UInt32?, in sheet: Sheet) {
        let group = row.group.flatMap { sheet.row($0.row) }
        self.init(
            row: row.id.description,
            round: round.map(Int.init),
            label: row.label(ofRound: round)
        )
        self.scores = group?.scores ?? row.scores
        self.computed = row.isComputed
        self.group = group?.id.description
    }
}

extension ShownSession {
    init(_ id: SessionID, _ header: SessionHeader, _ sheet: Sheet) {
        self.init(
            id: id.description,
            title: header.title,
            game: sheet.id.description,
            status: header.isFinished ? "finished" : "open"
        )
        verdict = header.verdict?.word.kind
    }
}

extension ShownBoard {
    init(_ board: Panel.Board) {
        self.init(
            squares: board.squares,
            pieces: board.pieces.map { piece in
                ShownPiece(mark: String(piece.mark), name: piece.name, player: piece.player)
            },
            legal: board.legal,
            last: board.last
        )
    }
}

extension ShownPanel {
    init(_ panel: Panel) {
        switch panel {
        case .board(let board): self = .board(ShownBoard(board))
        case .table(let grid):
            self = .table(
                ShownTable(
                    title: grid.title,
                    columns: grid.columns,
                    rows: grid.rows.map { ShownTableRow(label: $0.label, cells: $0.cells) },
                    large: grid.isLarge ? true : nil
                )
            )
        case .text(let title, let lines): self = .text(ShownText(title: title, lines: lines))
        }
    }
}

extension ShownMoves {
    /// Converts the input to the form that clients see; nil if there is no such kind for clients.
    init?(_ input: MoveInput) {
        guard let kind = Input(rawValue: input.kind.rawValue) else { return nil }
        self.init(kind, title: input.title)
        self.help = input.help
        self.numbers = input.numbers.isEmpty ? nil : input.numbers
        self.rings = input.rings.isEmpty ? nil : input.rings
        self.totals = input.acceptsTotals ? true : nil
        self.words = input.words.isEmpty ? nil : input.words
        self.routes = input.routes.isEmpty ? nil : input.routes
    }
}

extension ShownPadRow {
    /// Converts a row of a sheet; nil if users do not enter it.
    init?(_ row: Row) {
        guard !row.isComputed, row.kind != .moves else { return nil }
        self.init(naming: row)
        from = row.isNumeric && row.range.from > Bounds.all.from ? row.range.from : nil
        to = row.isNumeric && row.range.to < Bounds.all.to ? row.range.to : nil
        halves = row.accepted.takesHalves ? true : nil
        last = row.lastRound.map(Int.init)
        group = row.group?.row.description
        optional = row.group != nil && row.emptyCount != nil ? true : nil
        switch row.content {
        case .choice(let choices): words = choices.map(\.word.description)
        case .order(let order): words = order.words.map(\.description)
        case .tokens(let values): tokens = values
        case .number, .rounds, .flag, .text, .moves, .computed: break
        }
    }

    /// Creates up to 12 keys for the points of one entry in a match; nil if every entry is one
    /// point.
    init?(points row: Row, max: Int) {
        guard max > 1 else { return nil }
        self.init(naming: row)
        tokens = (1...Int64(min(max, 12))).map(\.self)
    }

    private init(naming row: Row) {
        self.init(
            row: row.id.description,
            label: row.label,
            kind: row.kind.rawValue,
            takes: row.acceptedValues
        )
        self.help = row.help
    }
}

extension GameWords {
    /// Returns the name of a cell for people: `Visit 8`.
    func label(of cell: Cell, on sheet: Sheet) -> String {
        let name = sheet.row(cell.row)?.label ?? cell.row.description
        return self.cell(cell) ?? cell.round.map { "\(name) \($0)" } ?? name
    }

    /// Returns the texts to show in place of values; nil if the values themselves are shown.
    func texts(of values: [Value], in cell: Cell) -> [String]? {
        let texts = values.map { value(Score(cell, $0))?.shown }
        guard texts.contains(where: { $0 != nil }) else { return nil }
        return zip(values, texts).map { $1 ?? Scalar($0).description }
    }
}
