/// How bash wants a word: it replaces only what stands behind the last character that breaks words
/// for it (such as `:` and `=`) or behind an open quote, and takes what it is given as it is.
struct BashWord {
    /// What means something to bash outside of quotes.
    private static let special: Set<Character> = [
        " ", "\\", "'", "\"", "`", "$", "&", "|", ";", "<", ">", "(", ")", "{", "}", "[", "]",
        "*", "?", "!", "#", "~", "^",
    ]

    private let quote: Character?
    private let kept: Int

    /// The word at the end of a line, where these characters break words.
    init(_ typed: TypedWords, breakingAt breaks: String) {
        quote = typed.openQuote
        let word = typed.last ?? ""
        if quote != nil {
            kept = word.count - typed.quotedCount
        } else {
            let broken = word.lastIndex { breaks.contains($0) && !Self.special.contains($0) }
            kept = broken.map { word.distance(from: word.startIndex, to: $0) + 1 } ?? 0
        }
    }

    /// What stands in place of the end of the word, so that it becomes another one.
    func replacing(by word: String) -> String {
        let rest = word.dropFirst(kept)
        switch quote {
        case "'": return rest.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
        case .some: return rest.map { "\\\"$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        case nil:
            return rest.map { character in
                let isSpecial = Self.special.contains(character) || character.isWhitespace
                return isSpecial ? "\\\(character)" : String(character)
            }.joined()
        }
    }
}
