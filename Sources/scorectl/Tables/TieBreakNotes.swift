import SyncProtocol

/// What decided between equal totals; nothing where the equal ranks say it all.
struct TieBreakNotes {
    private let players: [ShownPlayer]
    private let columns: Int

    /// The notes about players on a page of so many columns.
    init(_ players: [ShownPlayer], columns: Int) {
        self.players = players
        self.columns = columns
    }

    /// The lines, below the table of the totals.
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
