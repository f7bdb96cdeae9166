package import SessionCRDT

/// A formula as people know it from spreadsheets: `if(bid = tricks, 20 + 10 * tricks, 0)`.
package struct Formula: Hashable, Sendable {
    /// What was written.
    package let text: String
    /// What it says.
    package let expression: Expression<FormulaName>

    /// The formula that a text says, or why and where it says none.
    package init(_ text: String) throws(FormulaFlaw) {
        var parser = try FormulaParser(text)
        expression = try parser.formula()
        self.text = text
    }

    /// The rows, options and words that it names, from the left.
    package var names: [FormulaName] { expression.names }

    /// The byte at which a name stands first.
    func offset(of name: FormulaName) -> Int {
        let word = name.subject.description
        let tokens = (try? FormulaToken.tokens(text)) ?? []
        return tokens.first { $0.content == .name(word) }?.offset ?? 0
    }
}

/// What a formula names: something of the player, of all players, or what a choice says.
package enum FormulaName: Hashable, Sendable {
    /// A number: a row, a field, an option, or a name of the language.
    case value(Symbol)
    /// A number of all who play: `total(points)`.
    case ofAll(Aggregate, Symbol)
    /// The most or the least of the player's own rounds: `highest(round)`.
    case extreme(Extreme, Symbol)
    /// Whether a choice says this word: `suit = 'hearts'`.
    case word(Symbol, Symbol)

    /// Which of the rounds of a player counts.
    package enum Extreme: String, Hashable, Sendable, CaseIterable {
        /// That with the most.
        case highest
        /// That with the least.
        case lowest
    }

    /// What is worked out of the numbers that all players have in a row.
    package enum Aggregate: String, Hashable, Sendable, CaseIterable {
        /// Everybody's together.
        case total
        /// Everybody else's together.
        case others
        /// That of the player's team together, of a player without one the player's own.
        case team
        /// The most that anybody has.
        case most
        /// The least that anybody has.
        case least
        /// The place of the player, 1 for the most; equals share the better place, and without an
        /// entry it is 0.
        case rank
        /// How many have as much as the player, who is one of them; without an entry it is 0.
        case tied
        /// Round by round how many players have entered it, else how many entries of it the player
        /// has.
        case count
    }

    /// The row or option, whatever is asked of it.
    package var subject: Symbol {
        switch self {
        case .value(let subject), .ofAll(_, let subject), .word(let subject, _),
            .extreme(_, let subject):
            subject
        }
    }
}

/// Why a text is no formula, and where.
package struct FormulaFlaw: Error, Hashable, Sendable {
    /// The byte at which it ceases to be one, from 0.
    package let offset: Int
    /// What is wrong, in words.
    package let reason: String
}

/// What a formula says, as a tree of whole numbers; yes is 1, no is 0, and all but 0 counts as yes.
///
/// Laws: every expression has a value or one named fault, in time that its size bounds; nothing can
/// overflow, because every step is cut to what a cell can hold.
package indirect enum Expression<Name: Hashable & Sendable>: Hashable, Sendable {
    /// A number.
    case number(Int64)
    /// Whatever the name stands for.
    case name(Name)
    /// What one operand becomes.
    case unary(FormulaOperator.Unary, Expression)
    /// What two operands become.
    case binary(FormulaOperator.Binary, Expression, Expression)
    /// One of several operands, or one that the first of them chooses.
    case several(FormulaOperator.Several, [Expression])

    /// The operands of the operator that it is; none of a number or a name.
    private var parts: [Expression] {
        switch self {
        case .number, .name: []
        case .unary(_, let operand): [operand]
        case .binary(_, let left, let right): [left, right]
        case .several(_, let operands): operands
        }
    }

    /// The names in it, from the left, each as often as it is there.
    package var names: [Name] {
        if case .name(let name) = self { [name] } else { parts.flatMap(\.names) }
    }

    /// How many numbers, names and operators it has.
    package var size: Int { parts.reduce(1) { $0 + $1.size } }

    /// Whether anything in it is divided by zero, whatever the names stand for.
    var dividesByZero: Bool {
        if case .binary(.over, _, let by) = self, by.isZero { return true }
        if case .binary(.rest, _, let by) = self, by.isZero { return true }
        return parts.contains(where: \.dividesByZero)
    }

    /// Whether it asks for the least or the greatest of one part alone.
    var comparesOneAlone: Bool {
        if case .several(let which, let operands) = self, operands.count == 1,
            which == .least || which == .greatest
        {
            return true
        }
        return parts.contains(where: \.comparesOneAlone)
    }

    private var isZero: Bool { names.isEmpty && (try? value { _ in 0 }) == 0 }

    /// The same with other names.
    package func mapNames<Other>(
        _ transform: (Name) -> Expression<Other>
    ) -> Expression<Other> {
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

    /// The value where the names stand for these numbers.
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

/// Why a formula has no value.
package enum FormulaFault: Error, Hashable, Sendable {
    /// It divides by nothing.
    case divisionByZero
    /// It picks a value where there is none.
    case nothingToPick
}

/// What formulas calculate with.
package enum FormulaOperator {
    /// With one operand.
    package enum Unary: Hashable, Sendable {
        /// `-`
        case minus
        /// `not`
        case not
        /// `abs`
        case magnitude

        /// What becomes of a number.
        func applied(to number: Int64) -> Int64 {
            switch self {
            case .minus: 0 - number
            case .not: number == 0 ? 1 : 0
            case .magnitude: Int64(clamping: number.magnitude)
            }
        }
    }

    /// With two operands, from the one that binds least.
    package enum Binary: Hashable, Sendable, CaseIterable {
        /// `or`
        case or
        /// `and`
        case and
        /// `=`
        case equal
        /// `<>`
        case unequal
        /// `<`
        case less
        /// `<=`
        case lessOrEqual
        /// `>`
        case greater
        /// `>=`
        case greaterOrEqual
        /// `+`
        case plus
        /// `-`
        case minus
        /// `*`
        case times
        /// `/`, rounding down
        case over
        /// `mod(a, b)`, what is left of a division that rounds down
        case rest

        /// The result where the first operand decides alone.
        func decided(by first: Int64) -> Int64? {
            switch self {
            case .or: first == 0 ? nil : 1
            case .and: first == 0 ? 0 : nil
            default: nil
            }
        }

        /// What becomes of two numbers, cut to what a cell can hold.
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

        /// A division that rounds down, also below zero.
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

    /// With several operands.
    package enum Several: Hashable, Sendable {
        /// `min`
        case least
        /// `max`
        case greatest
        /// `if`: the second where the first says yes, else the third.
        case choice
        /// `pick`: as the first says, 1 for the second.
        case pick
    }
}

extension Formula {
    /// What it says, as people read it: `20 + 10 × tricks if bid = tricks, else −10`.
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

    /// What it says within an operation that binds so close.
    private func inner(than strength: Int) -> String {
        self.strength < strength ? "(\(words))" : words
    }

    /// How close it binds, from 0.
    private var strength: Int {
        switch self {
        case .several: 0
        // They end in words of their own.
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
    /// What it stands for, as people read it: `everybody’s tricks together`.
    var words: String {
        switch self {
        case .value(let subject):
            switch subject.description {
            case "players": "the number of players"
            case "round": "the number of the round"
            case "entered": "what is entered"
            case "before": "what it was before"
            case let name: name
            }
        case .word(let subject, let word): "\(subject) is \(word)"
        case .extreme(let extreme, let row): "the \(extreme.rawValue) \(row) of a round"
        case .ofAll(.total, let row): "everybody’s \(row) together"
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
    fileprivate var replacingMinus: String {
        hasPrefix("-") ? "−" + dropFirst() : self
    }
}
