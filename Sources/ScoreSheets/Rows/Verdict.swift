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

/// Who wins or loses together: a team, or somebody who is in none.
struct Side: Sendable {
    /// The team; nil of a player alone.
    let team: String?
    /// The places of the players' columns.
    let members: [Int]
    /// What the players are called, the team first.
    let name: String
    /// The points of all members together.
    private(set) var total: Int64 = 0
    /// What all members entered together in the row of each decider.
    private(set) var ties: [Int64] = []
    /// The rows by which it wins at once.
    private(set) var victories: [Symbol] = []

    /// The sides of these columns in the order of the seats: teams where players have teams, else
    /// everybody alone.
    ///
    /// Players who were removed, and those of whom nothing counts yet, are on no side, but for the
    /// partners of somebody of whom something does: in many games one of them enters for all.
    static func sides(of columns: [RowColumn], by form: SheetForm) -> [Side] {
        var sides: [[Int]] = []
        var places: [ExactText: Int] = [:]
        for (index, column) in columns.enumerated()
        where column.player.isPresent && column.isScored {
            guard let team = Side.key(ofTeam: column.player.team) else {
                sides.append([index])
                continue
            }
            if let place = places[team] {
                sides[place].append(index)
            } else {
                places[team] = sides.count
                sides.append([index])
            }
        }
        for (index, column) in columns.enumerated()
        where column.player.isPresent && !column.isScored {
            guard let place = key(ofTeam: column.player.team).flatMap({ places[$0] }) else {
                continue
            }
            sides[place].append(index)
        }
        return sides.map { Side($0.sorted(), columns, by: form) }
    }

    /// What tells teams apart, which is not how they are spelled on each laptop: “Reds” and “reds”
    /// are one; nil of none.
    static func key(ofTeam team: String?) -> ExactText? {
        guard let team, !team.isEmpty else { return nil }
        return ExactText(team.lowercased())
    }

    private init(_ members: [Int], _ columns: [RowColumn], by form: SheetForm) {
        self.members = members
        let first = members.first.map { columns[$0].player }
        team = first?.team.flatMap { $0.isEmpty ? nil : $0 }
        name = team ?? first?.name ?? ""
        addUp(columns, by: form)
    }

    /// Takes in what the members have now.
    mutating func addUp(_ columns: [RowColumn], by form: SheetForm) {
        total = Bounds.cut(members.reduce(Int128(0)) { $0 + Int128(columns[$1].total) })
        ties = form.deciders.map { tieBreaker in
            guard let row = form.place(of: tieBreaker.row) else { return 0 }
            return Bounds.cut(
                members.reduce(Int128(0)) { $0 + Int128(columns[$1].count(ofRow: row) ?? 0) }
            )
        }
        guard !form.winning.isEmpty else { return }
        victories = members.flatMap { member in
            form.winning.filter { (columns[member].count(ofRow: $0) ?? 0) != 0 }.map {
                form.ids[$0]
            }
        }
    }
}

/// How sides compare: who has won at once, then what goes before the total, that, and each
/// tie-breaker.
struct SideRanking {
    /// The sides, in the order of the seats.
    let sides: [Side]
    /// The place of each.
    let ranks: [Int?]

    private let merits: [[Int64]]
    /// How many of the merits there are without those of tie-breakers.
    private let own: Int
    private let form: SheetForm

    /// The ranking of these sides.
    init(_ sides: [Side], by form: SheetForm) {
        self.sides = sides
        self.form = form
        let wins = form.settings(form.sheet.wins)
        let deciders = form.deciders
        own = 2 + form.leading.count
        merits = sides.map { side in
            var merits = zip(deciders, side.ties).map { $0.wins.merit(of: $1) }
            merits.insert(wins.merit(of: side.total), at: form.leading.count)
            return [side.victories.isEmpty ? 0 : 1] + merits
        }
        ranks = CompetitionRanking.ranks(merits)
    }

    /// What each side of an equal total is told: the tie-breakers that were looked at, and whether
    /// they decided.
    var decisions: [String?] {
        var decisions = [String?](repeating: nil, count: sides.count)
        let (ranks, merits, isShared) = (ranks, merits, sharesPlace)
        let order = sides.indices.sorted { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
        var rest = order[...]
        while let first = rest.first {
            // Equals follow each other.
            let group = rest.prefix { merits[$0].prefix(own) == merits[first].prefix(own) }
            rest = rest.dropFirst(group.count)
            guard group.count > 1 else { continue }
            let used = depth(of: group)
            for index in group {
                var words = ["tied at \(sides[index].total)"]
                let ties = sides[index].ties.dropFirst(form.leading.count)
                for (tieBreaker, count) in zip(form.sheet.tieBreakers, ties).prefix(used) {
                    let label = form.sheet.row(tieBreaker.row)?.label
                    words.append("\(label ?? tieBreaker.row.description) \(count)")
                }
                if isShared[index] { words.append("shared") }
                decisions[index] = words.joined(separator: ", ")
            }
        }
        return decisions
    }

    /// How many tie-breakers it takes until all of these differ, which stand in the order of their
    /// places; all of them where that never is.
    private func depth(of group: ArraySlice<Int>) -> Int {
        let all = form.sheet.tieBreakers.count
        let enough = (0...all).first { count in
            zip(group, group.dropFirst()).allSatisfy {
                merits[$0].prefix(own + count) != merits[$1].prefix(own + count)
            }
        }
        return enough ?? all
    }

    /// Whether somebody else has the place of each side, too.
    private var sharesPlace: [Bool] {
        var counts = [Int](repeating: 0, count: sides.count + 1)
        for rank in ranks { counts[rank ?? 0] += 1 }
        return ranks.map { counts[$0 ?? 0] > 1 }
    }

    /// What has won the game at once; nothing while nothing has.
    var victories: [RowsNote] {
        sides.flatMap { side in
            side.victories.map { row in
                .victory(side: side.name, row: form.sheet.row(row)?.label ?? row.description)
            }
        }
    }

    /// Who has reached the target, and whether that ends the game: in a game of rounds
    /// not before the round is complete, unless it ends at once.
    func reached(_ columns: [RowColumn], in book: Book) -> (note: RowsNote, isEnd: Bool)? {
        guard let target = form.sheet.target.flatMap({ form.settings($0) }) else { return nil }
        let (counts, isAtOnce) = (form.sheet.counts, form.sheet.ends == .once)
        let progress = RoundProgress(sides, columns, in: book, by: form)
        // Before its first round a side has nothing, which is not where it comes down from.
        let begun = sides.filter { counts == .up || progress.hasBegun($0, columns, by: form) }
        let isSettled = !isAtOnce && (counts == .up || progress.isSettled)
        let settled = begun.filter { side in
            let total = progress.settledTotal(of: side, columns, by: form)
            return isSettled && counts.hasReached(target, with: total)
        }
        let reached = begun.filter { counts.hasReached(target, with: $0.total) }
        let names = (settled.isEmpty ? reached : settled).map(\.name)
        guard !names.isEmpty else { return nil }
        guard !isAtOnce, settled.isEmpty, let round = progress.open else {
            return (.reached(names, target: target, waiting: nil), true)
        }
        let waiting = RowsNote.Waiting(round: round, sides: progress.waiting)
        return (.reached(names, target: target, waiting: waiting), false)
    }

    /// How each team stands, from the best; nothing where nobody is in a team.
    func teams(_ columns: [RowColumn]) -> [TeamStanding] {
        let (sides, ranks) = (sides, ranks)
        return sides.indices.filter { sides[$0].team != nil }
            .sorted { (ranks[$0] ?? .max, $0) < (ranks[$1] ?? .max, $1) }
            .map { index in
                TeamStanding(
                    name: sides[index].name,
                    total: sides[index].total,
                    rank: ranks[index] ?? 0,
                    members: sides[index].members.map { columns[$0].player }
                )
            }
    }
}

/// Places as in a competition: equals share the better place and the next ones are skipped.
enum CompetitionRanking {
    /// The place of each, from 1, in the order given; nil for those without a merit.
    ///
    /// Merits compare number by number, the greater one is better; all are of one length.
    static func ranks(_ merits: [[Int64]?]) -> [Int?] {
        let ranked = merits.indices.compactMap { index in merits[index].map { (index, $0) } }
            .sorted { $1.1.lexicographicallyPrecedes($0.1) }
        var ranks = [Int?](repeating: nil, count: merits.count)
        var last: (merit: [Int64], rank: Int)?
        for (place, (index, merit)) in ranked.enumerated() {
            let rank = if let last, last.merit == merit { last.rank } else { place + 1 }
            ranks[index] = rank
            last = (merit, rank)
        }
        return ranks
    }
}
