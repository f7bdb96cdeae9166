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

/// A letter as its cell records it: the beginning that it makes, and what the word list said.
///
/// `don open`, `donut complete`, `dox impossible`, and no other spelling. The whole beginning is
/// there and not only the letter, because the verdict is one about that beginning: when an earlier
/// turn is corrected, every device sees without a word list that the verdict is about another one.
struct GhostLetter: Hashable {
    /// How long a beginning can be; longer words are left out of the lists.
    ///
    /// The longest word of the Dutch list has 50 letters. A limit, because anybody could write
    /// anything into a cell.
    static let mostLetters = 100

    /// The beginning with the letter at its end: a–z only.
    let beginning: String
    /// What the list said.
    let verdict: GhostVerdict

    /// A letter that makes this beginning.
    init(_ beginning: String, _ verdict: GhostVerdict) {
        self.beginning = beginning
        self.verdict = verdict
    }

    /// The letter that a cell records; nil of anything else.
    init?(_ value: Value) {
        guard case .text(let text) = value else { return nil }
        let bytes = text.string.utf8
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let letters = bytes[..<space]
        guard (1...GhostLetter.mostLetters).contains(letters.count),
            letters.allSatisfy(Alphabet.contains),
            let verdict = GhostVerdict(bytes: bytes[bytes.index(after: space)...])
        else { return nil }
        self.init(String(text.string[..<space]), verdict)
    }

    /// What its cell records.
    var value: Value { .text("\(beginning) \(verdict.rawValue)") }

    /// The letter, and what it made: `A (DA…)`, `T (DONUT, a word)`, `X (DX, no word)`.
    var words: ValueWords {
        let made = beginning.uppercased()
        let verdict =
            switch verdict {
            case .open: "…"
            case .complete: ", a word"
            case .impossible: ", no word"
            }
        return ValueWords(
            typed: String(beginning.suffix(1)),
            shown: "\(made.suffix(1)) (\(made)\(verdict))"
        )
    }

    /// Whether it goes on from this beginning, by one letter.
    func goesOn(from before: String) -> Bool {
        beginning.utf8.count == before.utf8.count + 1 && beginning.utf8.starts(with: before.utf8)
    }
}

/// What the word list says of a beginning.
enum GhostVerdict: String, CaseIterable {
    /// Words of the minimum length go on from it, and it is none itself, or too short to count as
    /// one.
    case open
    /// It is a word of at least the minimum length: the round is lost.
    case complete
    /// No word of the minimum length begins like this: the round is lost.
    case impossible

    /// The verdict that is spelled with exactly these bytes.
    fileprivate init?(bytes: Substring.UTF8View) {
        guard let verdict = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(bytes) })
        else { return nil }
        self = verdict
    }

    /// The verdict of a list on a beginning.
    init(_ beginning: String, by lexicon: any Lexicon, minimum: Int64) {
        if !lexicon.hasWord(beginning: beginning, ofAtLeast: minimum) {
            self = .impossible
        } else if beginning.utf8.count >= minimum, lexicon.contains(beginning) {
            self = .complete
        } else {
            self = .open
        }
    }
}

/// A round that somebody lost.
struct GhostLoss: TurnPart, Hashable {
    /// Its turns, by their place among all.
    let turns: Range<Int>
    /// Who lost it, by seat.
    let seat: Int
    /// The letter that lost it.
    let letter: GhostLetter
    /// How many lives the loser had left.
    let livesLeft: Int

    /// What is told of it, with the name of the loser, where words count from a length on.
    func note(_ name: String, minimum: Int64, leaving stakes: GhostNote.Stakes? = nil) -> GhostNote
    {
        let beginning = letter.beginning
        guard letter.verdict != .complete else { return .completed(beginning, by: name, stakes) }
        let isShort = beginning.utf8.count < minimum
        return .noWord(
            beginning: beginning,
            by: name,
            minimum: isShort ? minimum : nil,
            stakes
        )
    }
}
