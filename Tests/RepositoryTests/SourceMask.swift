/// Blanks the comments and the strings of Swift source, so that a rule sees code only.
///
/// Every other byte stays where it is, and so does every line break. The code inside of an
/// interpolation counts as part of its string. Regex literals are not known.
struct SourceMask {
    private let bytes: [UInt8]
    private var code: [UInt8]
    private var position = 0

    /// The source with blanks in place of comments and of what its strings contain.
    static func code(of source: [UInt8]) -> [UInt8] {
        var mask = SourceMask(source)
        mask.run()
        return mask.code
    }

    private init(_ source: [UInt8]) {
        bytes = source
        code = source
    }

    private mutating func run() {
        while position < bytes.count {
            switch bytes[position] {
            case Byte.slash where starts("//"): skipLineComment()
            case Byte.slash where starts("/*"): skipBlockComment()
            case Byte.quote: skipString(hashes: 0)
            case Byte.hash: skipRawString()
            case Byte.backtick: joinName()
            default: position += 1
            }
        }
    }

    private func starts(_ text: StaticString, at offset: Int = 0) -> Bool {
        let first = position + offset
        let count = text.utf8CodeUnitCount
        guard first + count <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            (0..<count).allSatisfy { wanted[$0] == bytes[first + $0] }
        }
    }

    private func hasHashes(_ count: Int, at first: Int) -> Bool {
        guard first + count <= bytes.count else { return false }
        return (first..<first + count).allSatisfy { bytes[$0] == Byte.hash }
    }

    /// Steps over `count` bytes and blanks them.
    private mutating func blank(_ count: Int) {
        for index in position..<min(position + count, bytes.count)
        where bytes[index] != Byte.newline {
            code[index] = Byte.space
        }
        position = min(position + count, bytes.count)
    }

    private mutating func skipLineComment() {
        while position < bytes.count, bytes[position] != Byte.newline { blank(1) }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && position < bytes.count
    }

    /// Makes one word of a name in backticks, which may be a whole sentence.
    private mutating func joinName() {
        position += 1
        while position < bytes.count, bytes[position] != Byte.backtick {
            if bytes[position] == Byte.newline { return }
            if !Byte.isWord(bytes[position]) { code[position] = UInt8(ascii: "_") }
            position += 1
        }
        position += 1
    }

    private mutating func skipRawString() {
        var hashes = 0
        while position + hashes < bytes.count, bytes[position + hashes] == Byte.hash { hashes += 1 }
        position += hashes
        if position < bytes.count, bytes[position] == Byte.quote { skipString(hashes: hashes) }
    }

    /// Steps over a string that starts here, and leaves its delimiters standing.
    private mutating func skipString(hashes: Int) {
        let quotes = starts("\"\"\"") ? 3 : 1
        position += quotes
        while position < bytes.count {
            if bytes[position] == Byte.backslash, hasHashes(hashes, at: position + 1) {
                blank(1 + hashes)
                skipEscape()
            } else if quotes == 3 ? starts("\"\"\"") : bytes[position] == Byte.quote,
                hasHashes(hashes, at: position + quotes)
            {
                position += quotes + hashes
                return
            } else if quotes == 1, bytes[position] == Byte.newline {
                return
            } else {
                blank(1)
            }
        }
    }

    /// Steps over what follows a backslash: one character, or an interpolation in parentheses.
    private mutating func skipEscape() {
        guard position < bytes.count, bytes[position] == Byte.open else { return blank(1) }
        var depth = 0
        repeat {
            switch bytes[position] {
            case Byte.open: depth += 1
            case Byte.close: depth -= 1
            case Byte.quote:
                let first = position
                skipString(hashes: 0)
                let count = position - first
                position = first
                blank(count)
                continue
            default: break
            }
            blank(1)
        } while depth > 0 && position < bytes.count
    }
}
