import SessionCRDT

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
