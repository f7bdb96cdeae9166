import SessionCRDT

/// What all players have in a row, or in one round of it, for formulas that compare them.
///
/// It is made once for all of them, so that a formula of each player costs its own names only.
struct SharedNumbers {
    /// What each player has, by column; nil of nothing and of who was removed.
    private let numbers: [Int64?]
    private let sorted: [Int64]
    private let sum: Int128
    /// Whose team each player is in, by column: that of the first of its players.
    private let teams: [Int]
    /// What each team has, by the column of its first player.
    private let teamSums: [Int128]

    /// The numbers of these columns, which are in these teams.
    init(_ numbers: [Int64?], teams: [Int]) {
        self.numbers = numbers
        self.teams = teams
        teamSums = zip(teams, numbers).reduce(into: Array(repeating: 0, count: teams.count)) {
            $0[$1.0] += Int128($1.1 ?? 0)
        }
        let found = numbers.compactMap(\.self)
        sorted = found.sorted()
        sum = found.reduce(Int128(0)) { $0 + Int128($1) }
    }

    /// A number of all players as the player of a column sees it.
    func number(_ aggregate: FormulaName.Aggregate, of column: Int) -> Int64 {
        let own = column < numbers.count ? numbers[column] : nil
        return switch aggregate {
        case .total: Bounds.cut(sum)
        case .others: Bounds.cut(sum - Int128(own ?? 0))
        case .team: column < teams.count ? Bounds.cut(teamSums[teams[column]]) : 0
        case .most: sorted.last ?? 0
        case .least: sorted.first ?? 0
        case .count: Int64(sorted.count)
        case .tied:
            own.map { number in
                let first = sorted.partitioningIndex { $0 >= number }
                return Int64(sorted.partitioningIndex { $0 > number } - first)
            } ?? 0
        case .rank:
            own.map { number in
                Int64(sorted.count - sorted.partitioningIndex { $0 > number } + 1)
            } ?? 0
        }
    }
}
