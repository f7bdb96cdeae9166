import SessionCRDT

/// The state of a game of Ghost before a letter.
///
/// Any valid letter counts. Whether it was its player's turn is checked when the letter is entered
/// and not here: turns of absent players are skipped, and their absence is not recorded, so that
/// players who leave and come back do not change the past.
struct GhostState: TurnState {
    typealias Setup = GhostSetup
    typealias Result = GhostLetter
    typealias Part = GhostRound

    static let isMoverFixed = false

    /// The lives left, by seat.
    private(set) var lives: [Int]
    /// The number of letters that count, by seat.
    private(set) var counts: [Int]
    /// The index of the first turn of the current round among all turns; after the end, of the last
    /// round.
    private(set) var roundStart = 0
    private(set) var beginning = ""
    private(set) var isOver = false
    private(set) var latest: Stamp?

    /// The seat that moves next, even if its player is absent.
    private var next = 0
    private var contenders: [Int]
    private var present: [Int]

    init(_ setup: Setup) {
        lives = setup.players.map { _ in setup.lives }
        counts = setup.players.map { _ in 0 }
        contenders = Array(setup.players.indices)
        present = contenders.filter { setup.players[$0].isPresent }
    }

    /// The seat to move; nil after the end, and while fewer than two are present.
    var mover: Int? { isOver || present.count < 2 ? nil : present.next(from: next) }

    var winners: [Int] { isOver ? contenders : [] }

    func result(
        of letter: GhostLetter?,
        by seat: Int,
        _ setup: Setup
    ) throws(RuleViolation) -> Result {
        guard lives[seat] > 0 else {
            let turn = counts.reduce(1, +)
            throw setup.violation(at: UInt32(clamping: turn), of: mover)
        }
        guard let letter else { throw GhostLetter.unjudged }
        let made = letter.beginning
        guard letter.extends(beginning) else {
            let now = beginning.isEmpty ? "empty" : beginning.uppercased()
            throw RuleViolation(
                "it made \(made.uppercased()), but the beginning is \(now) now; enter the letter "
                    + "again with play"
            )
        }
        // The length is the only part of a verdict that can be checked without the list.
        let minimum = setup.stakes.minimum
        guard letter.verdict != .complete || made.utf8.count >= minimum else {
            throw RuleViolation(
                "\(made.uppercased()) is shorter than the \(minimum) letters that a word needs "
                    + "here; enter the letter again with play"
            )
        }
        return letter
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: Setup) -> GhostRound? {
        let (letter, seat) = (turn.result, turn.seat)
        latest.advance(to: turn.stamp)
        counts[seat] += 1
        beginning = letter.beginning
        guard letter.verdict != .open else {
            next = following(seat)
            return nil
        }
        lives[seat] -= 1
        let loss = GhostRound(seat: seat, letter: letter, livesLeft: lives[seat])
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

    private func following(_ seat: Int) -> Int { contenders.next(from: seat + 1) ?? seat }
}

/// A letter as its cell records it: the beginning that it makes, and the verdict of the word list.
///
/// The canonical form is `don open`, `donut complete` or `dox impossible`. It contains the whole
/// beginning that was judged: if an earlier turn is corrected, every device can tell without a word
/// list that the verdict applies to another beginning.
struct GhostLetter: Hashable {
    /// The maximum length of a beginning; the lists omit longer words.
    ///
    /// The longest word of the Dutch list has 50 letters. The limit is needed because a cell can
    /// contain any text.
    static let maxLetters = 100

    /// The beginning including the letter at its end: a–z only.
    let beginning: String
    let verdict: GhostVerdict

    static let unjudged = RuleViolation(
        "letters are entered with play, as in “play d”, so that the word list can judge them"
    )
}

extension GhostLetter {
    init?(_ value: Value) {
        guard case .text(let text) = value else { return nil }
        let bytes = text.string.utf8
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let letters = bytes[..<space]
        guard (1...GhostLetter.maxLetters).contains(letters.count),
            letters.allSatisfy(Alphabet.contains),
            let verdict = GhostVerdict(rawValue: String(text.string[space...].dropFirst()))
        else { return nil }
        (beginning, self.verdict) = (String(text.string[..<space]), verdict)
    }

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

    func extends(_ before: String) -> Bool {
        beginning.utf8.count == before.utf8.count + 1 && beginning.utf8.starts(with: before.utf8)
    }
}

enum GhostVerdict: String {
    /// The beginning of words of the minimum length, which is not such a word itself.
    case open
    /// A word of at least the minimum length, which loses the round.
    case complete
    /// The beginning of no word of the minimum length, which loses the round.
    case impossible

    init(_ beginning: String, by wordList: WordList, minimum: Int64) {
        if !wordList.hasWord(beginning: beginning, ofAtLeast: minimum) {
            self = .impossible
        } else if beginning.utf8.count >= minimum, wordList.contains(beginning) {
            self = .complete
        } else {
            self = .open
        }
    }
}

struct GhostRound: Hashable {
    let seat: Int
    let letter: GhostLetter
    let livesLeft: Int
}
