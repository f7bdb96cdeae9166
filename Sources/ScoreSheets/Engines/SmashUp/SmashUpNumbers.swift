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

        init(_ cell: Cell, of player: Int, by part: (UInt32) -> UInt32) {
            round = cell.round ?? 0
            self.part = part(round)
            self.player = player
        }

        init(before part: UInt32) {
            self.part = part
            player = 0
            round = 0
        }

        static func < (left: Place, right: Place) -> Bool {
            (left.part, left.player, left.round) < (right.part, right.player, right.round)
        }
    }

    private var numbers: SortedPieces<Place, SmashUpNumber>
    /// The turn or the game of a round.
    private let part: @Sendable (UInt32) -> UInt32

    /// These numbers, in any order, of turns or games that rounds tell like this.
    init(_ numbers: [SmashUpNumber] = [], by part: @escaping @Sendable (UInt32) -> UInt32) {
        self.part = part
        self.numbers = SortedPieces(
            numbers.map { (Place($0.cell, of: $0.player, by: part), $0) }
        )
    }

    /// Takes in what a cell of somebody says, nil of nothing that counts.
    mutating func take(_ number: SmashUpNumber?, in cell: Cell, of player: Int) {
        numbers[Place(cell, of: player, by: part)] = number
    }

    /// Those of these turns or games, in order.
    func of(_ parts: ClosedRange<UInt32>) -> [SmashUpNumber] {
        Array(
            numbers.values(from: Place(before: parts.lowerBound)).prefix {
                part($0.cell.round ?? 0) <= parts.upperBound
            }
        )
    }
}
