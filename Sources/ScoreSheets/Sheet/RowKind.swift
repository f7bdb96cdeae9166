/// What is entered in a row, or how it is worked out from other rows: the word of the JSON.
package enum RowKind: String, Hashable, Sendable, CaseIterable {
    /// One number.
    case number
    /// Any number of rounds with a number each.
    case rounds
    /// Some tokens of a few values, as in `5+3+2x1-1`.
    case tokens
    /// Yes or no.
    case flag
    /// One of some words, each with its points.
    case choice
    /// Some words in an order, worth nothing by itself.
    case order
    /// A text, worth nothing.
    case text
    /// A text for each turn of a coded game, whose rules say what it means.
    case moves
    /// The sum of other rows.
    case sum
    /// The product of other rows.
    case product
    /// The squares of other rows, and more for each set of one of each.
    case sets
    /// What a formula makes of other rows.
    case formula
    /// What is left of other rows, each with its value, without the one that there is most of.
    case drop

    /// Whether it is entered round by round.
    package var repeats: Bool {
        switch self {
        case .rounds, .moves: true
        case .number, .tokens, .flag, .choice, .order, .text, .sum, .product, .sets, .drop,
            .formula:
            false
        }
    }

    /// The fields that a row of this kind can have in JSON, beside those of every row.
    package var fields: [RowField] {
        switch self {
        case .number: [.range, .empty, .sole, .formula] + RowField.worth
        case .rounds: [.range, .last, .formula, .running, .fields, .checks] + RowField.worth
        case .tokens: [.range, .tokens]
        case .flag: [.points, .wins, .sole]
        case .choice: [.choices]
        case .order: [.words, .presets]
        case .text, .moves: []
        case .sum, .product: [.of] + RowField.worth
        case .sets: [.of, .wild, .set]
        case .drop: [.of, .order, .values, .override]
        case .formula: [.formula, .wins] + RowField.worth
        }
    }
}
