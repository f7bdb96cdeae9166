import SessionCRDT

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
