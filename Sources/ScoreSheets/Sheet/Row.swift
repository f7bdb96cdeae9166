package import SessionCRDT

/// One row of a sheet.
package struct Row: Hashable, Sendable {
    /// What players type: `birds`; without a dot, which separates the round.
    package let id: Symbol
    /// What tables show.
    package let label: String
    /// Other names that players may type, beside beginnings of the id and the label.
    package let aliases: [Symbol]
    /// What is entered, or what it is worked out from, and what that is worth.
    package let content: RowContent
    /// The numbers that may be entered.
    package let range: Bounds
    /// What an empty cell counts as once anything else of the player's counts; nil of nothing.
    package let empty: Int64?
    /// The word that an empty field of a round says; nil of none.
    package let emptyWord: Symbol?
    /// Whether only one player can have any of it, as a pawn that favours one of two.
    ///
    /// Sole rows that win are one in this, because only one player can have won.
    package let isSole: Bool
    /// How it decides who wins, before all totals; nil where it does not.
    package let wins: RowWins?
    /// Whether it adds to the total; a row that does not can still break ties.
    package let scores: Bool
    /// The option that the row needs; nil where it is always there.
    package let condition: Condition?
    /// What to enter, in a sentence; may be empty.
    package let help: String
    /// The rounds of which it is a field; nil of a row of its own.
    package let group: Group?

    /// The rounds that a field belongs to.
    package struct Group: Hashable, Sendable {
        /// The row of the rounds.
        package let row: Symbol
        /// The last round.
        package let last: UInt32
    }

    /// What kind of row it is.
    package var kind: RowKind { content.kind }

    /// Whether it is worked out from other rows, so that nobody can enter it.
    package var isComputed: Bool {
        switch content {
        case .computed: true
        case .rounds(_, let rounds): rounds.hasFields
        case .number, .tokens, .flag, .choice, .order, .text, .moves: false
        }
    }

    /// Whether anything that can be entered or worked out may be worth points.
    var canScore: Bool {
        switch content {
        case .number, .rounds, .tokens, .moves, .computed: true
        case .flag(let points): points != 0
        case .choice(let choices): choices.contains { $0.points != 0 }
        case .order, .text: false
        }
    }

    /// The rows that it is worked out from.
    package var sources: [Symbol] {
        switch content {
        case .computed(let derivation, _): derivation.sources
        case .number(let worth), .rounds(let worth, _):
            (worth.formula?.names ?? []).map(\.subject)
        case .tokens, .flag, .choice, .order, .text, .moves: []
        }
    }

    /// Whether numbers are entered, or sums of them, as against words and yes or no.
    package var isNumeric: Bool {
        switch content {
        case .number, .rounds, .tokens: true
        case .flag, .choice, .order, .text, .moves, .computed: false
        }
    }

    /// What the number of the row is turned into; nil for rows without such a rule.
    package var worth: Worth? {
        switch content {
        case .number(let worth), .rounds(let worth, _), .computed(_, let worth): worth
        case .tokens, .flag, .choice, .order, .text, .moves: nil
        }
    }

    /// Whether everybody has some of it, so that an empty cell was forgotten.
    var isRequired: Bool {
        guard case .number = content else { return false }
        return scores && range.from > 0 && empty == nil && !isSole
    }

    /// Whether a round counts without it, where it is a field of one.
    package var mayStayEmpty: Bool { emptyCount != nil }

    /// What it counts as in a round that is begun without it, where it is a field of one; nil where
    /// the round waits for it.
    var emptyCount: Int64? { empty ?? (kind == .flag ? 0 : nil) }

    /// Whether a round that it is a field of waits for it.
    var isAwaited: Bool { group != nil && !mayStayEmpty }

    /// Whether a formula says what its entries are worth.
    var isWorkedOut: Bool {
        switch content {
        case .number(let worth): worth.formula != nil
        case .rounds(let worth, let rounds): worth.formula != nil || rounds.running != nil
        case .tokens, .flag, .choice, .order, .text, .moves, .computed: false
        }
    }

    /// Whether any formula says what it is worth.
    package var hasFormula: Bool { !formulas.isEmpty }

    /// Whether what is entered or worked out is compared with that of others.
    var isRanked: Bool { worth?.places.isEmpty == false }

    /// The last round that can be entered; nil for rows without rounds.
    package var lastRound: UInt32? {
        if let group { return group.last }
        return switch content {
        case .rounds(_, let rounds): rounds.last
        case .moves: Cell.lastRound
        case .number, .tokens, .flag, .choice, .order, .text, .computed: nil
        }
    }
}

/// How a row decides who wins, whatever the totals.
package enum RowWins: Hashable, Sendable {
    /// Who has a yes in it, or any number but 0, has won the game at once.
    case atOnce
    /// Who has the most or the least in it goes before the others.
    case ahead(WinRule)
}

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

/// What a row holds, by its kind.
package enum RowContent: Hashable, Sendable {
    /// One number, and what it is worth.
    case number(Worth)
    /// A number or some fields for each round, and what each is worth.
    case rounds(Worth, Rounds)
    /// Tokens of these values, worth their sum.
    case tokens([Int64])
    /// Yes or no: the points of a yes.
    case flag(points: Int64)
    /// One of these words.
    case choice([RowChoice])
    /// All of some words in an order.
    case order(WordOrder)
    /// A text.
    case text
    /// Moves of a coded game.
    case moves
    /// What a formula makes of other rows, and what that is worth.
    case computed(Derivation, Worth)

    /// The kind.
    package var kind: RowKind {
        switch self {
        case .number: .number
        case .rounds: .rounds
        case .tokens: .tokens
        case .flag: .flag
        case .choice: .choice
        case .order: .order
        case .text: .text
        case .moves: .moves
        case .computed(.sum, _): .sum
        case .computed(.product, _): .product
        case .computed(.sets, _): .sets
        case .computed(.drop, _): .drop
        case .computed(.formula, _): .formula
        }
    }
}

/// How the rounds of a row are entered and add up.
package struct Rounds: Hashable, Sendable {
    /// The last round.
    package let last: UInt32
    /// Whether each round has fields in the place of one number; they are the rows before it.
    package let hasFields: Bool
    /// What the row comes to after each round; nil where the rounds are added.
    package let running: Formula?
    /// What has to hold of every round.
    package let checks: [RoundCheck]

    /// The rounds of a row.
    package init(
        last: UInt32 = Cell.lastRound,
        hasFields: Bool = false,
        running: Formula? = nil,
        checks: [RoundCheck] = []
    ) {
        self.last = last
        self.hasFields = hasFields
        self.running = running
        self.checks = checks
    }
}

/// What has to hold of a round: of the whole table once everybody has entered it, or of what each
/// player has entered.
package struct RoundCheck: Hashable, Sendable {
    /// What has to be true.
    package let formula: Formula
    /// Whether it is about each player's round by itself.
    package let isOfEach: Bool
    /// What is told where it is not; may be empty.
    package let help: String

    /// What is told of it: its help, or the formula where there is none.
    package var words: String {
        help.isEmpty ? formula.text : help.hasSuffix(".") ? String(help.dropLast()) : help
    }
}

/// A word that can be chosen, and what it is worth.
package struct RowChoice: Hashable, Sendable {
    /// The word.
    package let word: Symbol
    /// What it is worth.
    package let points: Int64
}

extension RowChoice: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case word, points
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(CodingKeys.self)
        word = try fields.symbol(.word)
        points = try fields.integer(.points) ?? 0
    }
}

/// Words that are put in an order.
package struct WordOrder: Hashable, Sendable {
    /// The words.
    package let words: [Symbol]
    /// Usual orders, of which the beginning is enough where it is the beginning of only one.
    package let presets: [[Symbol]]

    /// The order that a text says: all the words, each once; nil of anything else.
    package func order(_ text: String) -> [Symbol]? {
        // By bytes: the words are symbols, and a long text has many characters to tell apart.
        let found = text.utf8.split(separator: UInt8(ascii: " ")).map {
            Symbol(String(Substring($0)))
        }
        guard found.count == words.count, Set(found) == Set(words) else { return nil }
        return found.compactMap(\.self)
    }
}

/// What a number is turned into, step by step; without any step it is worth itself.
///
/// The steps are taken in the order of the fields below.
package struct Worth: Hashable, Sendable {
    /// Divides, rounding down: 3 turns 8 coins into 2.
    package let per: Int64
    /// Looks up, from 0 on, the last value repeating; empty for no lookup.
    package let table: [Int64]
    /// Gives the points of the last threshold that is reached, and below the first one nothing;
    /// empty for no thresholds.
    package let steps: [WorthStep]
    /// Ranks the players and gives the points of the places from the first; empty for no ranking.
    package let places: [Setting<Int64>]
    /// What those get who share a place.
    package let ties: TieRule
    /// Multiplies.
    package let factor: Int64
    /// What an entered number is worth in the place of all steps; nil without a formula.
    package let formula: Formula?

    /// A number that is worth itself.
    package static let itself = Worth()

    /// The steps of a rule; `per` is at least 1.
    package init(
        per: Int64 = 1,
        table: [Int64] = [],
        steps: [WorthStep] = [],
        places: [Setting<Int64>] = [],
        ties: TieRule = .share,
        factor: Int64 = 1,
        formula: Formula? = nil
    ) {
        self.per = max(1, per)
        self.table = table
        self.steps = steps
        self.places = places
        self.ties = ties
        self.factor = factor
        self.formula = formula
    }

    /// The number after the steps that need no other players.
    func reduced(_ number: Int64) -> Int64 {
        // Down also below zero, where `/` rounds up.
        var (result, rest) = number.quotientAndRemainder(dividingBy: per)
        if rest < 0 { result -= 1 }
        if let last = table.indices.last { result = table[Int(min(max(0, result), Int64(last)))] }
        guard !steps.isEmpty else { return result }
        return steps.last { $0.from <= result }?.points ?? 0
    }

    /// The points of what the other steps made of the number.
    func points(_ number: Int64) -> Int64 { Bounds.cut(Int128(number) * Int128(factor)) }

    /// The points of a number that is not ranked.
    func points(of number: Int64) -> Int64 { points(reduced(number)) }
}

/// A threshold, and what a number is worth that has reached it.
package struct WorthStep: Hashable, Sendable {
    /// The threshold.
    package let from: Int64
    /// What it is worth.
    package let points: Int64
}

extension WorthStep: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case from, points
    }

    /// Decodes the thresholds of a row, which rise.
    static func steps(
        _ fields: KeyedDecodingContainer<RowField>
    ) throws -> [WorthStep] {
        let steps: [WorthStep] = try fields.list(.steps, 0...Sheet.Limits.table)
        for (index, pair) in zip(steps, steps.dropFirst()).enumerated()
        where pair.0.from >= pair.1.from {
            let reason = "\(pair.1.from) is not above \(pair.0.from)"
            throw fields.refusal([RowField.steps, AnyField(index + 1), CodingKeys.from], reason)
        }
        return steps
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(CodingKeys.self)
        guard let from = try fields.integer(.from) else { throw fields.refusal(.from, "missing") }
        self.from = from
        points = try fields.integer(.points) ?? 0
    }
}

/// What players get who share a place in a ranking.
package enum TieRule: String, Hashable, Sendable, CaseIterable {
    /// They add the points of the places that they cover, divide, and round down.
    case share
    /// Everybody gets the points of the place, and the next player those of the next place.
    case each
    /// Everybody gets the points of the place, and the others that they cover go to nobody.
    case skip
    /// They divide the points of the place, rounding down, and the others that they cover go to
    /// nobody.
    case split
}

/// How a row is worked out from rows above it.
///
/// It reads what was entered there and not what that is worth; of a row that is itself worked out
/// it reads the points. Rows refer only upwards, so nothing can refer to itself.
package enum Derivation: Hashable, Sendable {
    /// Adds them.
    case sum([Symbol])
    /// Multiplies them.
    case product([Symbol])
    /// Squares and sets.
    case sets(SymbolSets)
    /// Drops the most.
    case drop(DropTheMost)
    /// Whatever a formula says.
    case formula(Formula)

    /// The rows that it reads; a formula may name options, too.
    package var sources: [Symbol] {
        switch self {
        case .sum(let rows), .product(let rows): rows
        case .sets(let rule): rule.rows + (rule.wild.map { [$0] } ?? [])
        case .drop(let rule): rule.rows + [rule.order] + (rule.override.map { [$0] } ?? [])
        case .formula(let formula): formula.names.map(\.subject)
        }
    }
}

/// The rule of squares and sets: the square of each symbol's count, and points for each set of one
/// of each; a wild symbol stands for whichever helps most.
package struct SymbolSets: Hashable, Sendable {
    /// The rows of the symbols.
    package let rows: [Symbol]
    /// The row of wild symbols.
    package let wild: Symbol?
    /// The points of a set.
    package let set: Int64
}

/// The rule of dropping the most: everything of the row that there is most of is dropped, the rest
/// is worth what the player's order of the rows says.
package struct DropTheMost: Hashable, Sendable {
    /// The rows that are counted.
    package let rows: [Symbol]
    /// The row with the player's order of those rows.
    package let order: Symbol
    /// What each place of the order is worth.
    package let values: [DropValue]
    /// The row in which a player says which of equally many is dropped.
    package let override: Symbol?
}

extension Sheet {
    /// Whether players say in this row which of equally many is dropped.
    package func decidesDrop(_ row: Symbol) -> Bool {
        rows.contains { other in
            guard case .computed(.drop(let rule), _) = other.content else { return false }
            return rule.override == row
        }
    }
}

/// What one of something is worth, by its place in a player's order.
package enum DropValue: Hashable, Sendable {
    /// Always this.
    case one(Int64)
    /// This with at least one of everything, else that.
    case two(complete: Int64, else: Int64)
}
