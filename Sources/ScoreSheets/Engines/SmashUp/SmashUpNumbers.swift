import SessionCRDT

/// A number that somebody entered: a gain of a turn, or what they hold at the end of a game.
struct SmashUpNumber: Sendable {
    /// Where it is written.
    let cell: Cell
    /// Whose it is, by seat.
    let player: Int
    /// The number.
    let number: Int64
    /// When it was written.
    let stamp: Stamp
}

/// Numbers of many turns or games, sorted by them, so that those of a few are found at once.
struct SmashUpNumbers: Sendable {
    /// Where a number stands: beside the others of the same turn or game.
    private struct Place: Comparable {
        let part: UInt32
        let player: Int
        let round: UInt32

        static func < (left: Place, right: Place) -> Bool {
            (left.part, left.player, left.round) < (right.part, right.player, right.round)
        }
    }

    private var numbers = SortedPieces<Place, SmashUpNumber>()
    /// The turn or the game of a round.
    private let part: @Sendable (UInt32) -> UInt32

    /// No numbers yet, of turns or games that rounds tell like this.
    init(by part: @escaping @Sendable (UInt32) -> UInt32) {
        self.part = part
    }

    /// Takes in what a cell of somebody says, nil of nothing that counts.
    mutating func take(_ number: SmashUpNumber?, in cell: Cell, of player: Int) {
        let round = cell.round ?? 0
        numbers[Place(part: part(round), player: player, round: round)] = number
    }

    /// Those of these turns or games, in order.
    func of(_ parts: ClosedRange<UInt32>) -> [SmashUpNumber] {
        let first = Place(part: parts.lowerBound, player: 0, round: 0)
        return Array(
            numbers.values(from: first).prefix { part($0.cell.round ?? 0) <= parts.upperBound }
        )
    }
}
