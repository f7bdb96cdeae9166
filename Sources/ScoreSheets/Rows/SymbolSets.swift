extension SymbolSets {
    /// Returns the highest value of these counts over all assignments of the wild symbols.
    ///
    /// For a given level of the smallest pile, all other wild symbols belong on the largest pile,
    /// because squares are convex. Between the sizes of two piles the value is convex in the level,
    /// so the best level is the size of a pile or the highest level that the wild symbols reach.
    /// Negative counts are 0.
    func best(_ counts: [Int64], wild: Int64) -> Int64 {
        let piles = counts.map { max(0, $0) }.sorted()
        guard let least = piles.first else { return 0 }
        let wild = max(0, wild)
        let levels = Set(piles.filter { SymbolSets.cost(of: $0, piles) <= wild }).union([
            least, SymbolSets.highest(piles, wild),
        ])
        return Bounds.cut(levels.map { value(piles, wild, level: $0) }.max() ?? 0)
    }

    private func value(_ piles: [Int64], _ wild: Int64, level: Int64) -> Int128 {
        var raised = piles.map { Int128(max($0, level)) }
        let left = Int128(wild) - SymbolSets.cost(of: level, piles)
        if let largest = raised.indices.last { raised[largest] += left }
        let squares = raised.reduce(Int128(0)) { $0 + $1 * $1 }
        return squares + Int128(set) * (raised.min() ?? 0)
    }

    /// Returns the number of wild symbols needed to raise all piles to a level.
    private static func cost(of level: Int64, _ piles: [Int64]) -> Int128 {
        piles.reduce(Int128(0)) { $0 + Int128(max(0, level - $1)) }
    }

    /// Returns the highest level that the wild symbols reach; the piles are sorted.
    private static func highest(_ piles: [Int64], _ wild: Int64) -> Int64 {
        var sum = Int128(wild)
        var highest: Int128 = 0
        for (index, pile) in piles.enumerated() {
            // Only piles up to the level are raised.
            guard index == 0 || highest >= Int128(pile) else { break }
            sum += Int128(pile)
            let next = index + 1 < piles.count ? Int128(piles[index + 1]) : Int128.max
            highest = max(highest, min(sum / Int128(index + 1), next))
        }
        return Int64(clamping: highest)
    }
}
