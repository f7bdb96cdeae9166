import SessionCRDT

extension Array where Element == Player {
    /// Where everybody sits.
    var seats: [PlayerID: Int] { Dictionary(zip(map(\.id), 0...)) { first, _ in first } }
}

extension Array where Element == Int {
    /// The first of these seats around the table, from one on; they are in their order.
    func next(from seat: Int) -> Int? {
        let place = partitioningIndex { $0 >= seat }
        return place < count ? self[place] : first
    }
}
