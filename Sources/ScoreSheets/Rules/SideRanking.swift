import SessionCRDT

/// How sides compare: who has won at once, then the total, then each tie-breaker.
struct SideRanking {
    /// The sides, in the order of the seats.
    let sides: [Side]
    /// The place of each.
    let ranks: [Int?]

    private let merits: [[Int64]]
    private let form: SheetForm

    /// The ranking of these sides.
    init(_ sides: [Side], by form: SheetForm) {
        self.sides = sides
        self.form = form
        let wins = form.settings(form.sheet.wins)
        merits = sides.map { side in
            [side.victories.isEmpty ? 0 : 1, wins.merit(of: side.total)]
                + zip(form.sheet.tieBreakers, side.ties).map { $0.wins.merit(of: $1) }
        }
        ranks = CompetitionRanking.ranks(merits)
    }

    /// What each side of an equal total is told: the tie-breakers that were looked at, and whether
    /// they decided.
    var decisions: [String?] {
        let equals = Dictionary(grouping: sides.indices) { merits[$0].prefix(2) }
        var decisions = [String?](repeating: nil, count: sides.count)
        let labels = form.sheet.tieBreakers.map { tieBreaker in
            form.sheet.row(tieBreaker.row)?.label ?? tieBreaker.row.description
        }
        for group in equals.values where group.count > 1 {
            let used = depth(of: group.map { merits[$0] })
            let shared = Dictionary(grouping: group) { merits[$0] }
            for index in group {
                var words = ["tied at \(sides[index].total)"]
                for (label, count) in zip(labels, sides[index].ties).prefix(used) {
                    words.append("\(label) \(count)")
                }
                if (shared[merits[index]]?.count ?? 0) > 1 { words.append("shared") }
                decisions[index] = words.joined(separator: ", ")
            }
        }
        return decisions
    }

    /// How many tie-breakers it takes until all of these differ; all of them where that never is.
    private func depth(of merits: [[Int64]]) -> Int {
        let all = form.sheet.tieBreakers.count
        let enough = (0...all).first { count in
            Set(merits.map { $0.prefix(2 + count) }).count == merits.count
        }
        return enough ?? all
    }

    /// What has won the game at once, in words; nothing while nothing has.
    var victories: [String] {
        sides.flatMap { side in
            side.victories.map { row in
                "\(side.name): \(form.sheet.row(row)?.label ?? row.description)"
            }
        }
    }

    /// Who has reached the target, in words, and whether that ends the game: in a game of rounds
    /// not before the round is complete.
    func reached(_ columns: [Column]) -> (words: String, isEnd: Bool)? {
        guard let target = form.sheet.target.flatMap({ form.settings($0) }) else { return nil }
        let progress = RoundProgress(sides, columns, by: form)
        let settled = sides.filter { progress.settledTotal(of: $0, columns, by: form) >= target }
        let names = (settled.isEmpty ? sides.filter { $0.total >= target } : settled).map(\.name)
        guard !names.isEmpty else { return nil }
        let words = "\(names.joined(separator: ", ")) reached \(target)"
        guard settled.isEmpty, let round = progress.open else { return (words, true) }
        let waiting = progress.waiting.joined(separator: ", ")
        return ("\(words): the game ends when round \(round) is complete (\(waiting))", false)
    }

    /// How each team stands, from the best; nothing where nobody is in a team.
    func teams(_ columns: [Column]) -> [String] {
        sides.indices.filter { sides[$0].team != nil }
            .sorted { (ranks[$0] ?? .max, $0) < (ranks[$1] ?? .max, $1) }
            .map { index in
                let members = sides[index].members.map { columns[$0].player.name }
                return "team \(sides[index].name): \(sides[index].total), place "
                    + "\(ranks[index] ?? 0) (\(members.joined(separator: ", ")))"
            }
    }
}
