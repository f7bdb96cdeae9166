import SyncProtocol

/// The score sheet of the live view: the players' names and the totals stay in sight while the rows
/// scroll; where the players are rows, rounds scroll sideways behind their totals.
struct LiveTable {
    private let show: ShowReply
    private let form: PageForm
    private let rows: Int
    private let page: SheetPage

    /// The sheet for so many rows at a moment in milliseconds since 1970.
    init(_ show: ShowReply, _ form: PageForm, rows: Int, now: Int64) {
        self.show = show
        self.form = form
        self.rows = rows
        page = SheetPage(show, columns: form.columns, isUnicode: form.isUnicode, now: now)
    }

    /// What there is to see, where players are rows from a round on; nil is up to the last one.
    func content(from round: Int?) -> PageContent {
        guard show.document.panels.isEmpty, !show.document.finished else {
            return PageContent(body: page.lines(within: rows))
        }
        let table = SheetTable(show, columns: form.columns)
        guard !table.players.isEmpty else { return PageContent(body: page.lines) }
        let asColumns = table.playersAsColumns(table.players)
        var content =
            table.fits(asColumns.lines)
            ? PageContent(asColumns, focus: lastWritten) : playersAsRows(table, from: round)
        content.head = page.heading + [Line()] + content.head
        let room = rows - content.head.count - content.body.count - content.foot.count
        // Rows that do not fit go before what to know.
        content.foot += surroundings(in: max(min(3, rows / 8), room))
        return content
    }

    /// The row below which nobody has written; nil where there is none above it either.
    private var lastWritten: Int? {
        let written = Set(
            show.document.players.lazy.flatMap(\.cells).map { CellAddress.text($0.row, $0.round) }
        )
        return show.context.lines.lastIndex { written.contains(CellAddress.text($0.row, $0.round)) }
    }

    /// Players below each other with the rounds for which there is room.
    private func playersAsRows(_ table: SheetTable, from wanted: Int?) -> PageContent {
        let all = table.shownRows
        func parts(_ rows: Range<Int>) -> SheetTable.Parts {
            table.playersAsRows(SheetTable.leastWidth, all[rows])
        }
        func fits(_ rows: Range<Int>) -> Bool { table.fits(parts(rows).lines) }
        var most = max(0, all.count - 1)
        while most > 0, fits(most - 1..<all.count) { most -= 1 }
        let first = min(wanted ?? most, most)
        var end = first
        while end < all.count, fits(first..<end + 1) { end += 1 }
        var content = PageContent(parts(first..<end), focus: nil)
        (content.across, content.mostAcross) = (first, most)
        return content
    }

    /// What to know beside the table: as much as has room.
    private func surroundings(in room: Int) -> [Line] {
        let blocks = [page.conflicts, page.remarks, page.company].filter { !$0.isEmpty }
        let lines = Array(blocks.map { [Line()] + $0 }.joined())
        guard lines.count > room else { return lines }
        let dense = lines.dropFirst()
        guard dense.count > room else { return Array(dense) }
        guard room > 1 else { return [] }
        let kept = dense.prefix(room - 1)
        return kept + [Line("  … \(dense.count - kept.count) more lines", .faint)]
    }
}

extension PageContent {
    /// A table of which the rows scroll.
    fileprivate init(_ table: SheetTable.Parts, focus: Int?) {
        self.init(head: table.head, body: table.rows, foot: table.foot, focus: focus)
    }
}
