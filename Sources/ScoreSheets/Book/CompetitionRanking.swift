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
