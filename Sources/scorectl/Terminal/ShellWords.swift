/// The words of a line, split as a shell does: by spaces, with quotes and backslashes.
struct ShellWords: Hashable, Sendable {
    /// The words before the last one.
    private(set) var complete: [String] = []
    /// The last word, which may go on; nil if none has begun.
    private(set) var last: String?
    /// The quote that is still open.
    private(set) var openQuote: Character?
    /// The number of characters of the last word after the open quote.
    private(set) var quotedCount = 0

    init(_ line: String) {
        var rest = line[...]
        while let character = rest.popFirst() {
            if let quote = openQuote {
                append(character, in: quote, &rest)
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

    var all: [String] { complete + (last.map { [$0] } ?? []) }

    private mutating func append(
        _ character: Character,
        in quote: Character,
        _ rest: inout Substring
    ) {
        if character == quote {
            openQuote = nil
            return
        }
        // Within double quotes a backslash escapes only characters with a meaning there.
        let isEscape = quote == "\"" && character == "\\"
        if isEscape, let next = rest.first, "\\\"$`".contains(next) {
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

/// Quoting of a word for a shell.
enum ShellWord {
    /// The word, in quotes if a shell would split or expand it.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.,:=/+@%".unicodeScalars.contains(scalar)
            }
        if isPlain { return word }
        return "'" + word.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }
}
