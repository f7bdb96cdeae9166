import SessionCRDT

extension Formula {
    /// Limits, because sessions carry untrusted sheets.
    package enum Limits {
        /// The maximum length of the text in bytes.
        package static let length = 1000
        /// The maximum number of numbers, names and operators in a formula.
        package static let parts = 200
        /// The maximum nesting of operations.
        package static let depth = 24
        /// The maximum number of parts in all formulas of a sheet.
        package static let allParts = 4000
    }
}

/// A recursive descent parser: operators of higher precedence are parsed further down.
struct FormulaParser {
    private let tokens: [FormulaToken]
    private var place = 0
    private var parts = 0
    private var depth = 0

    init(_ text: String) throws(FormulaFlaw) { tokens = try FormulaToken.tokens(text) }

    typealias Parsed = Expression<FormulaName>

    /// Left-associative operators by level, lowest precedence first.
    private static let levels: [KeyValuePairs<FormulaToken.Content, FormulaOperator.Binary>] = [
        [.name("or"): .or], [.name("and"): .and], [.sign("+"): .plus, .sign("-"): .minus],
        [.sign("*"): .times, .sign("/"): .over],
    ]

    private static let comparisons: [String: FormulaOperator.Binary] = [
        "=": .equal, "<>": .unequal, "<": .less, "<=": .lessOrEqual, ">": .greater,
        ">=": .greaterOrEqual,
    ]

    mutating func formula() throws(FormulaFlaw) -> Parsed {
        let expression = try whole()
        guard next.content == .end else { throw unexpected("an operator") }
        return expression
    }

    private var next: FormulaToken { tokens[place] }

    private func unexpected(_ wanted: String) -> FormulaFlaw {
        let found =
            switch next.content {
            case .end: "the end"
            case .number: next.text
            case .word(let word): word.quoted
            case .name, .sign: next.text.quoted
            }
        return flaw("expected \(wanted), found \(found)")
    }

    private func flaw(_ reason: String, at token: FormulaToken? = nil) -> FormulaFlaw {
        FormulaFlaw(offset: (token ?? next).offset, reason: reason)
    }

    private mutating func consume(_ content: FormulaToken.Content) -> Bool {
        guard next.content == content else { return false }
        place += 1
        return true
    }

    /// Consumes the closing parenthesis; if the text ends without it, the error is at the opening
    /// one.
    private mutating func close(_ opened: FormulaToken, or other: String = "") throws(FormulaFlaw) {
        guard !consume(.sign(")")) else { return }
        guard next.content == .end else { throw unexpected(other + "“)”") }
        let what = opened.text == "(" ? "this “(”" : "\(opened.text)(…"
        throw flaw("\(what) is not closed", at: opened)
    }

    /// Counts a part and enforces the limit.
    private mutating func count() throws(FormulaFlaw) {
        parts += 1
        guard parts <= Formula.Limits.parts else {
            throw flaw("it has more than \(Formula.Limits.parts) parts")
        }
    }

    private mutating func nested(
        _ body: (inout FormulaParser) throws(FormulaFlaw) -> Parsed
    ) throws(FormulaFlaw) -> Parsed {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Formula.Limits.depth else {
            throw flaw("it is nested deeper than \(Formula.Limits.depth) levels")
        }
        return try body(&self)
    }

    // MARK: Operators, from those that bind least

    /// Parses an expression, one level nested.
    private mutating func whole() throws(FormulaFlaw) -> Parsed {
        try nested { parser throws(FormulaFlaw) in try parser.joined(0) }
    }

    private mutating func joined(_ level: Int) throws(FormulaFlaw) -> Parsed {
        var left = try operand(of: level)
        while let sign = FormulaParser.levels[level].first(where: { $0.key == next.content })?.value
        {
            place += 1
            let right = try operand(of: level)
            try count()
            left = .binary(sign, left, right)
        }
        return left
    }

    private mutating func operand(of level: Int) throws(FormulaFlaw) -> Parsed {
        switch level {
        case 0: try joined(1)
        case 1: try negation()
        case 2: try joined(3)
        default: try factor()
        }
    }

    private mutating func negation() throws(FormulaFlaw) -> Parsed {
        guard consume(.name("not")) else { return try comparison() }
        try count()
        try checkCallOfNot()
        return try nested { parser throws(FormulaFlaw) in .unary(.not, try parser.negation()) }
    }

    /// Throws for an operator after `not (…)`, which is a call in spreadsheets but has the lowest
    /// precedence here.
    private func checkCallOfNot() throws(FormulaFlaw) {
        guard next.content == .sign("(") else { return }
        var (end, open) = (place, 0)
        repeat {
            if tokens[end].content == .sign("(") { open += 1 }
            if tokens[end].content == .sign(")") { open -= 1 }
            end += 1
        } while open > 0 && end < tokens.count
        guard case .sign(let sign) = tokens[ahead: end], !["(", ")", ","].contains(sign) else {
            return
        }
        let reason = "write (not (…)) \(sign) … or not ((…) \(sign) …), whichever is meant"
        throw flaw(reason, at: tokens[end])
    }

    private mutating func comparison() throws(FormulaFlaw) -> Parsed {
        if case .name(let name) = next.content, case .word(let word) = tokens[ahead: place + 2] {
            return try wordComparison(name, word)
        }
        let left = try joined(2)
        guard case .sign(let sign) = next.content,
            let comparison = FormulaParser.comparisons[sign]
        else { return left }
        place += 1
        let right = try joined(2)
        try count()
        if case .sign(let other) = next.content, FormulaParser.comparisons[other] != nil {
            throw flaw("comparisons cannot be chained; join two with “and”")
        }
        return .binary(comparison, left, right)
    }

    /// Parses `NAME = 'WORD'` or `NAME <> 'WORD'`.
    private mutating func wordComparison(
        _ name: String,
        _ word: String
    ) throws(FormulaFlaw) -> Parsed {
        let subject = try symbol(name)
        place += 1
        let isEqual = consume(.sign("="))
        guard isEqual || consume(.sign("<>")) else { throw unexpected("“=” or “<>”") }
        guard let symbol = Symbol(word) else {
            throw flaw("\(word.quoted) is not a word of a choice")
        }
        place += 1
        try count()
        let found = Parsed.name(.word(subject, symbol))
        guard !isEqual else { return found }
        try count()
        return .unary(.not, found)
    }

    private mutating func factor() throws(FormulaFlaw) -> Parsed {
        guard consume(.sign("-")) else { return try operand() }
        try count()
        return try nested { parser throws(FormulaFlaw) in .unary(.minus, try parser.factor()) }
    }

    // MARK: Operands

    private mutating func operand() throws(FormulaFlaw) -> Parsed {
        try count()
        let start = next
        if consume(.sign("(")) {
            let inner = try whole()
            try close(start)
            return inner
        }
        switch start.content {
        case .number(let number):
            place += 1
            return .number(number)
        case .name(let name):
            guard tokens[ahead: place + 1] != .sign("(") else {
                place += 2
                return try call(name, start)
            }
            guard !["and", "or", "not"].contains(name) else {
                throw unexpected("a number or a name")
            }
            let symbol = try symbol(name)
            place += 1
            return .name(.value(symbol))
        case .word, .sign, .end: throw unexpected("a number or a name")
        }
    }

    private mutating func call(
        _ name: String,
        _ start: FormulaToken
    ) throws(FormulaFlaw) -> Parsed {
        if let aggregate = FormulaName.Aggregate(rawValue: name) {
            return .name(.ofAll(aggregate, try row(of: start)))
        }
        if let function = FormulaName.OfRounds(rawValue: name) {
            return .name(.ofRounds(function, try row(of: start)))
        }
        let functions = ["min", "max", "abs", "mod", "if", "pick"]
        guard functions.contains(name) else {
            let known =
                functions + FormulaName.Aggregate.allCases.map(\.rawValue)
                + FormulaName.OfRounds.allCases.map(\.rawValue)
            let list = known.joined(separator: ", ")
            throw flaw("there is no function \(start.text); functions: \(list)", at: start)
        }
        let operands = try operands(of: start)
        switch (name, operands.count) {
        case ("min", 1...): return .several(.least, operands)
        case ("max", 1...): return .several(.greatest, operands)
        case ("abs", 1): return .unary(.magnitude, operands[0])
        case ("mod", 2): return .binary(.rest, operands[0], operands[1])
        case ("if", 3): return .several(.choice, operands)
        case ("pick", 2...): return .several(.pick, operands)
        default:
            let wanted = [
                "abs": "one number", "mod": "two numbers", "if": "three parts",
                "pick": "a number and what it picks from",
            ][name]
            let reason = "\(name) takes \(wanted ?? "one number at least"), not \(operands.count)"
            throw flaw(reason, at: start)
        }
    }

    private mutating func row(of call: FormulaToken) throws(FormulaFlaw) -> Symbol {
        guard case .name(let row) = next.content else { throw unexpected("the name of a row") }
        let symbol = try symbol(row)
        place += 1
        guard next.content == .sign(")") || next.content == .end else {
            throw flaw("\(call.text) takes one row")
        }
        try close(call)
        return symbol
    }

    private mutating func operands(of call: FormulaToken) throws(FormulaFlaw) -> [Parsed] {
        var operands: [Parsed] = []
        guard !consume(.sign(")")) else { return operands }
        repeat { operands.append(try whole()) } while consume(.sign(","))
        try close(call, or: "“,” or ")
        return operands
    }

    private func symbol(_ name: String) throws(FormulaFlaw) -> Symbol {
        guard let symbol = Symbol(name) else {
            throw flaw("\(next.text.quoted) is too long a name")
        }
        return symbol
    }
}

extension [FormulaToken] {
    /// The token at an index; the end beyond the last one.
    fileprivate subscript(ahead place: Int) -> FormulaToken.Content {
        place < count ? self[place].content : .end
    }
}

struct FormulaToken {
    let content: Content
    let offset: Int
    let text: String

    enum Content: Hashable {
        case number(Int64)
        /// A name, in lower case.
        case name(String)
        /// A word, without its quotes.
        case word(String)
        /// An operator, a parenthesis or a comma.
        case sign(String)
        case end
    }

    /// Returns the tokens of a text, the end last.
    static func tokens(_ text: String) throws(FormulaFlaw) -> [FormulaToken] {
        let bytes = Array(text.utf8)
        guard bytes.count <= Formula.Limits.length else {
            let reason = "it is longer than \(Formula.Limits.length) characters"
            throw FormulaFlaw(offset: 0, reason: reason)
        }
        var tokens: [FormulaToken] = []
        var place = 0
        while place < bytes.count {
            if " \t\n\r".utf8.contains(bytes[place]) {
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
            let reason = "\(String(one).quoted) is not part of a formula"
            throw FormulaFlaw(offset: start, reason: reason)
        }
        return (.sign(String(one)), end)
    }

    /// Printed signs and their ASCII forms.
    private static let printed = [
        "×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "≤": "<=",
        "≥": ">=", "≠": "<>",
    ]

    /// Parses a number or a name: names may contain dashes, so a minus between names needs spaces.
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
