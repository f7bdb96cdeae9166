import SessionCRDT

/// The rules of every game whose total is the sum of its rows.
///
/// A player is ranked from the first score that counts: a zero that nobody entered would lead where
/// the lowest wins, or where others are below zero. A player with fewer rounds than the others is
/// ranked by what there is. Players of one team are ranked together by what they have together. The
/// target ends the game as soon as a side that takes part has reached it and the round is complete;
/// corrections count, so an end can be taken back. The same holds for a row that wins at once,
/// which goes before every total and waits for nobody.
package struct RowRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The most gaps that are told: a crowd of strangers may have millions.
    private static let mostGaps = 1000

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkForm(score, in: book)
        guard score.value != .null, let own = sheet.row(score.cell.row) else { return }
        if let condition = own.condition, !Settings(sheet, book).isOn(condition) {
            throw .rowOff(row: own.id, needs: condition)
        }
        guard own.isSole, own.count(of: score.value) != 0 else { return }
        for row in sheet.rows(of: book) where row.isSole && (row == own || row.wins && own.wins) {
            let others = holders(of: row, in: book).filter { $0.id != score.cell.player }
            if let holder = others.first { throw .notSole(row: row.id, holder: holder.name) }
        }
    }

    /// The players who have any of a row, in seat order.
    private func holders(of row: Row, in book: Book) -> [Player] {
        book.players.filter { player in
            player.isPresent
                && book.cells(of: player.id).contains { entry in
                    entry.cell == Cell(player: player.id, row: row.id)
                        && ((try? row.reading(of: entry.value).get()) ?? 0) != 0
                }
        }
    }

    /// What is wrong where laptops that were apart gave several players what only one can have.
    ///
    /// All of it counts until somebody says whose it is: nothing here can know.
    private func shares(_ columns: [Column], _ form: SheetForm) -> [Flag] {
        let sole = form.rows.indices.filter { form.isOn[$0] && form.rows[$0].isSole }
        // Only one can win, by whichever row.
        let winning = sole.filter { form.rows[$0].wins }
        let groups = sole.filter { !form.rows[$0].wins }.map { [$0] } + [winning]
        return groups.flatMap { rows in
            let holders = columns.compactMap { column -> (column: Column, row: Int)? in
                guard column.player.isPresent else { return nil }
                let held = rows.first { row in
                    column.places(ofRow: row).contains { (column.slots[$0].count ?? 0) != 0 }
                }
                return held.map { (column, $0) }
            }
            return holders.dropFirst().map { holder in
                let (first, row) = holders[0]
                let reason = RuleViolation.notSole(
                    row: form.rows[row].id,
                    holder: first.player.name
                )
                return Flag(.player(holder.column.player.id), reason)
            }
        }
    }

    package func standings(of book: Book) -> Standings {
        let form = SheetForm(sheet, Settings(sheet, book))
        let seated = book.players.filter(\.isPresent) + book.players.filter { !$0.isPresent }
        let columns = Reckoning(seated, in: book, by: form).columns
        let ranking = SideRanking(Side.sides(of: columns, by: form), by: form)
        var ranks = [Int?](repeating: nil, count: columns.count)
        var decisions = [String?](repeating: nil, count: columns.count)
        let decided = ranking.decisions
        for (index, side) in ranking.sides.enumerated() {
            for member in side.members {
                ranks[member] = ranking.ranks[index]
                decisions[member] = decided[index]
            }
        }
        let players = columns.enumerated().map { index, column in
            PlayerStanding(
                player: column.player,
                total: column.total,
                rank: ranks[index],
                tieBreak: decisions[index],
                cells: column.slots.map { slot in
                    ScoredCell(slot.entry, points: slot.points, count: slot.count)
                },
                computed: column.computed
            )
        }
        let victories = ranking.victories
        let reached = ranking.reached(columns)
        return Standings(
            players: players,
            isFinished: book.isFinished || !victories.isEmpty || reached?.isEnd == true,
            flags: flags(form, columns, book),
            notes: ranking.teams(columns) + victories + [reached?.words].compactMap(\.self)
                + gaps(columns)
        )
    }

    /// What somebody has still to enter, so that what they entered beside it is worth anything.
    private func gaps(_ columns: [Column]) -> [String] {
        let gaps = columns.lazy.filter(\.player.isPresent).flatMap { column in
            column.gaps.lazy.map { (column.player.name, $0) }
        }
        return gaps.prefix(RowRules.mostGaps).map { name, gap in
            "\(name): enter \(gap.missing.list), or \(gap.row) is worth nothing"
        }
    }

    private func flags(_ form: SheetForm, _ columns: [Column], _ book: Book) -> [Flag] {
        let strays = book.strays.filter { !$0.isEmpty }
            .map { Flag(.cell($0.cell), .unknownPlayer($0.cell.player)) }
        let count = columns.filter(\.player.isPresent).count
        let crowd = sheet.violation(ofCrowd: count, in: book).map { [Flag(.game, $0)] } ?? []
        return crowd + form.settings.flags + columns.flatMap(\.flags) + shares(columns, form)
            + strays
    }
}
