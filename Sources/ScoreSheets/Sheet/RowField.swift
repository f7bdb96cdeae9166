/// A field of a row in JSON.
package enum RowField: String, CodingKey, CaseIterable, Sendable {
    /// What players type.
    case id
    /// What tables show.
    case label
    /// Other names that players may type.
    case aliases
    /// The kind.
    case kind
    /// Whether it adds to the total.
    case scores
    /// What has to be set for the row to be there.
    case when
    /// What to enter, in a sentence.
    case help
    /// The numbers that may be entered.
    case range
    /// What an empty cell counts as.
    case empty
    /// Whether only one player has any of it.
    case sole
    /// The last round.
    case last
    /// What a number is divided by.
    case per
    /// What a number is looked up in.
    case table
    /// The thresholds, each with its points.
    case steps
    /// The points of the places in a ranking.
    case places
    /// What those get who share a place.
    case ties
    /// What a number is multiplied by.
    case factor
    /// What a row, a number or a round is worth.
    case formula
    /// What the row comes to after a round.
    case running
    /// What is entered in each round.
    case fields
    /// What has to hold of each round.
    case checks
    /// The values of tokens.
    case tokens
    /// The points of a yes.
    case points
    /// How it decides who wins.
    case wins
    /// The words to choose from.
    case choices
    /// The words to put in an order.
    case words
    /// The usual orders.
    case presets
    /// The rows that it is worked out from.
    case of
    /// The row of symbols that stand for any.
    case wild
    /// The points of a set.
    case set
    /// The row with a player's order.
    case order
    /// What each place of that order is worth.
    case values
    /// The row that settles which of equally many is dropped.
    case override

    /// The fields of every row.
    package static let common: [RowField] = [.id, .label, .aliases, .kind, .scores, .when, .help]

    /// The fields of what a number is worth.
    static let worth: [RowField] = [.per, .table, .steps, .places, .ties, .factor]

    /// The fields of a field of a round, by its kind.
    static func ofField(_ kind: RowKind) -> [RowField]? {
        let all: [RowField] = [.id, .label, .aliases, .kind, .help]
        return switch kind {
        case .number: all + [.range, .empty]
        case .flag: all
        case .choice: all + [.choices, .empty]
        default: nil
        }
    }

    /// What the formula of a round says where a field of it would have this one, as an example.
    func inFormula(of id: String) -> String? {
        switch self {
        case .per: "\(id) / 3"
        case .table: "pick(\(id) + 1, 0, 1, 3)"
        case .steps: "if(\(id) >= 5, 3, 0)"
        case .places, .ties: "if(rank(\(id)) = 1, 5, 0)"
        case .factor, .points: "\(id) * 3"
        default: nil
        }
    }
}
