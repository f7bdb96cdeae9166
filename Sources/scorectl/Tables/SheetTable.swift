import SyncProtocol

/// The score sheet as a table: players as columns like on paper, or as rows where paper is wider
/// than the terminal.
struct SheetTable {
    private let show: ShowReply
    private let players: [ShownPlayer]
    private let columns: Int
    /// How many rows at the top are folded into one line, because the terminal is too low.
    private let folded: Int

    /// The table of a sheet for a terminal of so many columns.
    init(_ show: ShowReply, columns: Int, folding folded: Int = 0) {
        self.show = show
        self.columns = columns
        self.folded = folded
        players = show.document.players.filter { !$0.removed }
    }

    /// The lines: the first form of the sheet that fits.
    var lines: [Line] {
        guard !players.isEmpty else {
            return [Line("  No players yet: scorectl player add NAME...", .faint)]
        }
        return table + TieBreakNotes(players, columns: columns).lines
    }

    private var table: [Line] {
        let asColumns = playersAsColumns(players)
        if fits(asColumns) { return asColumns }
        let asRows = playersAsRows()
        if fits(asRows) { return asRows }
        return inBlocks()
    }

    private func fits(_ lines: [Line]) -> Bool { lines.allSatisfy { $0.width <= columns } }

    /// As many players side by side as fit, then the next ones below.
    private func inBlocks() -> [Line] {
        var lines: [Line] = []
        var rest = players[...]
        while !rest.isEmpty {
            var count = rest.count
            while count > 1, !fits(playersAsColumns(Array(rest.prefix(count)))) { count -= 1 }
            if !lines.isEmpty { lines.append(Line()) }
            lines += playersAsColumns(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return lines
    }

    // MARK: Players as columns

    private func playersAsColumns(_ players: [ShownPlayer]) -> [Line] {
        var rows: [[Line]] = [[Line()] + players.map { name($0) + Line(" ") }]
        if players.contains(where: { !remark($0).isEmpty }) {
            rows.append([Line()] + players.map { Line(remark($0) + " ", .faint) })
        }
        if folded > 0 {
            let dots = players.map { _ in Line("… ", .faint) }
            rows.append([Line("\(folded) rows above", .faint)] + dots)
        }
        for row in show.context.rows.dropFirst(folded) {
            rows.append([label(row)] + players.map { cell(of: $0, row) })
        }
        let head = rows.count
        rows.append([Line(show.context.totalLabel, .strong)] + players.map(total))
        if players.contains(where: { $0.rank != nil }) {
            let ranks = players.map { Line(($0.rank.map { "\($0)" } ?? "–") + " ") }
            rows.append([Line("Rank")] + ranks)
        }
        let sides = [Alignment.left] + players.map { _ in Alignment.right }
        var lines = Table.aligned(rows, sides, gap: 2)
        // The line under the addends, as on paper.
        let width = lines.map(\.width).max() ?? 0
        lines.insert(Line(String(repeating: "─", count: max(0, width - 1)), .faint), at: head)
        return lines.map { Line("  ") + $0.withoutTrailingSpace }
    }

    // MARK: Players as rows

    private func playersAsRows() -> [Line] {
        let ranked = players.enumerated().sorted { left, right in
            (left.element.rank ?? .max, left.offset) < (right.element.rank ?? .max, right.offset)
        }.map(\.element)
        let titles =
            ["Rank ", "Player", show.context.totalLabel + " "]
            + show.context.rows.map { $0.label + " " }
        var rows = [titles.map { Line($0, .faint) }]
        for player in ranked {
            let note = remark(player)
            let who = name(player) + Line(note.isEmpty ? "" : " (\(note))", .faint)
            let rank = Line((player.rank.map { "\($0)" } ?? "–") + " ")
            rows.append(
                [rank, who, total(player)] + show.context.rows.map { cell(of: player, $0) }
            )
        }
        let sides = [.right, .left] + [Alignment](repeating: .right, count: titles.count - 2)
        return Table.aligned(rows, sides, gap: 1).map { Line(" ") + $0.withoutTrailingSpace }
    }

    /// The name of a row, faint where it adds nothing; the longest leave half of the width free.
    private func label(_ row: ShownRow) -> Line {
        let text = TextWidth.truncated(row.label, to: max(12, columns / 2))
        return Line(text, row.scores ? .plain : .faint)
    }

    // MARK: Cells, each with a place for a mark after it

    private func name(_ player: ShownPlayer) -> Line {
        Line(TextWidth.truncated(player.name, to: 16), .strong)
    }

    /// What is special about a player, in words.
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

    private func cell(of player: ShownPlayer, _ row: ShownRow) -> Line {
        guard let cell = player.cells.first(where: { $0.row == row.row && $0.round == row.round })
        else { return computed(of: player, row) }
        let text = text(of: cell, row)
        if !cell.conflict.isEmpty { return Line(text, .warning) + Line("*", .warning) }
        let isFlagged = show.document.flags.contains { flag in
            flag.player == player.id && flag.row == row.row && flag.round == row.round
        }
        return isFlagged ? Line(text, .warning) + Line("!", .warning) : Line(text + " ")
    }

    /// What was entered, a sum as its number, and what that is worth where it is something else.
    private func text(of cell: ShownCell, _ row: ShownRow) -> String {
        let entered = cell.count.map(String.init) ?? cell.value.description
        let text = TextWidth.truncated(entered, to: 16)
        guard row.scores, let points = cell.points, points != (cell.count ?? 0) else {
            return text
        }
        return "\(text) → \(points)"
    }

    /// What a row is worth that nobody entered.
    private func computed(of player: ShownPlayer, _ row: ShownRow) -> Line {
        guard let found = player.computed.first(where: { $0.row == row.row }) else {
            return Line("· ", .faint)
        }
        return row.computed ? Line("\(found.points) ") : Line("→ \(found.points) ", .faint)
    }
}

extension Line {
    /// The line without the empty place for a mark at its end.
    fileprivate var withoutTrailingSpace: Line {
        guard let last = pieces.last, last.text.hasSuffix(" ") else { return self }
        var result = pieces.dropLast().reduce(Line()) { $0 + Line($1.text, $1.style) }
        let kept = last.text.reversed().drop { $0 == " " }.reversed()
        result += Line(String(kept), last.style)
        return result.pieces.isEmpty
            ? result : (kept.isEmpty ? result.withoutTrailingSpace : result)
    }
}
