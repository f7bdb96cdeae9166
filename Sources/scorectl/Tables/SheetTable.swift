import SyncProtocol

/// The score sheet as a table: players as columns as on paper, or as rows if they do not fit.
struct SheetTable {
    /// A table in parts, of which only the rows scroll.
    struct Parts {
        /// The names.
        var head: [Line]
        var rows: [Line]
        /// The totals.
        var foot: [Line]

        var lines: [Line] { head + rows + foot }
    }

    private let show: ShowReply
    let players: [ShownPlayer]
    let columns: Int
    /// The number of rows at the top that are folded into one line.
    private let folded: Int

    init(_ show: ShowReply, columns: Int, folding folded: Int = 0) {
        (self.show, self.columns, self.folded) = (show, columns, folded)
        players = show.activePlayers
    }

    /// The first layout of the sheet that fits.
    var lines: [Line] {
        guard !players.isEmpty else {
            return [Line("  No players yet: scorectl player add NAME...", .faint)]
        }
        return table + TieBreakNotes(players: players, columns: columns).lines
    }

    private var table: [Line] {
        for width in textWidths {
            let asColumns = playersAsColumns(players, width).lines
            if fits(asColumns) { return asColumns }
        }
        for width in textWidths {
            let asRows = playersAsRows(width, shownRows[...]).lines
            if fits(asRows) { return asRows }
        }
        return inBlocks()
    }

    func fits(_ lines: [Line]) -> Bool { lines.allSatisfy { $0.width <= columns } }

    /// The widths at which long texts are wrapped, tried in this order.
    private static let widths = [40, 28, 22]
    static let minWidth = 16
    /// The maximum lines of a wrapped text.
    private static let maxLines = 3

    private var textWidths: [Int] {
        let texts = players.flatMap(\.cells).filter { $0.count == nil }
        let isLong = texts.contains { TextWidth.of($0.value.description) > Self.minWidth }
        return (isLong ? Self.widths : []) + [Self.minWidth]
    }

    /// Blocks of as many players side by side as fit.
    private func inBlocks() -> [Line] {
        var lines: [Line] = []
        var rest = players[...]
        while !rest.isEmpty {
            var count = rest.count
            while count > 1, !fits(playersAsColumns(Array(rest.prefix(count))).lines) { count -= 1 }
            if !lines.isEmpty { lines.append(Line()) }
            lines += playersAsColumns(Array(rest.prefix(count))).lines
            rest = rest.dropFirst(count)
        }
        return lines
    }

    func playersAsColumns(_ players: [ShownPlayer], _ width: Int = minWidth) -> Parts {
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
        return Parts(
            head: Array(indented[..<head]),
            rows: Array(indented[head..<foot]),
            foot: [rule] + indented[foot...]
        )
    }

    /// A row of the sheet, as high as its highest cell.
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

    /// The rows after the folded ones; nil stands for rounds that are left out.
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

    func playersAsRows(_ width: Int, _ shownRows: ArraySlice<ShownRow?>) -> Parts {
        let ranked = players.enumerated().sorted { left, right in
            (left.element.rank ?? .max, left.offset) < (right.element.rank ?? .max, right.offset)
        }.map(\.element)
        let titles =
            ["Rank ", "Player", show.context.totalLabel + " "]
            + shownRows.map { ($0?.label ?? "…") + " " }
        var rows = [titles.map { Line($0, .faint) }]
        for player in ranked {
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
        return Parts(head: above + lines.prefix(1), rows: Array(lines.dropFirst()), foot: [])
    }

    /// The name of a row: faint if it adds nothing, indented for a field of a round, and at most half
    /// as wide as the terminal.
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
        guard let cell = player.cells.first(where: { $0.row == row.row && $0.round == row.round })
        else { return [computed(of: player, row)] }
        let texts = texts(of: cell, row, width, lines: lines)
        let isFlagged = show.document.flags.contains { flag in
            flag.player == player.id && flag.row == row.row && flag.round == row.round
        }
        let isConflict = !cell.conflict.isEmpty
        let style: Style = isConflict || isFlagged ? .warning : .plain
        let mark = isConflict ? "*" : isFlagged ? "!" : " "
        return texts.enumerated().map { index, text in
            let isLast = index == texts.count - 1
            guard isLast, style == .warning else { return Line(text + " ", style) }
            return Line(text, style) + Line(mark, style)
        }
    }

    /// The entry, a sum as its result, and its points if they differ.
    private func texts(of cell: ShownCell, _ row: ShownRow, _ width: Int, lines: Int) -> [String] {
        let entered = cell.count.map(String.init) ?? cell.value.description
        let words = TextWidth.wrapped(entered, to: width)
        var texts = words.prefix(lines - 1).map { TextWidth.truncated($0, to: width) }
        let rest = words.dropFirst(lines - 1).joined(separator: " ")
        if !rest.isEmpty || texts.isEmpty { texts.append(TextWidth.truncated(rest, to: width)) }
        // The points of fields are shown together below them.
        let differs = row.group == nil && cell.points != (cell.count ?? 0)
        if row.scores, let points = cell.points, differs {
            texts[texts.count - 1] += " → \(points)"
        }
        return texts
    }

    /// The points of a round of several fields; nil while a required field is empty.
    private func points(of player: ShownPlayer, _ round: ShownRow) -> Int64? {
        let fields = show.context.pad.filter { $0.group == round.row }
        let cells = player.cells.filter { cell in
            cell.round == round.round && fields.contains { $0.row == cell.row }
        }
        let isComplete = fields.allSatisfy { field in
            field.optional == true || cells.contains { $0.row == field.row }
        }
        return cells.isEmpty || !isComplete ? nil : cells.reduce(0) { $0 + ($1.points ?? 0) }
    }

    /// The points of a row without an entry.
    private func computed(of player: ShownPlayer, _ row: ShownRow) -> Line {
        if row.round != nil, row.computed {
            return Line((points(of: player, row).map(String.init) ?? "·") + " ", .strong)
        }
        guard let found = player.computed.first(where: { $0.row == row.row }) else {
            return Line("· ", .faint)
        }
        return row.computed ? Line("\(found.points) ") : Line("→ \(found.points) ", .faint)
    }
}

extension Line {
    /// The line without the unused room for a mark at its end.
    var withoutTrailingSpace: Line {
        guard let last = pieces.last, last.text.hasSuffix(" ") else { return self }
        var result = pieces.dropLast().reduce(Line()) { $0 + Line($1.text, $1.style) }
        let kept = last.text.reversed().drop { $0 == " " }.reversed()
        result += Line(String(kept), last.style)
        return result.pieces.isEmpty
            ? result : (kept.isEmpty ? result.withoutTrailingSpace : result)
    }
}

/// The address of a cell on the command line.
enum CellAddress {
    /// `birds`, or `round.3`.
    static func text(_ row: String, _ round: Int?) -> String {
        round.map { "\(row).\($0)" } ?? row
    }
}
