import SessionCRDT

/// The state of a game of Reversi before a move: the position, and who is to move.
///
/// Invariant: the side to move has a legal move, or the game is over. Passes are derived and never
/// stored.
struct ReversiState: TurnState {
    typealias Setup = ReversiSetup

    struct Result: Hashable {
        let square: ReversiSquare
        /// Whether the other side has to pass after the move, but this one can move.
        let isPassed: Bool
    }

    /// The position as the side to move sees it.
    private(set) var position = ReversiPosition.start
    /// The side to move; meaningless after the end.
    private(set) var side = ReversiSide.black
    private(set) var latest: Stamp?

    private let isPlayed: Bool

    init(_ setup: ReversiSetup) { isPlayed = !setup.players.isEmpty }

    /// Whether neither side can move, which is so if the side to move cannot.
    var isOver: Bool { isPlayed && position.moves == 0 }
    var mover: Int? { isPlayed && !isOver ? side.seat : nil }

    var winners: [Int] {
        isOver ? ReversiSide.allCases.filter { result(of: $0) > 32 }.map(\.seat) : []
    }

    func result(of move: Value, by seat: Int, _ setup: ReversiSetup) throws(RuleViolation) -> Result
    {
        let text = move.string ?? move.words
        guard let square = ReversiSquare(text) else {
            throw .notASquare(move.integer.map(String.init) ?? ReversiSquare.named(text))
        }
        if let violation = violation(at: square) { throw violation }
        let next = position.playing(at: square.index)
        return Result(square: square, isPassed: next.moves == 0 && next.passed.moves != 0)
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: ReversiSetup) -> Never? {
        let next = position.playing(at: turn.result.square.index)
        position = turn.result.isPassed ? next.passed : next
        if !turn.result.isPassed { side = side.other }
        latest.advance(to: turn.stamp)
        return nil
    }

    /// Returns the reason why a disc cannot be placed on a square now; nil if it can.
    func violation(at square: ReversiSquare) -> RuleViolation? {
        if isOver { return RuleViolation("the game is over") }
        if position.empty & square.bit == 0 { return RuleViolation("\(square) is taken") }
        return position.flips(at: square.index) == 0
            ? RuleViolation("\(square) turns no disc") : nil
    }

    func discs(of side: ReversiSide) -> UInt64 { side == self.side ? position.own : position.other }

    func count(of side: ReversiSide) -> Int { discs(of: side).nonzeroBitCount }

    /// Returns the result of a side as tournaments count it: the empty squares go to the winner, or
    /// half of them to each side in a draw.
    func result(of side: ReversiSide) -> Int {
        let (mine, theirs) = (count(of: side), count(of: side.other))
        if mine == theirs { return 32 }
        return mine > theirs ? 64 - theirs : mine
    }
}
