/// A place in a column: a row, and where that repeats, a round.
package struct ShownPlace: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// The round, from 1; null where the row has none.
    @ExplicitNull package var round: Int?

    /// The place of a row and a round.
    package init(row: String, round: Int? = nil) {
        self.row = row
        self.round = round
    }
}

/// The order of places: as the sheet has its rows, rows that it does not know by their id, and in a
/// row by round.
///
/// Snapshots name the rows, so that a watcher knows where what is new belongs.
struct ShownOrder {
    private let places: [String: Int]

    /// The order of the rows with these ids.
    init(_ rows: [String]) {
        places = Dictionary(zip(rows, 0...)) { first, _ in first }
    }

    /// Whether one place comes before another.
    func precedes(_ left: ShownPlace, _ right: ShownPlace) -> Bool {
        (places[left.row] ?? .max, left.row, left.round ?? -1)
            < (places[right.row] ?? .max, right.row, right.round ?? -1)
    }
}

/// What stands at a place of a score sheet.
protocol Placed {
    /// Where it stands.
    var place: ShownPlace { get }
}

extension ShownCell: Placed {
    var place: ShownPlace { ShownPlace(row: row, round: round) }
}

extension ShownRow: Placed {
    var place: ShownPlace { ShownPlace(row: row, round: round) }
}

extension Array where Element: Placed {
    /// Puts an element where it belongs, in place of the one that is there.
    mutating func put(_ element: Element, by order: ShownOrder) {
        let index = index(of: element.place, by: order)
        if index < count, self[index].place == element.place {
            self[index] = element
        } else {
            insert(element, at: index)
        }
    }

    /// Removes what stands at a place, if anything does.
    mutating func remove(_ place: ShownPlace, by order: ShownOrder) {
        let index = index(of: place, by: order)
        if index < count, self[index].place == place { remove(at: index) }
    }

    /// The first index that does not come before a place.
    private func index(of place: ShownPlace, by order: ShownOrder) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(self[middle].place, place) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
