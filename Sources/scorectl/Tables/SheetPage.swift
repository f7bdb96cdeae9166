import SessionCRDT
import SyncProtocol
import TerminalText

/// The output of `show`: the heading, the table, and below it conflicts, notes and peers.
struct SheetPage {
    let show: ShowReply
    let form: PageFormat
    let now: Int64

    private var columns: Int { form.columns }

    /// The lines, none wider than the terminal except commands to copy.
    var lines: [Line] {
        guard show.document.panels.isEmpty else { return page(of: panels(rows: nil)) }
        return lines(folding: 0, SheetPlaces(show))
    }

    /// Returns the lines that fit `rows`: the oldest rows of the sheet are folded into one, so that
    /// the totals, the conflicts and the other laptops stay visible.
    ///
    /// No more rows are folded than necessary; if the page still does not fit, all are folded.
    func lines(within rows: Int) -> [Line] {
        guard show.document.panels.isEmpty else { return panelLines(within: rows) }
        let places = SheetPlaces(show)
        let all = show.context.rows.count
        // A row takes a line at least, unless the rows are columns.
        let isTooLong = all > rows && all > SheetTable.maxRowsAsColumns(columns)
        let whole = isTooLong ? nil : lines(folding: 0, places)
        if let whole, whole.count <= rows || all <= 1 { return whole }
        // Folding more rows never makes the page longer, so that a binary search finds the minimum.
        var (low, high) = (isTooLong ? max(2, all - rows) : 2, all)
        while low < high {
            let middle = (low + high) / 2
            let fits = lines(folding: middle, places).count <= rows
            if fits { high = middle } else { low = middle + 1 }
        }
        let folded = lines(folding: low, places)
        if isTooLong, folded.count < all { return folded }
        let unfolded = whole ?? lines(folding: 0, places)
        return folded.count < unfolded.count ? folded : unfolded
    }

    private func lines(folding folded: Int, _ places: SheetPlaces) -> [Line] {
        page(of: [finals, SheetTable(show, places, columns: columns, folding: folded).lines])
    }

    private var finals: [Line] { FinalPlaces(show: show, page: form).lines }

    private func page(of content: [[Line]]) -> [Line] {
        let blocks = [heading] + content + [conflicts, remarks, peers]
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }

    // MARK: Panels

    /// Renders the boards, the players, and then other panels; after the end of a game the final
    /// places come first.
    private func panels(rows: Int?) -> [[Line]] {
        let boards = show.document.panels.filter(\.isBoard)
        let others = show.document.panels.filter { !$0.isBoard }
        func lines(_ panel: ShownPanel) -> [Line] {
            PanelView(panel: panel, page: form, rows: rows).lines
        }
        let finals = finals
        guard finals.isEmpty else { return [finals] + boards.map(lines) + others.map(lines) }
        return boards.map(lines) + [PlayerTable(show: show, page: form).lines] + others.map(lines)
    }

    /// Returns the lines that fit `rows`: tables are cut to their latest rows, then blank lines are
    /// dropped; the board and the turn stay visible.
    private func panelLines(within rows: Int) -> [Line] {
        var lines = lines
        var kept =
            show.document.panels.map { panel in
                guard case .table(let table) = panel else { return 0 }
                return table.rows.count
            }.max() ?? 0
        while lines.count > rows, kept > 4 {
            kept -= 1
            lines = page(of: panels(rows: kept))
        }
        return lines.count > rows ? lines.filter { $0.width > 0 } : lines
    }

    // MARK: The heading

    var heading: [Line] {
        let session = show.document.session
        var line = Line(TextWidth.truncated(session.title, to: 40), .strong)
        let game = show.context.gameName.isEmpty ? session.game : show.context.gameName
        if game != session.title { line += Line(" · " + game) }
        if show.context.lowestWins { line += Line(" · lowest total wins") }
        line += Line(" · " + session.status)
        guard let outcome else { return turn.map { [line, Line("  ") + $0] } ?? [line] }
        let whole = line + Line(" · ") + Line("★ " + outcome, .good)
        return [whole.width <= columns ? whole : line]
    }

    private var turn: Line? {
        guard let player = show.document.players.first(where: { $0.id == show.document.turn })
        else { return nil }
        let name = Line(TextWidth.truncated(player.name, to: 40), .strong)
        return name + Line(" to move" + (player.id == show.context.me ? ": your turn" : ""))
    }

    private var outcome: String? {
        if let words = ShownVerdict.words(show.document.session.verdict) { return words }
        let winners = show.document.players.filter(\.winner).map(\.name)
        if let won = NameList.won(by: winners) { return won }
        guard show.document.turn == nil else { return nil }
        let leaders = show.document.players.filter {
            !$0.removed && show.context.leaders.contains($0.id)
        }.map(\.name)
        // Without anyone behind, no player leads.
        let others = show.document.players.filter { !$0.removed }.count - leaders.count
        guard !leaders.isEmpty, others > 0, leaders.count <= 3 else { return nil }
        return NameList.text(leaders) + (leaders.count == 1 ? " leads" : " lead")
    }

    // MARK: Conflicts

    var conflicts: [Line] {
        let found = show.conflicts.map(conflict)
        guard !found.isEmpty else { return [] }
        let shown = 4
        var lines = [
            Line("  * conflict: several laptops wrote different values; resolve with", .warning)
        ]
        lines += found.prefix(shown).joined()
        if found.count > shown {
            lines.append(Line("    and \(found.count - shown) more: scorectl conflicts", .warning))
        }
        return lines
    }

    private func conflict(_ player: ShownPlayer, _ cell: ShownCell) -> [Line] {
        let all = [cell.shown] + cell.conflict
        let values = all.map { "\(ConflictList.read($0)) by \($0.by)" }.joined(separator: " or ")
        let label = cell.label.map { $0 + ": " } ?? ""
        let address = CellAddress.text(cell.row, cell.round)
        let command = ConflictList.resolve(player.name, address, cell.shown)
        let width = max(20, columns - 6)
        return [Line("    " + command, .strong)]
            + TextWidth.wrapped("(\(label)\(values))", to: width)
            .map { Line("      " + $0, .faint) }
    }

    // MARK: Notes and peers

    var remarks: [Line] {
        var lines: [Line] = []
        func add(_ text: String, _ style: Style = .plain) { lines += paragraph(text, style) }
        for flag in show.document.flags {
            let player = show.document.players.first { $0.id == flag.player }?.name ?? flag.player
            let cell = flag.label ?? CellAddress.text(flag.row, flag.round)
            add("! \(player) \(cell): \(flag.reason)", .warning)
        }
        for knock in show.context.knocks ?? [] {
            let symbols = knock.symbols.isEmpty ? "" : ": \(KnockSymbol.text(knock.symbols))"
            add("\(knock.laptop) asks to join\(symbols). To answer: scorectl session admit")
        }
        for members in show.memberLists { add(members) }
        for note in show.context.notes { add(note) }
        let removed = show.document.players.filter(\.removed).map(\.name)
        if !removed.isEmpty { add("Removed: \(removed.joined(separator: ", "))", .faint) }
        return lines
    }

    private func paragraph(_ text: String, _ style: Style) -> [Line] {
        TextWidth.wrapped(text, to: max(20, columns - 2)).map { Line("  " + $0, style) }
    }

    /// The other laptops, and the synchronization with them.
    var peers: [Line] {
        let context = show.context
        var lines = peerTable
        if context.offline {
            let text = "This laptop is offline. Go online: scorectl daemon online"
            lines += paragraph(text, .warning)
        }
        if context.unsynced > 0 {
            let one = context.unsynced == 1
            let text = "\(context.unsynced) of your scores \(one ? "is" : "are")"
            lines += paragraph("\(text) not on any other laptop yet.", .warning)
        }
        return lines
    }

    private var peerTable: [Line] {
        let peers = show.context.peers
        guard !peers.isEmpty else {
            return paragraph("No other laptop yet: scorectl session invite", .faint)
        }
        let rows = peers.map { peer -> [Line] in
            let name = Line(" " + TextWidth.truncated(peer.name, to: 30))
            return [Line("  ") + PeerState.mark(peer) + name, PeerState.line(peer, now: now)]
        }
        return Table.aligned(rows, [.left, .left], gap: 2)
    }
}

extension ShownPanel {
    fileprivate var isBoard: Bool { if case .board = self { true } else { false } }
}

/// The ranking after the end of a game, shown above the sheet, which keeps the order of the seats.
struct FinalPlaces {
    let show: ShowReply
    let page: PageFormat

    /// A team with its members, or a player alone.
    private struct Competitor {
        let name: Line
        let rank: Int?
        let total: Points
        let isWinner: Bool
        var isRemoved = false
        let remarks: [String]
    }

    /// The lines; none before the game is over, and none if no one is ranked.
    var lines: [Line] {
        let competitors = competitors
        guard show.document.finished, competitors.contains(where: { $0.rank != nil }) else {
            return []
        }
        let ranks = competitors.filter { !$0.isRemoved }.compactMap(\.rank)
        var table = Table([
            .right("Place"),
            show.document.teams.isEmpty ? "Player" : "Team",
            .right(show.context.totalLabel + " "), "",
        ])
        for competitor in competitors {
            let isShared = ranks.count { $0 == competitor.rank } > 1
            let remarks = (isShared && !competitor.isRemoved ? ["shared"] : []) + competitor.remarks
            table.add([
                Line(competitor.rank.map { "\($0)" } ?? "–"), competitor.name,
                Line("\(competitor.total)", competitor.isWinner ? .good : .strong)
                    + Line(competitor.isWinner ? "★" : " ", .good),
                Line(remarks.filter { !$0.isEmpty }.joined(separator: ", "), .faint),
            ])
        }
        let title = Line("  Final places", .strong)
        // A sheet explains tie breaks below its own table.
        let players = show.activePlayers
            .sorted { ($0.rank ?? .max, $0.seat) < ($1.rank ?? .max, $1.seat) }
        let notes =
            show.document.panels.isEmpty
            ? [] : TieBreakNotes.lines(players, columns: page.columns)
        return [title] + table.lines.map { Line("  ") + $0.withoutTrailingSpace } + notes
    }

    /// The ranked competitors, tied ones in seat order; then the unranked ones, removed players
    /// last.
    private var competitors: [Competitor] {
        let members = Set(show.document.teams.flatMap(\.players))
        let alone = show.document.players.filter { !members.contains($0.id) }.map(competitor)
        return (show.document.teams.map(competitor) + alone).sorted(byRank: {
            $0.isRemoved ? nil : $0.rank ?? .max - 1
        })
    }

    private func competitor(_ player: ShownPlayer) -> Competitor {
        Competitor(
            name: Line(TextWidth.truncated(player.name, to: 24), player.removed ? .faint : .strong),
            rank: player.rank,
            total: player.total,
            isWinner: player.winner,
            isRemoved: player.removed,
            remarks: [
                player.removed ? "removed" : "", you(player),
                PlayerTable(show: show, page: page).piece(of: player),
            ]
        )
    }

    private func competitor(_ team: ShownTeam) -> Competitor {
        Competitor(
            name: Line(TextWidth.truncated(team.name, to: 24), .strong),
            rank: team.rank,
            total: team.total,
            isWinner: team.winner,
            remarks: show.document.players.filter { team.players.contains($0.id) }.map { player in
                let name = TextWidth.truncated(player.name, to: 24)
                let total = team.together == true ? "" : "\(player.total)"
                return [name, total, you(player)].filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
        )
    }

    private func you(_ player: ShownPlayer) -> String { player.id == show.context.me ? "you" : "" }
}

/// Explanations of tie breaks, below a table of totals; none for shared ranks.
enum TieBreakNotes {
    static func lines(_ players: [ShownPlayer], columns: Int) -> [Line] {
        players.flatMap { player -> [Line] in
            guard let words = player.tieBreak else { return [] }
            let decided = words.split(separator: ",").dropFirst()
            if decided.isEmpty || decided.elementsEqual([" shared"]) { return [] }
            let name = TextWidth.truncated(player.name, to: 16)
            return TextWidth.wrapped("\(name): \(words)", to: max(20, columns - 4))
                .map { Line("  " + $0, .faint) }
        }
    }
}

/// The score sheet as a table: players as columns as on paper, or as rows if they do not fit.
struct SheetTable {
    private let show: ShowReply
    let players: [ShownPlayer]
    let columns: Int
    /// The number of rows at the top that are folded into a single line.
    private let folded: Int
    private let places: SheetPlaces

    init(
        _ show: ShowReply,
        _ places: SheetPlaces? = nil,
        columns: Int,
        folding folded: Int = 0
    ) {
        (self.show, self.columns, self.folded) = (show, columns, folded)
        self.places = places ?? SheetPlaces(show)
        players = self.places.scorers
    }

    /// The first layout of the sheet that fits.
    var lines: [Line] {
        guard !players.isEmpty else {
            return [Line("  No players yet: scorectl player add NAME...", .faint)]
        }
        return table + TieBreakNotes.lines(players, columns: columns)
    }

    private var table: [Line] {
        for width in canBeColumns ? textWidths : [] {
            let asColumns = playersAsColumns(players, width).lines
            if fits(asColumns) { return asColumns }
        }
        let canBeRows = shownRows.count <= Self.maxRowsAsColumns(columns)
        for width in canBeRows ? textWidths : [] {
            let asRows = playersAsRows(width, shownRows[...]).lines
            if fits(asRows) { return asRows }
        }
        let blocks = players.inBlocks(columns: columns) { playersAsColumns($0).lines }
        return Array(blocks.joined(separator: [Line()]))
    }

    func fits(_ lines: [Line]) -> Bool { lines.allSatisfy { $0.width <= columns } }

    /// Whether the players may fit beside each other: each takes four characters at least.
    var canBeColumns: Bool { 4 * (players.count - 1) <= columns }

    /// The number of rows that may fit beside each other: each takes three characters at least.
    static func maxRowsAsColumns(_ columns: Int) -> Int { columns / 3 + 1 }

    /// The widths at which long texts are wrapped, tried in this order.
    private static let widths = [40, 28, 22]
    static let minWidth = 16
    private static let maxLines = 3

    private var textWidths: [Int] {
        let texts = players.flatMap(\.cells).filter { $0.count == nil }
        let isLong = texts.contains { TextWidth.of($0.value.description) > Self.minWidth }
        return (isLong ? Self.widths : []) + [Self.minWidth]
    }

    func playersAsColumns(_ players: [ShownPlayer], _ width: Int = minWidth) -> PageContent {
        var rows: [[Line]] = [[Line()] + players.map { name($0) + Line(" ") }]
        if players.contains(where: { !remark($0).isEmpty }) {
            rows.append([Line()] + players.map { Line(remark($0) + " ", .faint) })
        }
        if folded > 0 {
            let dots = players.map { _ in Line("… ", .faint) }
            rows.append([Line("\(folded) rows above", .faint)] + dots)
        }
        let head = rows.count
        for row in shownRows { rows += lines(of: row, players, width) }
        let foot = rows.count
        rows.append([Line(show.context.totalLabel, .strong)] + players.map(total))
        if players.contains(where: { $0.rank != nil }) {
            let ranks = players.map { Line(($0.rank.map { "\($0)" } ?? "–") + " ") }
            rows.append([Line("Rank")] + ranks)
        }
        let sides = [Alignment.left] + players.map { _ in Alignment.right }
        let lines = Table.aligned(rows, sides, gap: 2)
        // The rule above the totals, as on paper.
        let length = max(0, (lines.map(\.width).max() ?? 0) - 1)
        let rule = Line("  ") + Line(String(repeating: "─", count: length), .faint)
        let indented = lines.map { Line("  ") + $0.withoutTrailingSpace }
        return PageContent(
            head: Array(indented[..<head]),
            body: Array(indented[head..<foot]),
            foot: [rule] + indented[foot...]
        )
    }

    private func lines(of row: ShownRow?, _ players: [ShownPlayer], _ width: Int) -> [[Line]] {
        guard let row else {
            return [[Line("…", .faint)] + players.map { _ in Line("… ", .faint) }]
        }
        let cells = players.map { cell(of: $0, row, width, lines: Self.maxLines) }
        let height = cells.map(\.count).max() ?? 1
        return (0..<height).map { index -> [Line] in
            let texts = cells.map { index < $0.count ? $0[index] : Line() }
            return [index == 0 ? label(row) : Line()] + texts
        }
    }

    /// The rows after the folded ones; nil stands for a gap of skipped rounds.
    var shownRows: [ShownRow?] {
        var rows: [ShownRow?] = []
        let all = show.context.lines
        var before = all.prefix(folded).last
        for row in all.dropFirst(folded) {
            let isSame = before.map { ($0.group ?? $0.row) == (row.group ?? row.row) } ?? false
            let last = isSame ? before?.round ?? 0 : 0
            if let round = row.round, round > last + 1 { rows.append(nil) }
            rows.append(row)
            before = row
        }
        return rows
    }

    func playersAsRows(_ width: Int, _ shownRows: ArraySlice<ShownRow?>) -> PageContent {
        let titles =
            ["Rank ", "Player", show.context.totalLabel + " "]
            + shownRows.map { ($0?.label ?? "…") + " " }
        var rows = [titles.map { Line($0, .faint) }]
        for player in players.sorted(byRank: \.rank) {
            let note = remark(player)
            let who = name(player) + Line(note.isEmpty ? "" : " (\(note))", .faint)
            let rank = Line((player.rank.map { "\($0)" } ?? "–") + " ")
            let cells = shownRows.map { row in
                row.flatMap { cell(of: player, $0, width, lines: 1).first }
                    ?? Line("… ", .faint)
            }
            rows.append([rank, who, total(player)] + cells)
        }
        let sides = [.right, .left] + [Alignment](repeating: .right, count: titles.count - 2)
        let above = folded > 0 ? [Line("  \(folded) rows above", .faint)] : []
        let lines = Table.aligned(rows, sides, gap: 1).map {
            Line(" ") + $0.withoutTrailingSpace
        }
        return PageContent(head: above + lines.prefix(1), body: Array(lines.dropFirst()))
    }

    /// Returns the name of a row: faint if it adds nothing, indented for a field of a round, and at
    /// most half as wide as the terminal.
    private func label(_ row: ShownRow) -> Line {
        let indent = row.group == nil ? "" : "  "
        let text = indent + TextWidth.truncated(row.label, to: max(12, columns / 2))
        return Line(text, row.scores ? .plain : .faint)
    }

    private func name(_ player: ShownPlayer) -> Line {
        Line(TextWidth.truncated(player.name, to: 16), .strong)
    }

    private func remark(_ player: ShownPlayer) -> String {
        var words: [String] = []
        if player.id == show.context.me { words.append("you") }
        if player.id == show.document.turn { words.append("to move") }
        return words.joined(separator: ", ")
    }

    private func total(_ player: ShownPlayer) -> Line {
        let leads = player.winner || show.context.leaders.contains(player.id)
        let text = Line("\(player.total)", leads ? .good : .strong)
        return text + Line(leads ? "★" : " ", .good)
    }

    private func cell(of player: ShownPlayer, _ row: ShownRow, _ width: Int, lines: Int) -> [Line] {
        guard let cell = places.cell(of: player, row) else { return [computed(of: player, row)] }
        let texts = texts(of: cell, row, width, lines: lines)
        let isFlagged = places.isFlagged(player, row)
        let isConflict = !cell.conflict.isEmpty
        let style: Style = isConflict || isFlagged ? .warning : .plain
        let mark = isConflict ? "*" : isFlagged ? "!" : " "
        return texts.enumerated().map { index, text in
            let isLast = index == texts.count - 1
            guard isLast, style == .warning else { return Line(text + " ", style) }
            return Line(text, style) + Line(mark, style)
        }
    }

    /// Returns the texts of a cell: the entry, a sum as its result, and the points if they differ.
    private func texts(of cell: ShownCell, _ row: ShownRow, _ width: Int, lines: Int) -> [String] {
        let entered = cell.count.map { "\($0)" } ?? cell.value.description
        let words = TextWidth.wrapped(entered, to: width)
        var texts = words.prefix(lines - 1).map { TextWidth.truncated($0, to: width) }
        let rest = words.dropFirst(lines - 1).joined(separator: " ")
        if !rest.isEmpty || texts.isEmpty { texts.append(TextWidth.truncated(rest, to: width)) }
        // The fields of a round show no points; the round's line below them does.
        let differs = row.group == nil && cell.points != (cell.count ?? 0)
        if row.scores, let points = cell.points, differs {
            texts[texts.count - 1] += " → \(points)"
        }
        return texts
    }

    private func computed(of player: ShownPlayer, _ row: ShownRow) -> Line {
        let points = places.computedPoints(of: player, row)
        if row.round != nil, row.computed {
            return Line((points.map { "\($0)" } ?? "·") + " ", .strong)
        }
        guard let points else { return Line("· ", .faint) }
        return row.computed ? Line("\(points) ") : Line("→ \(points) ", .faint)
    }
}

extension Line {
    /// The line without the trailing space that is reserved for a mark.
    var withoutTrailingSpace: Line {
        let spaces = text.reversed().prefix { $0 == " " }.count
        return spaces > 0 ? cropped(to: width - spaces) : self
    }
}

enum CellAddress {
    /// Returns the address of a cell as it is typed: `birds`, or `round.3`.
    static func text(_ row: String, _ round: Int?) -> String { round.map { "\(row).\($0)" } ?? row }
}
