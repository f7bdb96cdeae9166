import SessionCRDT

/// What a move of Reversi comes to.
struct ReversiResult: Hashable, Sendable {
    /// Where the disc was put.
    let square: ReversiSquare
    /// Whether the other side cannot move then, but this one can.
    let isPassed: Bool
}

/// Where a game of Reversi stands before a move: the position, and who is to move.
///
/// After every move the side that is to move can move, or the game is over: passes are made here
/// and are stored nowhere.
struct ReversiStand: TurnStand {
    /// The position as the side that is to move sees it.
    private(set) var position = ReversiPosition.start
    /// Who is to move; when the game is over it says nothing.
    private(set) var side = ReversiSide.black
    /// When the latest of the moves that count was written.
    private(set) var latest: Stamp?

    /// Whether there are two to play.
    private let isPlayed: Bool

    init(_ terms: ReversiTerms) {
        isPlayed = !terms.players.isEmpty
    }

    /// Whether neither side can move.
    ///
    /// The side that is to move always can, else.
    var isOver: Bool { isPlayed && position.moves == 0 }

    var mover: Int? { isPlayed && !isOver ? side.seat : nil }

    var winners: [Int] {
        isOver ? ReversiSide.allCases.filter { result(of: $0) > 32 }.map(\.seat) : []
    }

    func result(
        of value: Value,
        by seat: Int,
        _ terms: ReversiTerms
    ) throws(RuleViolation) -> ReversiResult {
        let text = value.string ?? value.words
        guard let square = ReversiSquare(text) else {
            let found = value.integer.map(String.init) ?? ReversiSquare.named(text)
            throw ReversiRule.noSquare(found).violation
        }
        if let rule = rule(against: square) { throw rule.violation }
        let next = playing(square)
        return ReversiResult(
            square: square,
            isPassed: next.moves == 0 && next.passed.moves != 0
        )
    }

    mutating func take(
        _ turn: CountedTurn<Value, ReversiResult>,
        at index: Int,
        _ terms: ReversiTerms
    ) -> Never? {
        let next = playing(turn.result.square)
        position = turn.result.isPassed ? next.passed : next
        if !turn.result.isPassed { side = side.other }
        latest.rise(to: turn.stamp)
        return nil
    }

    private func playing(_ square: ReversiSquare) -> ReversiPosition {
        let flips = position.flips(at: square.index)
        return position.playing(at: square.index, turning: flips)
    }

    /// Why a disc cannot be put here now; nil when it can.
    func rule(against square: ReversiSquare) -> ReversiRule? {
        if isOver { return .over }
        if position.empty & square.bit == 0 { return .taken(square) }
        return position.flips(at: square.index) == 0 ? .turnsNothing(square) : nil
    }

    /// The discs of a side.
    func discs(of side: ReversiSide) -> UInt64 {
        side == self.side ? position.own : position.other
    }

    /// How many discs a side has.
    func count(of side: ReversiSide) -> Int { discs(of: side).nonzeroBitCount }

    /// The result of a side as tournaments count it: the empty squares go to the winner, and each
    /// takes half of them in a draw.
    func result(of side: ReversiSide) -> Int {
        let (mine, theirs) = (count(of: side), count(of: side.other))
        if mine == theirs { return 32 }
        return mine > theirs ? 64 - theirs : mine
    }
}
