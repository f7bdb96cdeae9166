/// One word, operator or punctuation mark of masked Swift source.
struct Token: Hashable {
    /// The word (in backticks where it is written so), the whole operator, or the one mark.
    let text: String
    /// The line, counted from 1.
    let line: Int
    /// Whether it follows the token before it without a gap.
    let isGlued: Bool
    /// Whether it is an identifier, a keyword or a number.
    let isWord: Bool

    /// The tokens of source whose comments and strings are blanked.
    static func tokens(of code: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var line = 1
        var index = 0
        var isGlued = false
        while index < code.count {
            let kind = kinds[Int(code[index])]
            let first = index
            index += 1
            switch kind {
            case .newline:
                line += 1
                isGlued = false
            case .gap:
                isGlued = false
            case .mark, .word, .sign:
                while kind != .mark, index < code.count, kinds[Int(code[index])] == kind {
                    index += 1
                }
                let text = String(decoding: code[first..<index], as: UTF8.self)
                tokens.append(
                    Token(text: text, line: line, isGlued: isGlued, isWord: kind == .word)
                )
                isGlued = true
            }
        }
        return tokens
    }

    private enum Kind {
        case newline
        case gap
        case mark
        case word
        case sign
    }

    private static let kinds: [Kind] = (0...255).map { byte in
        switch UInt8(byte) {
        case Byte.newline: .newline
        case 0...32: .gap
        case Byte.backtick: .word
        case let byte where Byte.isWord(byte): .word
        case let byte where "/=-+!*%<>&|^~?".utf8.contains(byte): .sign
        default: .mark
        }
    }
}
