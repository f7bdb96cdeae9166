import SyncProtocol

enum Ago {
    /// Formats an age: "just now", "3 min ago", "2 h ago", "5 days ago"; a time in the future is
    /// "just now" too, since clocks differ.
    static func text(_ moment: Timestamp, now: Int64) -> String {
        let seconds = max(0, now - moment.milliseconds) / 1000
        return switch seconds {
        case ..<10: "just now"
        case ..<60: "\(seconds) s ago"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        case ..<172_800: "yesterday"
        default: "\(seconds / 86_400) days ago"
        }
    }
}

enum ByteCount {
    /// Formats a size: "712 bytes", "4 KiB", "1.2 MiB", "31 MiB", "2.0 GiB".
    static func text(_ bytes: Int) -> String {
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        for (unit, size) in units where bytes >= size {
            let tenths = (bytes * 10 + size / 2) / size
            let isShort = unit != "KiB" && tenths < 100
            let number = isShort ? "\(tenths / 10).\(tenths % 10)" : "\((bytes + size / 2) / size)"
            return "\(number) \(unit)"
        }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}

enum Plural {
    /// Formats a count: `1 session`, `2 sessions`.
    static func text(_ count: Int, _ thing: String) -> String {
        count == 1 ? "1 \(thing)" : "\(count) \(thing)s"
    }
}

/// The words of a line, split as a shell does: by spaces, with quotes and backslashes.
struct ShellWords: Hashable, Sendable {
    private(set) var complete: [String] = []
    /// The last word, which may be incomplete; nil after a space.
    private(set) var last: String?
    private(set) var head: Substring
    private(set) var openQuote: Character?
    /// The number of characters of the last word after the open quote.
    private(set) var quotedCount = 0

    init(_ line: String) {
        var rest = line[...]
        head = rest
        while let character = rest.first {
            if last == nil { head = line[..<rest.startIndex] }
            rest.removeFirst()
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
        if last == nil { head = line[...] }
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

enum ShellWord {
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

/// Text in XML.
enum XMLText {
    /// Escapes markup, and replaces characters that XML 1.0 forbids.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
