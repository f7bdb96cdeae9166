package import SessionCRDT

/// A formula as in spreadsheets: `if(bid = tricks, 20 + 10 * tricks, 0)`.
package struct Formula: Hashable, Sendable {
    package let text: String
    package let expression: Expression<FormulaName>

    package init(_ text: String) throws(FormulaFlaw) {
        var parser = try FormulaParser(text)
        expression = try parser.formula()
        self.text = text
    }

    package var names: [FormulaName] { expression.names }

    func offset(of name: FormulaName) -> Int {
        let word = name.subject.description
        let tokens = (try? FormulaToken.tokens(text)) ?? []
        return tokens.first { $0.content == .name(word) }?.offset ?? 0
    }
}

package enum FormulaName: Hashable, Sendable {
    /// A row, a field, an option, or a name of the language.
    case value(Symbol)
    /// A number over all players: `total(points)`.
    case ofAll(Aggregate, Symbol)
    /// A number over the player's own rounds: `highest(round)`.
    ///
    /// In a running formula of the row itself, over the rounds up to this one.
    case ofRounds(OfRounds, Symbol)
    /// Whether a choice is this word: `suit = 'hearts'`.
    case word(Symbol, Symbol)

    package enum OfRounds: String, Hashable, Sendable, CaseIterable {
        case highest
        case lowest
        /// The most zeros in a row.
        case zeros
    }

    /// A function over the numbers of all players in a row.
    package enum Aggregate: String, Hashable, Sendable, CaseIterable {
        case total
        case others
        /// The sum of the player's team, or the player's own number without a team.
        case team
        case most
        case least
        /// The player's rank: 1 for the highest number, the better rank for tied players, 0 without
        /// an entry.
        case rank
        /// The number of players with the same number, the player included; 0 without an entry.
        case tied
        /// In a formula for each round, the number of players who have entered the round; else the
        /// number of the player's entries.
        case count
    }

    package var subject: Symbol {
        switch self {
        case .value(let subject), .ofAll(_, let subject), .word(let subject, _),
            .ofRounds(_, let subject):
            subject
        }
    }
}

package struct FormulaFlaw: Error, Hashable, Sendable {
    /// The byte offset of the error, from 0.
    package let offset: Int
    package let reason: String
}

/// A formula as a tree over whole numbers; yes is 1, no is 0, and every other number counts as yes.
///
/// Laws: every expression has a value or one fault, in time bounded by its size; nothing overflows,
/// because every step is clamped to what a cell can hold.
package indirect enum Expression<Name: Hashable & Sendable>: Hashable, Sendable {
    case number(Int64)
    case name(Name)
    case unary(FormulaOperator.Unary, Expression)
    case binary(FormulaOperator.Binary, Expression, Expression)
    /// `min` and `max` of all operands; `if` and `pick` choose one of them.
    case several(FormulaOperator.Variadic, [Expression])

    private var parts: [Expression] {
        switch self {
        case .number, .name: []
        case .unary(_, let operand): [operand]
        case .binary(_, let left, let right): [left, right]
        case .several(_, let operands): operands
        }
    }

    /// The names from left to right, with repetitions.
    package var names: [Name] {
        if case .name(let name) = self { [name] } else { parts.flatMap(\.names) }
    }

    /// The number of numbers, names and operators.
    package var size: Int { parts.reduce(1) { $0 + $1.size } }

    var dividesByZero: Bool {
        if case .binary(.over, _, let by) = self, by.isZero { return true }
        if case .binary(.rest, _, let by) = self, by.isZero { return true }
        return parts.contains(where: \.dividesByZero)
    }

    /// Whether any `min` or `max` has a single operand.
    var comparesOneAlone: Bool {
        if case .several(let which, let operands) = self, operands.count == 1,
            which == .least || which == .greatest
        {
            return true
        }
        return parts.contains(where: \.comparesOneAlone)
    }

    private var isZero: Bool { names.isEmpty && (try? value { _ in 0 }) == 0 }

    package func mapNames<Other>(_ transform: (Name) -> Expression<Other>) -> Expression<Other> {
        switch self {
        case .number(let number): .number(number)
        case .name(let name): transform(name)
        case .unary(let sign, let operand): .unary(sign, operand.mapNames(transform))
        case .binary(let sign, let left, let right):
            .binary(sign, left.mapNames(transform), right.mapNames(transform))
        case .several(let which, let operands):
            .several(which, operands.map { $0.mapNames(transform) })
        }
    }

    package func value(_ meaning: (Name) -> Int64) throws(FormulaFault) -> Int64 {
        switch self {
        case .number(let number): return number
        case .name(let name): return meaning(name)
        case .unary(let sign, let operand): return sign.applied(to: try operand.value(meaning))
        case .binary(let sign, let left, let right):
            let first = try left.value(meaning)
            if let decided = sign.decided(by: first) { return decided }
            return try sign.applied(to: first, try right.value(meaning))
        case .several(let which, let operands):
            guard var found = try operands.first?.value(meaning) else { return 0 }
            switch which {
            case .least:
                for other in operands.dropFirst() { found = min(found, try other.value(meaning)) }
            case .greatest:
                for other in operands.dropFirst() { found = max(found, try other.value(meaning)) }
            case .choice, .pick:
                let place = which == .choice ? (found != 0 ? 1 : 2) : found
                guard 1..<Int64(operands.count) ~= place else { throw .nothingToPick }
                found = try operands[Int(place)].value(meaning)
            }
            return found
        }
    }
}

package enum FormulaFault: Error, Hashable, Sendable {
    case divisionByZero
    /// `pick` has no operand with this number.
    case nothingToPick
}

package enum FormulaOperator {
    package enum Unary: Hashable, Sendable {
        case minus
        case not
        /// `abs`
        case magnitude

        func applied(to number: Int64) -> Int64 {
            switch self {
            case .minus: 0 - number
            case .not: number == 0 ? 1 : 0
            case .magnitude: Int64(clamping: number.magnitude)
            }
        }
    }

    /// The binary operators, the one with the lowest precedence first.
    package enum Binary: Hashable, Sendable, CaseIterable {
        case or
        case and
        case equal, unequal, less, lessOrEqual, greater, greaterOrEqual
        case plus, minus
        case times
        /// `/`, rounding down
        case over
        /// `mod(a, b)`, the remainder of a division that rounds down
        case rest

        /// Returns the result if the first operand alone decides it.
        func decided(by first: Int64) -> Int64? {
            switch self {
            case .or: first == 0 ? nil : 1
            case .and: first == 0 ? 0 : nil
            default: nil
            }
        }

        /// Returns the result, clamped to what a cell can hold.
        func applied(to left: Int64, _ right: Int64) throws(FormulaFault) -> Int64 {
            switch self {
            case .or: left != 0 || right != 0 ? 1 : 0
            case .and: left != 0 && right != 0 ? 1 : 0
            case .equal: left == right ? 1 : 0
            case .unequal: left != right ? 1 : 0
            case .less: left < right ? 1 : 0
            case .lessOrEqual: left <= right ? 1 : 0
            case .greater: left > right ? 1 : 0
            case .greaterOrEqual: left >= right ? 1 : 0
            case .plus: Bounds.cut(Int128(left) + Int128(right))
            case .minus: Bounds.cut(Int128(left) - Int128(right))
            case .times: Bounds.cut(Int128(left) * Int128(right))
            case .over: try Binary.divide(left, right).quotient
            case .rest: try Binary.divide(left, right).remainder
            }
        }

        /// Divides, rounding towards negative infinity.
        private static func divide(
            _ left: Int64,
            _ right: Int64
        ) throws(FormulaFault) -> (quotient: Int64, remainder: Int64) {
            guard right != 0 else { throw .divisionByZero }
            let (quotient, rest) = left.quotientAndRemainder(dividingBy: right)
            return rest != 0 && (rest < 0) != (right < 0)
                ? (quotient - 1, rest + right) : (quotient, rest)
        }
    }

    package enum Variadic: Hashable, Sendable {
        /// `min`
        case least
        /// `max`
        case greatest
        /// `if`: the second operand if the first is not 0, else the third
        case choice
        /// `pick`: one of the operands after the first, which gives its index from 1
        case pick
    }
}

extension Formula {
    /// The formula for people: `20 + 10 × tricks if bid = tricks, else −10`.
    package var words: String { expression.words }
}

extension Expression<FormulaName> {
    fileprivate var words: String {
        switch self {
        case .number(let number): "\(number)".replacingMinus
        case .name(let name): name.words
        case .unary(.minus, let operand): "−" + operand.inner(than: 8)
        case .unary(.not, .name(.word(let subject, let word))): "\(subject) is not \(word)"
        case .unary(.not, let operand): "not " + operand.inner(than: 3)
        case .unary(.magnitude, let operand): "|\(operand.words)|"
        case .binary(.rest, let left, let right):
            "what is left of \(left.inner(than: 7)) divided by \(right.inner(than: 7))"
        case .binary(.over, let left, let right):
            "\(left.inner(than: 6)) ÷ \(right.inner(than: 7)) rounded down"
        case .binary(let sign, let left, let right):
            "\(left.inner(than: sign.strength + (sign.isComparison ? 1 : 0))) \(sign.word) "
                + right.inner(than: sign.strength + 1)
        case .several(.least, let operands): "the least of " + list(operands[...])
        case .several(.greatest, let operands): "the greatest of " + list(operands[...])
        case .several(.choice, let operands):
            "\(operands[1].inner(than: 1)) if \(operands[0].inner(than: 1)), "
                + "else \(operands[2].words)"
        case .several(.pick, let operands):
            "number \(operands[0].inner(than: 9)) of " + list(operands.dropFirst())
        }
    }

    private func list(_ operands: ArraySlice<Self>) -> String {
        operands.map { $0.inner(than: 1) }.joined(separator: ", ")
    }

    /// Returns the text as an operand, in parentheses if its precedence is below `strength`.
    private func inner(than strength: Int) -> String {
        self.strength < strength ? "(\(words))" : words
    }

    /// The precedence, from 0.
    private var strength: Int {
        switch self {
        case .several: 0
        // Their text ends in words, such as “rounded down”, so that it needs parentheses in any
        // operator.
        case .binary(.rest, _, _), .binary(.over, _, _): 0
        case .binary(let sign, _, _): sign.strength
        case .name(.word), .unary(.not, .name(.word)): 4
        case .unary(.not, _): 3
        case .unary(.minus, _): 8
        case .unary(.magnitude, _), .number, .name: 9
        }
    }
}

extension FormulaOperator.Binary {
    fileprivate var isComparison: Bool { strength == 4 }

    fileprivate var strength: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: 4
        case .plus, .minus: 5
        case .times, .over: 6
        case .rest: 0
        }
    }

    fileprivate var word: String {
        switch self {
        case .or: "or"
        case .and: "and"
        case .equal: "="
        case .unequal: "≠"
        case .less: "<"
        case .lessOrEqual: "≤"
        case .greater: ">"
        case .greaterOrEqual: "≥"
        case .plus: "+"
        case .minus: "−"
        case .times: "×"
        case .over: "÷"
        case .rest: "mod"
        }
    }
}

extension FormulaName {
    /// The description in messages: `all players’ tricks together`.
    var words: String {
        switch self {
        case .value(let subject):
            switch subject.description {
            case "players": "the number of players"
            case "sides": "the number of sides"
            case "round": "the number of the round"
            case "since": "the player’s first round"
            case "entered": "what is entered"
            case "before": "what it was before"
            case let name: name
            }
        case .word(let subject, let word): "\(subject) is \(word)"
        case .ofRounds(.zeros, let row): "the most zeros of \(row) in succession"
        case .ofRounds(let function, let row): "the \(function.rawValue) \(row) of a round"
        case .ofAll(.total, let row): "all players’ \(row) together"
        case .ofAll(.others, let row): "the others’ \(row) together"
        case .ofAll(.team, let row): "the team’s \(row) together"
        case .ofAll(.most, let row): "the most \(row) of anybody"
        case .ofAll(.least, let row): "the least \(row) of anybody"
        case .ofAll(.rank, let row): "the place in \(row)"
        case .ofAll(.tied, let row): "how many share the place in \(row)"
        case .ofAll(.count, let row): "how often \(row) is entered"
        }
    }
}

extension String {
    fileprivate var replacingMinus: String { hasPrefix("-") ? "−" + dropFirst() : self }
}
