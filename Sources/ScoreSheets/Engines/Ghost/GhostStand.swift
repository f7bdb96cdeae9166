import SessionCRDT

/// Where a game of Ghost stands before a letter.
///
/// A turn goes to the letter that fits. That it was its player's turn is checked when it is entered
/// and not here: a player who was away was passed over, and of who was away at that time nothing is
/// known any more, so that players who leave and come back leave the past as it was.
struct GhostStand: TurnStand {
    static let isMoverFixed = false

    /// How many lives each has left, by seat.
    private(set) var lives: [Int]
    /// How many letters of each player count, by seat.
    private(set) var counts: [Int]
    /// The first turn of the round under way, of all from 0; of the last one once the game is over.
    private(set) var roundStart = 0
    /// The letters of the round so far.
    private(set) var beginning = ""
    private(set) var isOver = false
    /// The stamp of the latest letter that counts.
    private(set) var latest: Stamp?

    /// The seat where the turn goes to, present or not.
    private var next = 0
    /// The seats of those who have lives left.
    private var contenders: [Int]
    /// The seats of those of them who are there.
    private var present: [Int]

    init(_ terms: GhostTerms) {
        lives = terms.players.map { _ in terms.lives }
        counts = terms.players.map { _ in 0 }
        contenders = Array(terms.players.indices)
        present = contenders.filter { terms.players[$0].isPresent }
    }

    /// Who is to move: nobody once the game is over, or while fewer than two are left.
    var mover: Int? {
        isOver || present.count < 2 ? nil : present.next(from: next)
    }

    var winners: [Int] { isOver ? contenders : [] }

    func result(
        of letter: GhostLetter?,
        by seat: Int,
        _ terms: GhostTerms
    ) throws(RuleViolation) -> GhostLetter {
        guard lives[seat] > 0 else {
            let turn = counts.reduce(1, +)
            throw terms.violation(at: UInt32(clamping: turn), of: mover)
        }
        guard let letter else { throw GhostRule.unjudged.violation }
        guard letter.goesOn(from: beginning) else {
            throw GhostRule.otherBeginning(letter.beginning, now: beginning).violation
        }
        // Of a verdict this much can be checked without a list.
        let minimum = terms.stakes.minimum
        guard letter.verdict != .complete || letter.beginning.utf8.count >= minimum else {
            throw GhostRule.tooShort(letter.beginning, minimum: minimum).violation
        }
        return letter
    }

    mutating func take(
        _ turn: CountedTurn<GhostLetter?, GhostLetter>,
        at index: Int,
        _ terms: GhostTerms
    ) -> GhostLoss? {
        let (letter, seat) = (turn.result, turn.seat)
        latest.rise(to: turn.stamp)
        counts[seat] += 1
        beginning = letter.beginning
        guard letter.verdict != .open else {
            next = following(seat)
            return nil
        }
        lives[seat] -= 1
        let loss = GhostLoss(
            turns: roundStart..<index + 1,
            seat: seat,
            letter: letter,
            livesLeft: lives[seat]
        )
        if lives[seat] == 0 {
            contenders.removeAll { $0 == seat }
            present.removeAll { $0 == seat }
        }
        isOver = contenders.count < 2
        guard !isOver else { return loss }
        next = following(seat)
        beginning = ""
        roundStart = index + 1
        return loss
    }

    /// The next seat of somebody who is in the game.
    private func following(_ seat: Int) -> Int {
        contenders.next(from: seat + 1) ?? seat
    }
}
