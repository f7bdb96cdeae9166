import SessionCRDT

extension DropTheMost {
    /// The places of the rows that there is most of; none where there is nothing.
    func most(_ counts: [Int64]) -> [Int] {
        guard let most = counts.max(), most > 0 else { return [] }
        return counts.indices.filter { counts[$0] == most }
    }

    /// What is left, each at its value by this order, once everything of one row was dropped.
    ///
    /// Of rows of which there are equally many that with two values is dropped, else that which is
    /// worth least, unless the player has chosen. (Container, Valley Games 2007.)
    func rest(of counts: [Int64], _ order: [Symbol], dropping choice: Int?) -> Int64 {
        // Counted before anything is dropped.
        let isComplete = counts.allSatisfy { $0 > 0 }
        var worths = [Int64](repeating: 0, count: rows.count)
        var twofold: Set<Int> = []
        for (word, value) in zip(order, values) {
            guard let place = rows.firstIndex(of: word) else { continue }
            switch value {
            case .one(let worth): worths[place] = worth
            case .two(let complete, let other):
                worths[place] = isComplete ? complete : other
                twofold.insert(place)
            }
        }
        let most = most(counts)
        let dropped =
            choice ?? most.first(where: twofold.contains)
            ?? most.min { (worths[$0], $0) < (worths[$1], $1) }
        let kept = counts.indices.filter { $0 != dropped }
        return Bounds.cut(
            kept.reduce(Int128(0)) { $0 + Int128(counts[$1]) * Int128(worths[$1]) }
        )
    }
}
