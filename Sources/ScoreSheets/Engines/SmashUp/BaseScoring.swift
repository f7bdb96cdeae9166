/// What a base pays when it is scored.
enum BaseScoring {
    /// What each player gets, in the order of their power on the base.
    ///
    /// The printed points are those for first, second and third. Tied players all take the better
    /// place and the next is skipped: power 10, 10, 5 is first, first, third. Who has no power
    /// there gets nothing, and so does who comes behind the printed places.
    static func awards(printed: [Int64], powers: [Int64]) -> [Int64] {
        CompetitionRanking.ranks(powers.map { $0 > 0 ? [$0] : nil }).map { rank in
            guard let rank, rank <= printed.count else { return 0 }
            return printed[rank - 1]
        }
    }
}
