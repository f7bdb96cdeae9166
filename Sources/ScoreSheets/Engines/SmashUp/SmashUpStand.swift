import SessionCRDT

/// Where an evening of Smash Up stands before a turn ends.
///
/// A turn ends with the mark of whoever was to move. That it was their turn is checked when the
/// mark is entered and not here: it depended on who was seated where at that time, of which nothing
/// is known any more, so that players who come, go and change seats leave the past as it was.
/// Points count in the turn in which they were gained, so that points which arrive late still
/// decide whether somebody had won when that turn ended. Only another game follows one that is
/// over.
struct SmashUpStand: TurnStand {
    static let isMoverFixed = false

    /// The game that is on or just over, with the points of the open turn and without Madness.
    private(set) var game = SmashUpGame(number: 1, firstTurn: 1)
    private(set) var mover: Int?
    /// Whether all turns that there can be are used.
    private(set) var isOver = false

    /// The game as it stood when the last turn ended.
    private var ended = SmashUpGame(number: 1, firstTurn: 1)

    init(_ terms: SmashUpTerms) {
        mover = terms.present.first
    }

    mutating func begin(_ turn: UInt32, _ terms: SmashUpTerms) {
        game = ended
        guard !game.isOver else { return }
        for gain in terms.points.of(turn...turn) { game.gain(gain) }
    }

    /// Whether the game was over before: then points of this turn do not count.
    func result(
        of mark: TurnMark,
        by seat: Int,
        _ terms: SmashUpTerms
    ) throws(RuleViolation) -> Bool {
        guard mark == .replay || !game.isOver else { throw SmashUpRule.over.violation }
        return game.isOver
    }

    mutating func take(
        _ turn: CountedTurn<TurnMark, Bool>,
        at index: Int,
        _ terms: SmashUpTerms
    ) -> SmashUpGame? {
        isOver = index + 1 == Int(TurnRounds.lastTurn)
        var past: SmashUpGame?
        switch turn.move {
        case .end(let recorded):
            let roll = SmashUpRoll(recorded, target: terms.target)
            game.endTurn(of: turn.seat, at: turn.stamp, roll, among: terms.players)
            mover = terms.present.next(from: turn.seat + 1)
        case .replay:
            past = game
            game = SmashUpGame(number: game.number + 1, firstTurn: UInt32(clamping: index + 2))
            mover = terms.present.first
        }
        if isOver { mover = nil }
        ended = game
        return past
    }

    func reasonBehind(_ turn: UInt32, _ terms: SmashUpTerms) -> RuleViolation {
        if game.isOver { return SmashUpRule.over.violation }
        if isOver { return terms.violation(.noTurnLeft) }
        return terms.violation(.gap(turn, of: mover.map(terms.name)))
    }
}
