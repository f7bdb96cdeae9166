/// Where a game of turns stands before a turn: all that the next one depends on.
///
/// Law: it does not grow with the turns, so that a game can keep one every so many turns and go on
/// from there after a correction.
protocol TurnStand: Equatable, Sendable {
    /// What the game is played by.
    associatedtype Terms: TurnTerms
    /// What a turn comes to.
    associatedtype Result: Hashable, Sendable
    /// What ends within the game; `Never` where nothing does.
    associatedtype Part: TurnPart = Never

    /// A turn that counts.
    typealias Turn = CountedTurn<Terms.Move, Result>

    /// Whether a turn can stand only in the cell of whoever is to move.
    ///
    /// Where that is not so, it can stand in anybody's, and of what fits the latest entry counts.
    static var isMoverFixed: Bool { get }

    /// What a cell counts for whose turn came to this; 0 where turns have no points.
    static func points(of result: Result) -> Int64

    /// Before the first turn.
    init(_ terms: Terms)

    /// Who is to move, by seat; nil of nobody, as after the end.
    var mover: Int? { get }

    /// Whether the game has ended by its rules.
    var isOver: Bool { get }

    /// Who has won, by seat; nobody while the game is on, or where nobody has.
    var winners: [Int] { get }

    /// Takes in what is recorded to begin with a turn, which is the open one; twice is as once.
    mutating func begin(_ turn: UInt32, _ terms: Terms)

    /// What a move of somebody comes to; refused where it does not fit.
    func result(
        of move: Terms.Move,
        by seat: Int,
        _ terms: Terms
    ) throws(RuleViolation) -> Result

    /// Takes in a turn that counts, which is this one of all from 0; gives back the part of the
    /// game that ended with it.
    mutating func take(_ turn: Turn, at index: Int, _ terms: Terms) -> Part?

    /// Where it stands among those who are here now; `isPast` says whether moves wait behind the
    /// open turn, which then is one of the past.
    func seating(_ terms: Terms, isPast: Bool) -> Self

    /// Why nothing behind the open turn counts, which is this one.
    func reasonBehind(_ turn: UInt32, _ terms: Terms) -> RuleViolation
}

extension TurnStand {
    /// Nobody.
    var winners: [Int] { [] }

    /// Only in that cell.
    static var isMoverFixed: Bool { true }

    /// None.
    static func points(of result: Result) -> Int64 { 0 }

    /// Nothing is recorded.
    mutating func begin(_ turn: UInt32, _ terms: Terms) {}

    /// As it is recorded.
    func seating(_ terms: Terms, isPast: Bool) -> Self { self }

    /// That the game is over, or that the open turn comes first.
    func reasonBehind(_ turn: UInt32, _ terms: Terms) -> RuleViolation {
        terms.violation(
            isOver
                ? .over(winners: winners.map(terms.name)) : .gap(turn, of: mover.map(terms.name))
        )
    }
}
