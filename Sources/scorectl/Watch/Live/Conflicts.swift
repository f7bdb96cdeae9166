import SyncProtocol

/// What was written differently on several laptops, one cell after the other, settled with a digit.
struct Conflicts {
    /// The player and the cell that come first; nil where there is no conflict.
    private let first: (player: ShownPlayer, cell: ShownCell)?
    private let count: Int

    /// The conflicts of a sheet.
    init(_ show: ShowReply) {
        let all = LiveWords.players(on: show).flatMap { player in
            player.cells.filter { !$0.conflict.isEmpty }.map { (player: player, cell: $0) }
        }
        first = all.first
        count = all.count
    }

    private var values: [AttributedValue] {
        first.map { ([$0.cell.shown] + $0.cell.conflict).prefix(9) }.map { Array($0) } ?? []
    }

    /// The words that let the value of a number stand, as on the command line; nil of no value.
    func settling(with number: Int) -> [String]? {
        guard let first, values.indices.contains(number - 1) else { return nil }
        let address = CellAddress.text(first.cell.row, first.cell.round)
        return ConflictList.words(first.player.name, address, values[number - 1])
    }

    /// The first conflict, with the digits that settle it.
    func lines(now: Int64) -> [Line] {
        guard let first else { return [Line("  No conflicts.")] }
        let address = first.cell.label ?? CellAddress.text(first.cell.row, first.cell.round)
        let rows = values.enumerated().map { index, value -> [Line] in
            let shown = index == 0 ? " (shown)" : ""
            return [
                Line("  \(index + 1)", .strong), Line(ConflictList.read(value)),
                Line("by \(value.by), \(Ago.text(value.at, now: now))\(shown)", .faint),
            ]
        }
        let more = count > 1 ? [Line(), Line("  \(count - 1) more after this one.", .faint)] : []
        return [
            Line("  ") + Line(first.player.name, .strong) + Line(" " + address), Line(),
        ]
            + Table.aligned(rows, [.left, .left, .left], gap: 2)
            + [Line(), Line("  Press the number of what is right.", .faint)] + more
    }
}
