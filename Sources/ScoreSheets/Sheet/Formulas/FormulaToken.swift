/// A word of a formula, and where it begins.
struct FormulaToken {
    /// Which one.
    let content: Content
    /// Its first byte.
    let offset: Int
    /// How it is typed.
    let text: String

    /// What a word of a formula can be.
    enum Content: Hashable {
        /// A number.
        case number(Int64)
        /// A name, in lower case.
        case name(String)
        /// A word in quotes.
        case word(String)
        /// An operator, a parenthesis or a comma.
        case sign(String)
        /// What comes after the last word.
        case end

        /// Whether an operator can come after it.
        var endsOperand: Bool {
            switch self {
            case .number, .word, .sign(")"): true
            case .name(let name): !["and", "or", "not"].contains(name)
            case .sign, .end: false
            }
        }

        /// Whether something that can be multiplied begins with it.
        var beginsOperand: Bool {
            switch self {
            case .number, .name, .sign("("): true
            case .word, .sign, .end: false
            }
        }
    }

    /// The words of a text, the end last.
    static func tokens(_ text: String) throws(FormulaFlaw) -> [FormulaToken] {
        let bytes = Array(text.utf8)
        guard bytes.count <= Formula.Limits.length else {
            let reason = "it is longer than \(Formula.Limits.length) characters"
            throw FormulaFlaw(offset: 0, reason: reason)
        }
        var tokens: [FormulaToken] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] <= UInt8(ascii: " ") {
                place += 1
                continue
            }
            let (content, end) = try token(bytes, at: place)
            let text = String(decoding: bytes[place..<end], as: UTF8.self)
            tokens.append(FormulaToken(content: content, offset: place, text: text))
            place = end
        }
        return tokens + [FormulaToken(content: .end, offset: bytes.count, text: "")]
    }

    private static func token(
        _ bytes: [UInt8],
        at start: Int
    ) throws(FormulaFlaw) -> (Content, end: Int) {
        let byte = bytes[start]
        if isWord(byte) { return try word(bytes, at: start) }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
            guard let end = bytes[(start + 1)...].firstIndex(of: byte) else {
                throw FormulaFlaw(offset: start, reason: "the quote does not end")
            }
            return (.word(String(decoding: bytes[(start + 1)..<end], as: UTF8.self)), end + 1)
        }
        let two = String(decoding: bytes[start..<min(start + 2, bytes.count)], as: UTF8.self)
        if ["<>", "<=", ">="].contains(two) { return (.sign(two), start + 2) }
        let one = String(decoding: bytes[start...], as: UTF8.self).prefix(1)
        let end = start + one.utf8.count
        if let sign = printed[String(one)] { return (.sign(sign), end) }
        guard "+-*/=<>(),".utf8.contains(byte) else {
            let hint = hints[String(one)].map { "; \($0)" } ?? ""
            let reason = "\(String(one).quoted) is no part of a formula" + hint
            throw FormulaFlaw(offset: start, reason: reason)
        }
        return (.sign(String(one)), end)
    }

    /// The signs that books print, and what they stand for.
    private static let printed = [
        "×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "≤": "<=",
        "≥": ">=", "≠": "<>",
    ]

    /// What is meant by signs of other languages.
    private static let hints = [
        "&": "write “and”", "|": "write “or”", "!": "write “not”, or “<>”",
        "%": "write mod(a, b)", "^": "there are no powers: write a * a",
        ".": "numbers are whole, and rounds are not named", "?": "write if(…, …, …)",
        ":": "write if(…, …, …)",
        "[": "write parentheses", "{": "write parentheses", ";": "write a comma",
    ]

    /// A number, or a name: that may have dashes within, so that a minus between names needs
    /// spaces.
    private static func word(
        _ bytes: [UInt8],
        at start: Int
    ) throws(FormulaFlaw) -> (Content, end: Int) {
        let digits = bytes[start...].prefix { (48...57).contains($0) }
        var end = digits.endIndex
        if digits.isEmpty || end < bytes.count && isWord(bytes[end]) {
            while end < bytes.count {
                let isDash =
                    bytes[end] == UInt8(ascii: "-") && end + 1 < bytes.count
                    && isWord(bytes[end + 1])
                guard isWord(bytes[end]) || isDash else { break }
                end += 1
            }
            let text = String(decoding: bytes[start..<end], as: UTF8.self)
            return (.name(text.lowercased()), end)
        }
        let text = String(decoding: digits, as: UTF8.self)
        guard let number = Int64(text), Bounds.all.contains(number) else {
            throw FormulaFlaw(offset: start, reason: "\(text) is too large a number")
        }
        return (.number(number), end)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
