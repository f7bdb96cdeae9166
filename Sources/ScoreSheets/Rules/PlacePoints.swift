import SessionCRDT

/// Points for places: most of something gets the first, and so on.
///
/// Those who are tied add the places that they cover, divide and round down; whoever has nothing
/// gets nothing. (Wingspan, Stonemaier Games 2019, end-of-round goals.)
enum PlacePoints {
    /// The share of each of these numbers in the points of the places.
    static func shares(_ numbers: [Int64], of places: [Int64]) -> [Int64] {
        var shares = [Int64](repeating: 0, count: numbers.count)
        let order = numbers.indices.filter { numbers[$0] > 0 }
            .sorted { (numbers[$1], $0) < (numbers[$0], $1) }
        var first = 0
        while first < order.count {
            let tied = order[first...].prefix { numbers[$0] == numbers[order[first]] }
            let pool = places.dropFirst(first).prefix(tied.count)
                .reduce(Int128(0)) { $0 + Int128($1) }
            var (share, rest) = pool.quotientAndRemainder(dividingBy: Int128(tied.count))
            if rest < 0 {
                share -= 1
                rest = 0
            }
            for index in tied { shares[index] = Bounds.cut(share) }
            first += tied.count
        }
        return shares
    }
}
