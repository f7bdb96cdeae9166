import SessionCRDT

/// Points for places: most of something gets the first, and so on.
///
/// Those who are tied add the places that they cover, divide and round down, unless another rule
/// is given; whoever has nothing gets nothing. (Wingspan, Stonemaier Games 2019, end-of-round
/// goals.)
enum PlacePoints {
    /// The share of each of these numbers in the points of the places.
    static func shares(
        _ numbers: [Int64],
        of places: [Int64],
        _ ties: TieRule = .share
    ) -> [Int64] {
        var shares = [Int64](repeating: 0, count: numbers.count)
        let order = numbers.indices.filter { numbers[$0] > 0 }
            .sorted { (numbers[$1], $0) < (numbers[$0], $1) }
        var (first, next) = (0, 0)
        while first < order.count {
            let tied = order[first...].prefix { numbers[$0] == numbers[order[first]] }
            let place = ties == .each ? next : first
            let covered = places.dropFirst(place).prefix(tied.count)
            let share =
                switch ties {
                case .share: pooled(covered, tied.count)
                case .split: pooled(covered.prefix(1), tied.count)
                case .each, .skip: covered.first ?? 0
                }
            for index in tied { shares[index] = share }
            first += tied.count
            next += 1
        }
        return shares
    }

    /// The points of some places together, divided and rounded down.
    private static func pooled(_ places: ArraySlice<Int64>, _ count: Int) -> Int64 {
        let pool = places.reduce(Int128(0)) { $0 + Int128($1) }
        let (share, rest) = pool.quotientAndRemainder(dividingBy: Int128(count))
        return Bounds.cut(rest < 0 ? share - 1 : share)
    }
}
