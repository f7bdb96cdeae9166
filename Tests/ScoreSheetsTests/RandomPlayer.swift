import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// Somebody who plays, corrects and spoils a game at random: what the tests of kept games share.
protocol RandomPlayer {
    var garbage: Garbage { get set }
    var generator: SeededGenerator { get set }
    var rules: any GameRules { get }

    /// A value for the cell of a turn, valid or not.
    mutating func value() -> Value

    /// A cell, mostly one that a turn may have.
    mutating func cell() -> Cell

    /// What somebody types after `play`, valid or not.
    mutating func words() -> [String]

    /// A table before anything is entered.
    mutating func table() -> Table
}

extension RandomPlayer {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    /// One to four players, of whom some have left.
    mutating func players() -> [Player] {
        (1...UInt64(1 + below(4))).map { number in
            Player(id: player(number), name: "P\(number)", isPresent: below(6) > 0)
        }
    }

    /// The live entries of a cell: mostly one, at times several.
    mutating func live() -> LiveSet {
        let count = below(8) == 0 ? 1 + below(3) : 1
        return LiveSet(
            (0..<count).map { _ in
                garbage.entry([.null, garbage.value(), value(), value(), value()][below(5)])
            }
        ) ?? LiveSet(garbage.entry(.null))
    }

    /// A cell of a row in its first rounds, at times one of another row or of one of these rounds.
    mutating func cell(
        in row: StaticString,
        or other: StaticString,
        upTo last: Int,
        strange rounds: [UInt32?]
    ) -> Cell {
        Cell(
            player: player(UInt64(1 + below(5))),
            row: Symbol(known: below(20) == 0 ? other : row),
            round: below(15) == 0 ? rounds[below(rounds.count)] : UInt32(1 + below(last))
        )
    }

    /// Writes up to so many random cells at once, and asks about a move, a score and one of these
    /// options.
    mutating func spoil(
        _ law: inout KeptGameLaw,
        cells most: Int = 3,
        _ options: [Symbol],
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var cells: [Cell: LiveSet] = [:]
        for _ in 0...below(most) { cells[cell()] = live() }
        law.write(cells, comment, sourceLocation: sourceLocation)
        law.ask(
            Move(words(), by: below(2) == 0 ? nil : player(1)),
            Score(cell(), value()),
            options[below(options.count)],
            comment,
            sourceLocation: sourceLocation
        )
    }

    /// Expects of a book of random cells that it says the same in whatever order it was filled.
    mutating func expectAnyOrder(sourceLocation: SourceLocation = #_sourceLocation) {
        let blank = table()
        var one = blank
        for _ in 0..<40 { one.cells[cell()] = live() }
        var other = blank
        for (cell, live) in one.cells.shuffled(using: &generator) { other.cells[cell] = live }
        #expect(
            rules.standings(of: one.book) == rules.standings(of: other.book),
            sourceLocation: sourceLocation
        )
    }
}
