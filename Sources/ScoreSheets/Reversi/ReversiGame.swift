/// A game from its start: the position, who is to move, and how it came to that.
///
/// After every move the side that is to move can move, or the game is over: passes are made here
/// and are stored nowhere.
struct ReversiGame: Hashable, Sendable {
    /// One disc that was put.
    struct Turn: Hashable, Sendable {
        /// Who put it.
        let side: ReversiSide
        /// Where.
        let square: ReversiSquare
        /// Whether the other side could not move then, but this one can.
        let isPassed: Bool
    }

    /// The position as the side that is to move sees it.
    private(set) var position = ReversiPosition.start
    /// Who is to move; when the game is over it says nothing.
    private(set) var side = ReversiSide.black
    /// The moves, the first first.
    private(set) var turns: [Turn] = []

    /// Whether neither side can move.
    ///
    /// The side that is to move always can, else.
    var isOver: Bool { position.moves == 0 }

    /// Why a disc cannot be put here now; nil when it can.
    func rule(against square: ReversiSquare) -> ReversiRule? {
        if isOver { return .over }
        if position.empty & square.bit == 0 { return .taken(square) }
        return position.flips(at: square.index) == 0 ? .turnsNothing(square) : nil
    }

    /// Puts a disc.
    mutating func play(_ square: ReversiSquare) throws(ReversiRule) {
        if let rule = rule(against: square) { throw rule }
        let flips = position.flips(at: square.index)
        let next = position.playing(at: square.index, turning: flips)
        let isPassed = next.moves == 0 && next.passed.moves != 0
        turns.append(Turn(side: side, square: square, isPassed: isPassed))
        position = isPassed ? next.passed : next
        if !isPassed { side = side.other }
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

    /// The moves without their passes: `f5d6c3`.
    var transcript: String { turns.map(\.square.description).joined() }
}
