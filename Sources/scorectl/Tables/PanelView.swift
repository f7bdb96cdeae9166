import SyncProtocol

/// What a game that is played move by move shows instead of rows.
struct PanelView {
    let panel: ShownPanel
    let page: PageForm
    /// How many rows of a table are shown, the latest; nil shows all.
    var rows: Int?

    /// The lines, none wider than the terminal where words can be broken.
    var lines: [Line] {
        switch panel {
        case .board(let board): BoardPanel(board, page).lines
        case .table(let table): TablePanel(table, page, rows: rows).lines
        case .text(let text): lines(of: text)
        }
    }

    private func lines(of text: ShownText) -> [Line] {
        let title = TextWidth.wrapped(text.title, to: page.columns - 2)
            .map { Line("  " + $0, .strong) }
        let indent = text.title.isEmpty ? "  " : "    "
        let width = page.columns - indent.utf8.count
        return title
            + text.lines.flatMap { line in
                line.isEmpty
                    ? [Line()] : TextWidth.wrapped(line, to: width).map { Line(indent + $0) }
            }
    }
}
