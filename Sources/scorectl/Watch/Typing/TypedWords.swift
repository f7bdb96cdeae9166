/// The words of a line, taken apart as a shell does: spaces between them, quotes around those that
/// hold some, a backslash before what shall mean nothing.
struct TypedWords: Hashable, Sendable {
    /// The words before the last one.
    private(set) var complete: [String] = []
    /// The last word, which may go on; nil where none has begun.
    private(set) var last: String?
    /// The quote that is open.
    private(set) var openQuote: Character?
    /// How many characters of the last word stand behind the quote that is open.
    private(set) var quotedCount = 0

    /// Takes a line apart.
    init(_ line: String) {
        var rest = line[...]
        while let character = rest.popFirst() {
            if let quote = openQuote {
                take(character, in: quote, &rest)
            } else if character == "'" || character == "\"" {
                openQuote = character
                quotedCount = 0
                last = last ?? ""
            } else if character == "\\", let next = rest.popFirst() {
                append(next)
            } else if character.isWhitespace {
                end()
            } else {
                append(character)
            }
        }
    }

    /// All words.
    var all: [String] { complete + (last.map { [$0] } ?? []) }

    private mutating func take(_ character: Character, in quote: Character, _ rest: inout Substring)
    {
        if character == quote {
            openQuote = nil
            return
        }
        // Within double quotes a backslash hides only what means something there.
        let isHidden = quote == "\"" && character == "\\"
        if isHidden, let next = rest.first, "\\\"$`".contains(next) {
            append(rest.removeFirst())
        } else {
            append(character)
        }
        quotedCount += 1
    }

    private mutating func append(_ character: Character) { last = (last ?? "") + String(character) }

    private mutating func end() {
        if let word = last { complete.append(word) }
        last = nil
    }
}
