import SyncProtocol

/// The output of `show`: the heading, the table, and below it conflicts, notes and peers.
struct SheetPage {
    let show: ShowReply
    let form: PageForm
    let now: Int64

    private var columns: Int { form.columns }

    /// The lines, none wider than the terminal except commands to copy.
    var lines: [Line] {
        guard show.document.panels.isEmpty else { return page(of: panels(rows: nil)) }
        return lines(folding: 0)
    }

    /// The lines for a terminal of a height: the oldest rows of the sheet are folded into one, so
    /// that the totals, the conflicts and the other laptops stay visible.
    ///
    /// No more rows are folded than necessary; if folding all is not enough, all are folded.
    func lines(within rows: Int) -> [Line] {
        guard show.document.panels.isEmpty else { return panelLines(within: rows) }
        let whole = lines
        let all = show.context.rows.count
        guard whole.count > rows, all > 1 else { return whole }
        // Folding more never makes the page longer: a binary search finds the least.
        var (least, most) = (2, all)
        while least < most {
            let middle = (least + most) / 2
            if lines(folding: middle).count > rows { least = middle + 1 } else { most = middle }
        }
        let folded = lines(folding: least)
        return folded.count < whole.count ? folded : whole
    }

    private func lines(folding folded: Int) -> [Line] {
        page(of: [finals, SheetTable(show, columns: columns, folding: folded).lines])
    }

    private var finals: [Line] { FinalPlaces(show: show, page: form).lines }

    private func page(of content: [[Line]]) -> [Line] {
        let blocks = [heading] + content + [conflicts, remarks, peers]
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }

    // MARK: Panels

    /// The boards, the players, and then other panels; after the end of a game the final places
    /// come first.
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

    /// The lines for a terminal of a height: tables keep their latest rows, then empty lines are
    /// removed; the board and whose turn it is stay visible.
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

    /// The winners or leaders, if they fit into the heading.
    private var outcome: String? {
        let winners = show.document.players.filter(\.winner).map(\.name)
        if let won = NameList.won(by: winners) { return won }
        guard show.document.turn == nil else { return nil }
        let leaders = show.document.players.filter {
            !$0.removed && show.context.leaders.contains($0.id)
        }.map(\.name)
        // If no one is behind, no one leads.
        let others = show.document.players.filter { !$0.removed }.count - leaders.count
        guard !leaders.isEmpty, others > 0, leaders.count <= 3 else { return nil }
        return NameList.text(leaders) + (leaders.count == 1 ? " leads" : " lead")
    }

    // MARK: Conflicts

    var conflicts: [Line] {
        var found: [[Line]] = []
        for player in show.document.players where !player.removed {
            for cell in player.cells where !cell.conflict.isEmpty {
                found.append(conflict(player, cell))
            }
        }
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
        func add(_ text: String, _ style: Style = .plain) {
            for line in TextWidth.wrapped(text, to: max(20, columns - 2)) {
                lines.append(Line("  " + line, style))
            }
        }
        for flag in show.document.flags {
            let player = show.document.players.first { $0.id == flag.player }?.name ?? flag.player
            let cell = flag.label ?? CellAddress.text(flag.row, flag.round)
            add("! \(player) \(cell): \(flag.reason)", .warning)
        }
        for note in show.context.notes { add(note) }
        let removed = show.document.players.filter(\.removed).map(\.name)
        if !removed.isEmpty { add("Removed: \(removed.joined(separator: ", "))", .faint) }
        return lines
    }

    /// The other laptops, and the synchronization with them.
    var peers: [Line] {
        let context = show.context
        var lines = peerTable
        if context.offline {
            lines.append(
                Line("  This laptop is offline. Go online: scorectl daemon online", .warning)
            )
        }
        if context.unsynced > 0 {
            let one = context.unsynced == 1
            let text = "\(context.unsynced) of your scores \(one ? "is" : "are")"
            lines.append(Line("  \(text) not on any other laptop yet.", .warning))
        }
        return lines
    }

    private var peerTable: [Line] {
        let peers = show.context.peers
        guard !peers.isEmpty else {
            return [Line("  No other laptop yet: scorectl session invite", .faint)]
        }
        let rows = peers.map { peer -> [Line] in
            let name = Line(" " + TextWidth.truncated(peer.name, to: 30))
            return [Line("  ") + PeerState.mark(peer) + name, PeerState.line(peer, now: now)]
        }
        return Table.aligned(rows, [.left, .left], gap: 2)
    }
}

extension ShownPanel {
    fileprivate var isBoard: Bool {
        switch self {
        case .board: true
        case .table, .text: false
        }
    }
}

/// The ranking after the end of a game, shown above the sheet, which keeps the order of the seats.
struct FinalPlaces {
    let show: ShowReply
    let page: PageForm

    /// A team with its members, or a player alone.
    private struct Competitor {
        let name: Line
        let rank: Int?
        let total: Int64
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
            ? [] : TieBreakNotes(players: players, columns: page.columns).lines
        return [title] + table.lines.map { Line("  ") + $0.withoutTrailingSpace } + notes
    }

    /// The ranked ones by rank, equal ones in seat order; then the others, the removed ones last.
    private var competitors: [Competitor] {
        let members = Set(show.document.teams.flatMap(\.players))
        let alone = show.document.players.filter { !members.contains($0.id) }.map(competitor)
        return (show.document.teams.map(competitor) + alone).enumerated().sorted { left, right in
            let keys = [left, right].map { index, competitor in
                competitor.isRemoved ? (1, .max, index) : (0, competitor.rank ?? .max, index)
            }
            return keys[0] < keys[1]
        }.map(\.element)
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
                return [name, "\(player.total)", you(player)].filter { !$0.isEmpty }
                    .joined(separator: " ")
            }
        )
    }

    private func you(_ player: ShownPlayer) -> String {
        player.id == show.context.me ? "you" : ""
    }
}

/// Explanations of tie breaks, below a table of totals; none for shared ranks.
struct TieBreakNotes {
    let players: [ShownPlayer]
    let columns: Int

    var lines: [Line] {
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
