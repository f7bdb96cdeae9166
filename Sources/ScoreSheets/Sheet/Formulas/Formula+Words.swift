import SessionCRDT

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
