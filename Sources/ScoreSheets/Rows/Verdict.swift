import SessionCRDT

/// How all columns stand beside each other: places, the end, and what is told about all.
struct Verdict: Sendable {
    /// How each column stands.
    private(set) var lines: [Line] = []
    /// Whether the game is over.
    private(set) var isFinished: Bool
    /// What several have and only one can.
    private(set) var shares: [Flag] = []
    /// How each team stands, from the best.
    private(set) var teams: [TeamStanding] = []

    /// The most gaps that are told: a crowd of strangers may have millions.
    private static let mostGaps = 1000

    /// Whether somebody called the session finished.
    private let isClosed: Bool
    /// Why fewer play than the game is for.
    private let shortage: RuleViolation?
    private var sides: [Side] = []
    private var results: [RowsNote] = []
    private var gaps: [RowsNote] = []

    /// How one column stands.
    struct Line: Hashable, Sendable {
        /// The points together.
        let total: Int64
        /// Whether the total is not all of them.
        let isCut: Bool
        /// The place; nil of none.
        var rank: Int?
        /// What decided between equal totals.
        var tieBreak: String?
    }

    /// The verdict before anything is written.
    init(isFinished: Bool, shortage: RuleViolation?) {
        isClosed = isFinished
        self.shortage = shortage
        self.isFinished = isFinished
    }

    /// What is to be told.
    var notes: [Note] { (results + gaps).map(Note.rows) }

    /// Takes in what columns come to now, and notes what differs.
    mutating func update(
        _ columns: [RowColumn],
        _ form: SheetForm,
        _ book: Book,
        _ rework: inout Rework
    ) {
        let isFirst = lines.count != columns.count
        if isFirst || rework.areSidesOthers {
            sides = Side.sides(of: columns, by: form)
        } else if !rework.summed.isEmpty {
            for place in sides.indices
            where sides[place].members.contains(where: rework.summed.contains) {
                sides[place].addUp(columns, by: form)
            }
        }
        if isFirst || rework.areSidesOthers || !rework.summed.isEmpty {
            let wasFinished = isFinished
            let before = (lines, results)
            rank(columns, form, book)
            rework.change.areNotesDifferent = results != before.1
            rework.change.isEndDifferent = isFinished != wasFinished
            compare(before.0, columns, &rework)
        }
        for index in rework.listed { rework.change.lines.insert(columns[index].player.id) }
        if rework.areGapsOthers {
            let told = Verdict.gaps(columns, form, isClosed: isClosed)
            if told != gaps { rework.change.areNotesDifferent = true }
            gaps = told
        }
        guard form.sole.contains(where: { $0.contains(where: rework.isTouched(anywhere:)) }) else {
            return
        }
        let others = Verdict.shares(columns, form)
        if others != shares { rework.change.areFlagsDifferent = true }
        shares = others
    }

    private mutating func rank(_ columns: [RowColumn], _ form: SheetForm, _ book: Book) {
        let ranking = SideRanking(sides, by: form)
        lines = columns.map { Line(total: $0.total, isCut: $0.isCut) }
        let decisions = ranking.decisions
        for (place, side) in sides.enumerated() {
            for member in side.members {
                lines[member].rank = ranking.ranks[place]
                lines[member].tieBreak = decisions[place]
            }
        }
        let victories = ranking.victories
        let reached = ranking.reached(columns, in: book)
        isFinished = isClosed || !victories.isEmpty || reached?.isEnd == true
        teams = ranking.teams(columns)
        // Nobody is told before the first score: too few is how every game begins.
        let shortage = sides.isEmpty ? nil : shortage.map(RowsNote.crowd)
        results =
            teams.map(RowsNote.team) + victories
            + [reached?.note, shortage].compactMap(\.self)
    }

    private func compare(_ before: [Line], _ columns: [RowColumn], _ rework: inout Rework) {
        for (index, (old, new)) in zip(before, lines).enumerated() {
            // Who leads wins once the game is over.
            let isOtherWin = rework.change.isEndDifferent && (old.rank == 1 || new.rank == 1)
            if old != new || isOtherWin { rework.change.lines.insert(columns[index].player.id) }
            if old.isCut != new.isCut { rework.change.areFlagsDifferent = true }
        }
    }

    /// What somebody has still to enter, so that what they entered beside it is worth anything.
    ///
    /// Of a round that is on nothing is missing before somebody has all of it: bids come first.
    private static func gaps(
        _ columns: [RowColumn],
        _ form: SheetForm,
        isClosed: Bool
    ) -> [RowsNote] {
        let here = columns.filter(\.player.isPresent)
        let gaps = here.lazy.flatMap { column in
            column.gaps.lazy.map { (column.player.name, $0) }
        }
        .filter { _, gap in
            guard !isClosed, let round = gap.round.map(Int64.init) else { return true }
            return here.contains { $0.isPast(round, ofRow: gap.row) }
        }
        return gaps.prefix(mostGaps).map { name, gap in
            let row = form.rows[gap.row]
            return gap.missing == [row.id]
                ? .needed(player: name, row: row.id, row.range)
                : .gap(
                    player: name,
                    missing: gap.missing,
                    round: gap.round,
                    what: gap.round.map { row.label(ofRound: $0) } ?? row.id.description
                )
        }
    }

    /// What is wrong where laptops that were apart gave several players what only one can have.
    ///
    /// All of it counts until somebody says whose it is: nothing here can know.
    private static func shares(_ columns: [RowColumn], _ form: SheetForm) -> [Flag] {
        form.sole.flatMap { rows in
            let holders = columns.compactMap { column -> (player: Player, row: Int)? in
                guard column.player.isPresent else { return nil }
                return rows.first { column.hasAny(ofRow: $0) }.map { (column.player, $0) }
            }
            return holders.dropFirst().map { holder in
                let (first, row) = holders[0]
                let reason = RuleViolation.notSole(row: form.ids[row], holder: first.name)
                return Flag(.player(holder.player.id), reason)
            }
        }
    }
}
