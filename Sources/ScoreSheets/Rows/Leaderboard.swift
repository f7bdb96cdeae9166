import SessionCRDT

/// Ranks, the end of the game and notes, for all columns together.
struct Leaderboard: Sendable {
    private(set) var lines: [Line] = []
    private(set) var isFinished: Bool
    /// Flags on rows in which several players have a value, although only one can.
    private(set) var shares: [Flag] = []
    /// The teams, best first.
    private(set) var teams: [TeamStanding] = []

    /// The maximum number of reported gaps, because untrusted players may have millions.
    private static let maxGaps = 1000

    private let isClosed: Bool
    /// The violation if there are too few players.
    private let shortage: RuleViolation?
    private var sides: [Side] = []
    private var results: [Note] = []
    private var gaps: [Note] = []

    struct Line: Hashable, Sendable {
        let total: Int64
        /// Whether the total exceeds the range of a total.
        let isCut: Bool
        var rank: Int?
        /// The numbers that decided between equal totals.
        var tieBreak: String?
    }

    init(isFinished: Bool, shortage: RuleViolation?) {
        isClosed = isFinished
        self.shortage = shortage
        self.isFinished = isFinished
    }

    var notes: [Note] { results + gaps }

    /// Recomputes the leaderboard from the columns and records the differences.
    mutating func update(
        _ columns: [RowColumn],
        _ plan: SheetPlan,
        _ book: Book,
        _ dirty: inout Recalculation
    ) {
        let isFirst = lines.count != columns.count
        if isFirst || dirty.areSidesChanged {
            sides = Side.sides(of: columns, by: plan)
        } else if !dirty.summed.isEmpty {
            for place in sides.indices
            where sides[place].members.contains(where: dirty.summed.contains) {
                sides[place].updateSums(columns, by: plan)
            }
        }
        if isFirst || dirty.areSidesChanged || !dirty.summed.isEmpty {
            let wasFinished = isFinished
            let before = (lines, results)
            rank(columns, plan, book)
            dirty.change.areNotesDifferent = results != before.1
            dirty.change.isEndDifferent = isFinished != wasFinished
            compare(before.0, columns, &dirty)
        }
        for index in dirty.listed { dirty.change.lines.insert(columns[index].player.id) }
        if dirty.areGapsChanged {
            let current = Leaderboard.gaps(columns, plan, isClosed: isClosed)
            if current != gaps { dirty.change.areNotesDifferent = true }
            gaps = current
        }
        guard plan.sole.contains(where: { $0.contains(where: dirty.isTouched(anywhere:)) }) else {
            return
        }
        let others = Leaderboard.shares(columns, plan)
        if others != shares { dirty.change.areFlagsDifferent = true }
        shares = others
    }

    private mutating func rank(_ columns: [RowColumn], _ plan: SheetPlan, _ book: Book) {
        let ranking = SideRanking(sides, by: plan)
        lines = columns.map { Line(total: $0.total, isCut: $0.isCut) }
        let decisions = ranking.decisions
        for (place, side) in sides.enumerated() {
            for member in side.members {
                lines[member].rank = ranking.ranks[place]
                lines[member].tieBreak = decisions[place]
            }
        }
        let victories = ranking.victories
        let out = ranking.out(columns)
        let reached = ranking.reached(columns, in: book)
        isFinished = isClosed || !victories.isEmpty || out.isEnd || reached?.isEnd == true
        teams = ranking.teams(columns)
        // Every game begins with too few players, so that is not reported before the first score.
        let shortage = sides.isEmpty ? nil : shortage.map { Note($0.message) }
        results =
            teams.map { Note($0.words) } + victories + out.notes
            + [reached?.note, shortage].compactMap(\.self)
    }

    private func compare(_ before: [Line], _ columns: [RowColumn], _ dirty: inout Recalculation) {
        for (index, (old, new)) in zip(before, lines).enumerated() {
            // The winner also changes if only the end of the game does.
            let isOtherWin = dirty.change.isEndDifferent && (old.rank == 1 || new.rank == 1)
            if old != new || isOtherWin { dirty.change.lines.insert(columns[index].player.id) }
            if old.isCut != new.isCut { dirty.change.areFlagsDifferent = true }
        }
    }

    /// Returns the rows that players must still enter so that other entries count.
    ///
    /// In the current round nothing is missing until a player has entered all of it, because bids
    /// come first.
    private static func gaps(_ columns: [RowColumn], _ plan: SheetPlan, isClosed: Bool) -> [Note] {
        let here = columns.filter(\.player.isPresent)
        let gaps = here.lazy.flatMap { column in
            column.gaps.lazy.map { (column.player.name, $0) }
        }
        .filter { _, gap in
            guard !isClosed, let round = gap.round.map(Int64.init) else { return true }
            return here.contains { $0.isPast(round, ofRow: gap.row) }
        }
        return gaps.prefix(maxGaps).map { name, gap in
            let row = plan.rows[gap.row]
            if gap.missing == [row.id] {
                let text = "\(name): enter \(row.id), \(row.accepted.words)"
                return Note(text, isMissing: true)
            }
            let missing = gap.missing.map(\.description).joined(separator: ", ")
            let text =
                gap.round.map { "enter \(missing) in \(row.label(ofRound: $0)), or it" }
                ?? "enter \(missing), or \(row.id)"
            return Note("\(name): \(text) is worth nothing", isMissing: true)
        }
    }

    /// Returns flags on rows in which several players have a value although only one can, as after
    /// writes on disconnected devices.
    ///
    /// All these values count until a player corrects them.
    private static func shares(_ columns: [RowColumn], _ plan: SheetPlan) -> [Flag] {
        plan.sole.flatMap { rows in
            let holders = columns.compactMap { column -> (player: Player, row: Int)? in
                guard column.player.isPresent else { return nil }
                return rows.first { column.hasAny(ofRow: $0) }.map { (column.player, $0) }
            }
            return holders.dropFirst().map { holder in
                let (first, row) = holders[0]
                let reason = RuleViolation.notSole(row: plan.ids[row], holder: first.name)
                return Flag(.player(holder.player.id), reason)
            }
        }
    }
}

/// Players who win or lose together: a team, or a single player.
struct Side: Sendable {
    let team: String?
    let members: [Int]
    /// The name of the team, or of the player.
    let name: String
    private(set) var total: Int64 = 0
    /// The sum of the members' numbers in each row that decides besides the total.
    private(set) var ties: [Int64] = []
    /// The rows by which it has won at once.
    private(set) var victories: [Symbol] = []
    /// Whether all members are out.
    private(set) var isOut = false
    /// The first round that a member plays.
    let since: Int64

    /// Returns the sides in seat order.
    ///
    /// Removed players and players without an entry that counts are on no side, except for partners
    /// of a player with an entry: in many games one member enters the scores of a team.
    static func sides(of columns: [RowColumn], by plan: SheetPlan) -> [Side] {
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
        return sides.map { Side($0.sorted(), columns, by: plan) }
    }

    /// Returns a case-insensitive key for a team, so that “Reds” and “reds” are one team; nil
    /// without a team.
    static func key(ofTeam team: String?) -> ExactText? {
        guard let team, !team.isEmpty else { return nil }
        return ExactText(team.lowercased())
    }

    private init(_ members: [Int], _ columns: [RowColumn], by plan: SheetPlan) {
        self.members = members
        let first = members.first.map { columns[$0].player }
        team = first?.team.flatMap { $0.isEmpty ? nil : $0 }
        name = team ?? first?.name ?? ""
        since = members.map { columns[$0].since }.min() ?? 1
        updateSums(columns, by: plan)
    }

    mutating func updateSums(_ columns: [RowColumn], by plan: SheetPlan) {
        total = Bounds.cut(members.reduce(Int128(0)) { $0 + Int128(columns[$1].total) })
        ties = plan.deciders.map { tieBreaker in
            guard let row = plan.index(of: tieBreaker.row) else { return 0 }
            return Bounds.cut(
                members.reduce(Int128(0)) { $0 + Int128(columns[$1].count(ofRow: row) ?? 0) }
            )
        }
        isOut = !plan.out.isEmpty && members.allSatisfy { columns[$0].out(by: plan) != nil }
        guard !plan.winning.isEmpty else { return }
        victories = members.flatMap { member in
            plan.winning.filter { (columns[member].count(ofRow: $0) ?? 0) != 0 }.map {
                plan.ids[$0]
            }
        }
    }
}

/// The order of sides: sides that have won at once, sides that are not out, then rows before the
/// total, the total, and each tie-breaker.
struct SideRanking {
    let sides: [Side]
    let ranks: [Int?]

    private let merits: [[Int64]]
    private let own: Int
    private let plan: SheetPlan

    init(_ sides: [Side], by plan: SheetPlan) {
        self.sides = sides
        self.plan = plan
        let wins = plan.settings(plan.sheet.wins)
        let deciders = plan.deciders
        own = 3 + plan.leading.count
        merits = sides.map { side in
            var merits = zip(deciders, side.ties).map { $0.wins.merit(of: $1) }
            merits.insert(wins.merit(of: side.total), at: plan.leading.count)
            return [side.victories.isEmpty ? 0 : 1, side.isOut ? 0 : 1] + merits
        }
        ranks = CompetitionRanking.ranks(merits)
    }

    /// A text for each side with a total that another one has, too: the tie-breakers that were
    /// compared, and whether they decided.
    var decisions: [String?] {
        var decisions = [String?](repeating: nil, count: sides.count)
        let (ranks, merits, isShared) = (ranks, merits, sharesPlace)
        let order = sides.indices.sorted { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
        var rest = order[...]
        while let first = rest.first {
            // Sides with equal totals are adjacent in the order of ranks.
            let group = rest.prefix { merits[$0].prefix(own) == merits[first].prefix(own) }
            rest = rest.dropFirst(group.count)
            guard group.count > 1 else { continue }
            let used = depth(of: group)
            for index in group {
                var words = ["tied at \(plan.unit.points(sides[index].total))"]
                let ties = sides[index].ties.dropFirst(plan.leading.count)
                for (tieBreaker, count) in zip(plan.sheet.tieBreakers, ties).prefix(used) {
                    let label = plan.sheet.row(tieBreaker.row)?.label
                    words.append(
                        "\(label ?? tieBreaker.row.description) \(plan.unit.points(count))"
                    )
                }
                if isShared[index] { words.append("shared") }
                decisions[index] = words.joined(separator: ", ")
            }
        }
        return decisions
    }

    /// Returns the number of tie-breakers after which all sides of a group in rank order differ;
    /// all tie-breakers if they never do.
    private func depth(of group: ArraySlice<Int>) -> Int {
        let all = plan.sheet.tieBreakers.count
        let enough = (0...all).first { count in
            zip(group, group.dropFirst()).allSatisfy {
                merits[$0].prefix(own + count) != merits[$1].prefix(own + count)
            }
        }
        return enough ?? all
    }

    private var sharesPlace: [Bool] {
        var counts = [Int](repeating: 0, count: sides.count + 1)
        for rank in ranks { counts[rank ?? 0] += 1 }
        return ranks.map { counts[$0 ?? 0] > 1 }
    }

    /// The rows by which sides have won at once.
    var victories: [Note] {
        sides.flatMap { side in
            side.victories.map { row in
                Note("\(side.name): \(plan.sheet.row(row)?.label ?? row.description)")
            }
        }
    }

    /// Returns notes on the sides that are out, and whether that ends the game: once a single one is
    /// left.
    func out(_ columns: [RowColumn]) -> (notes: [Note], isEnd: Bool) {
        let out = sides.filter(\.isOut)
        guard !out.isEmpty else { return ([], false) }
        let others =
            sides.count - out.count + RoundProgress.withoutEntry(columns, beside: sides).count
        let names = out.map(\.name).together
        let note = Note("\(names) \(out.count == 1 ? "is" : "are") out")
        guard others <= 1 else { return ([note], false) }
        let last = sides.filter { !$0.isOut }.map { Note("\($0.name) is the last one in") }
        return ([note] + last, true)
    }

    /// Returns the sides that have reached the target, and whether that ends the game: at once, in a
    /// game of rounds when the round is complete, or after one more turn of everybody else.
    ///
    /// If several sides share the first place then and the sheet lets them play on, the game goes on.
    func reached(_ columns: [RowColumn], in book: Book) -> (note: Note, isEnd: Bool)? {
        let found = reachedTarget(columns, in: book)
        guard found?.isEnd == true, plan.sheet.tie == .playOn else { return found }
        let first = sides.indices.filter { ranks[$0] == 1 }
        guard first.count > 1 else { return found }
        let names = first.map { sides[$0].name }.together
        let total = plan.unit.points(sides[first[0]].total)
        return (Note("\(names) are tied at \(total): another round decides"), false)
    }

    private func reachedTarget(
        _ columns: [RowColumn],
        in book: Book
    ) -> (note: Note, isEnd: Bool)? {
        guard let target = plan.target else { return nil }
        if plan.ends == .oneMore { return afterLastTurns(target, columns) }
        let (counts, isAtOnce) = (plan.sheet.counts, plan.ends == .once)
        let progress = RoundProgress(sides, columns, in: book, by: plan)
        // Counting down starts with the first round; before it the total is 0, as if the target
        // were reached.
        let begun = sides.filter { counts == .up || progress.hasBegun($0, columns, by: plan) }
        let isSettled = !isAtOnce && (counts == .up || progress.isSettled)
        let settled = begun.filter { side in
            let total = progress.settledTotal(of: side, columns, by: plan)
            return isSettled && counts.hasReached(target, with: total)
        }
        let reached = begun.filter { counts.hasReached(target, with: $0.total) }
        let names = (settled.isEmpty ? reached : settled).map(\.name)
        guard !names.isEmpty else { return nil }
        let text = "\(names.joined(separator: ", ")) reached \(plan.unit.points(target))"
        guard !isAtOnce, settled.isEmpty, let round = progress.open else {
            return (Note(text), true)
        }
        let waiting = progress.waiting.joined(separator: ", ")
        return (Note(text + ": the game ends when round \(round) is complete (\(waiting))"), false)
    }

    /// Returns the side that reached the target first, and whether everybody else has had one more
    /// turn since: the rest of that round, and the next one for those who come before it.
    private func afterLastTurns(
        _ target: Int64,
        _ columns: [RowColumn]
    ) -> (note: Note, isEnd: Bool)? {
        // Most scores come before that, and need no search for the round.
        guard sides.contains(where: { plan.sheet.counts.hasReached(target, with: $0.total) })
        else { return nil }
        let firsts = sides.indices.compactMap { place -> (round: Int64, place: Int)? in
            reachedRound(target, of: sides[place], columns).map { ($0, place) }
        }
        guard let first = firsts.min(by: { ($0.round, $0.place) < ($1.round, $1.place) }) else {
            return nil
        }
        let waiting = sides.indices.filter { place in
            guard place != first.place, !sides[place].isOut else { return false }
            let needed = place < first.place ? first.round + 1 : first.round
            return !sides[place].members.contains { member in
                plan.wholeRounds.contains { columns[member].entered($0, by: plan)[needed] != nil }
            }
        }
        let silent = RoundProgress.withoutEntry(
            columns.filter { $0.since == 1 },
            beside: sides
        )
        let text = "\(sides[first.place].name) reached \(plan.unit.points(target))"
        guard !waiting.isEmpty || !silent.isEmpty else { return (Note(text), true) }
        let names = (waiting.map { sides[$0].name } + silent).joined(separator: ", ")
        return (Note(text + ": one more turn for \(names)"), false)
    }

    /// Returns the round in which a side reached the target; nil if it did not.
    private func reachedRound(_ target: Int64, of side: Side, _ columns: [RowColumn]) -> Int64? {
        var added: [Int64: Int128] = [:]
        for member in side.members where columns[member].isScored {
            for row in plan.rounds {
                for mark in columns[member].tallies[row].marks {
                    added[mark.place, default: 0] += Int128(mark.weight)
                }
            }
        }
        var total = Int128(side.total) - added.values.reduce(0, +)
        for (round, points) in added.sorted(by: { $0.key < $1.key }) {
            total += points
            if plan.sheet.counts.hasReached(target, with: Bounds.cut(total)) { return round }
        }
        return nil
    }

    /// Returns the teams, best first; empty if there are none.
    func teams(_ columns: [RowColumn]) -> [TeamStanding] {
        let (sides, ranks) = (sides, ranks)
        return sides.indices.filter { sides[$0].team != nil }
            .sorted { (ranks[$0] ?? .max, $0) < (ranks[$1] ?? .max, $1) }
            .map { index in
                TeamStanding(
                    name: sides[index].name,
                    total: plan.unit.points(sides[index].total),
                    rank: ranks[index] ?? 0,
                    members: sides[index].members.map { columns[$0].player }
                )
            }
    }
}

/// Standard competition ranking: tied players share the better rank and the next ranks are skipped.
enum CompetitionRanking {
    /// Returns the rank of each merit, from 1, in the given order; nil for a nil merit.
    ///
    /// Merits have equal lengths and are compared number by number; greater is better.
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
