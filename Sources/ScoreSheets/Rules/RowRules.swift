import SessionCRDT

/// The rules of every game whose total is the sum of its rows.
///
/// A player is ranked from the first score that counts: a zero that nobody entered would lead where
/// the lowest wins, or where others are below zero. A player with fewer rounds than the others is
/// ranked by what there is. The target ends the game as soon as a player who takes part has reached
/// it; the others can still enter their last round, and corrections count, so an end can be taken
/// back.
package struct RowRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkForm(score, in: book)
    }

    package func standings(of book: Book) -> Standings {
        let settings = Settings(sheet, book)
        let wins = settings(sheet.wins)
        let columns = (book.players.filter(\.isPresent) + book.players.filter { !$0.isPresent })
            .map { Column($0, in: book, by: sheet) }
        let merits = columns.map { $0.player.isPresent && $0.isScored ? merit(of: $0, wins) : nil }
        let ranks = CompetitionRanking.ranks(merits)
        let decisions = decisions(between: columns, merits)
        let players = columns.indices.map { index in
            PlayerStanding(
                player: columns[index].player,
                total: columns[index].total,
                rank: ranks[index],
                tieBreak: decisions[index],
                cells: columns[index].cells
            )
        }
        let target = sheet.target.flatMap { settings($0) }
        let reached = columns.filter { column in
            column.player.isPresent && column.isScored
                && target.map { column.total >= $0 } ?? false
        }
        let names = reached.map(\.player.name).joined(separator: ", ")
        return Standings(
            players: players,
            isFinished: book.isFinished || !reached.isEmpty,
            flags: flags(settings, columns, book),
            notes: reached.isEmpty ? [] : ["\(names) reached \(target ?? 0)"]
        )
    }

    /// What a player is compared by: the total, then each tie-breaker; greater is better.
    private func merit(of column: Column, _ wins: WinRule) -> [Int64] {
        [wins.merit(of: column.total)]
            + sheet.tieBreakers.map { $0.wins.merit(of: column.sums[$0.row] ?? 0) }
    }

    /// What each player of an equal total is told: the tie-breakers that were looked at, and
    /// whether they decided.
    private func decisions(between columns: [Column], _ merits: [[Int64]?]) -> [String?] {
        let ranked = columns.indices.filter { merits[$0] != nil }
        let equals = Dictionary(grouping: ranked) { columns[$0].total }
        var decisions = [String?](repeating: nil, count: columns.count)
        for (total, group) in equals where group.count > 1 {
            let used = depth(of: group.compactMap { merits[$0] })
            let shared = Dictionary(grouping: group) { merits[$0] }
            for index in group {
                var words = ["tied at \(total)"]
                for tieBreaker in sheet.tieBreakers.prefix(used) {
                    let label = sheet.row(tieBreaker.row)?.label ?? tieBreaker.row.description
                    words.append("\(label) \(columns[index].sums[tieBreaker.row] ?? 0)")
                }
                if (shared[merits[index]]?.count ?? 0) > 1 { words.append("shared") }
                decisions[index] = words.joined(separator: ", ")
            }
        }
        return decisions
    }

    /// How many tie-breakers it takes until all of these differ; all of them where that never is.
    private func depth(of merits: [[Int64]]) -> Int {
        let all = sheet.tieBreakers.count
        let enough = (0...all).first { count in
            Set(merits.map { $0.prefix(1 + count) }).count == merits.count
        }
        return enough ?? all
    }

    private func flags(_ settings: Settings, _ columns: [Column], _ book: Book) -> [Flag] {
        let strays = book.strays.filter { !$0.isEmpty }
            .map { Flag(.cell($0.cell), .unknownPlayer($0.cell.player)) }
        // Too few is how every game begins; too many is a mistake.
        let count = columns.filter(\.player.isPresent).count
        let crowd =
            Int64(count) > sheet.players.to
            ? sheet.violation(ofPlayerCount: count).map { [Flag(.game, $0)] } ?? [] : []
        return crowd + settings.flags + columns.flatMap(\.flags) + strays
    }
}
