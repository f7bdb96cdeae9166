/// Labels that want to be somewhere and must not stand on each other.
enum Spread {
    /// A place of its own for each label, as near as can be to where it wants to be.
    ///
    /// - Parameters:
    ///   - wanted: where the labels want to be, in rising order.
    ///   - count: how many places there are, from 0.
    /// - Returns: rising places; of more labels than places only the first have one.
    static func places(of wanted: [Int], in count: Int) -> [Int] {
        var places: [Int] = []
        for place in wanted.prefix(count) { places.append(max(place, (places.last ?? -1) + 1)) }
        // What was pushed over the end pushes back.
        var limit = count - 1
        for index in places.indices.reversed() {
            places[index] = min(places[index], limit)
            limit = places[index] - 1
        }
        return places
    }
}
