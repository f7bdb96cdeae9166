package import SessionCRDT

package struct Row: Hashable, Sendable {
    /// The name that players type: `birds`; without a dot, which separates the round.
    package let id: Symbol
    package let label: String
    /// Alternative names that players may type, in addition to beginnings of the id and the label.
    package let aliases: [Symbol]
    package internal(set) var content: RowContent
    /// The numbers that may be entered.
    package internal(set) var accepted: AcceptedNumbers
    /// Whether numbers may have a half, by the options; nil if they never may.
    package let halves: Setting<Bool>?
    /// The greatest number that may be entered, by the options; nil if it is always the same.
    let most: Setting<Int64>?
    /// The last round, by the options; nil if it is always the same, and in rows without rounds.
    package internal(set) var lastByOption: Setting<Int64>?
    /// The number of an empty cell once another entry of the player counts; nil for none.
    package internal(set) var empty: Int64?
    /// The choice that an empty field of a round stands for; nil for none.
    package let emptyWord: Symbol?
    /// Whether only one player can have a value in this row, such as a pawn that is passed on.
    ///
    /// All such rows that win at once count as one, because only one player can have won.
    package let isSole: Bool
    /// The effect on winning that has priority over the total; nil for none.
    package let wins: RowWins?
    /// Whether the row adds to the total; a row that does not can still break ties.
    package internal(set) var scores: Bool
    /// The option without which the row is off; nil for a row that is always on.
    package internal(set) var condition: Condition?
    /// The meaning of several entries where teams are one scorer.
    package let partners: PartnerRule
    /// The help text; may be empty.
    package let help: String
    /// The rounds that this row is a field of; nil for other rows.
    package internal(set) var group: Group?

    package struct Group: Hashable, Sendable {
        package let row: Symbol
        package internal(set) var last: UInt32
    }

    /// Whether what may be entered depends on options.
    var isByOption: Bool { halves != nil || most != nil || lastByOption != nil }

    package var kind: RowKind { content.kind }

    /// The range of the numbers that may be entered.
    package var range: Bounds { accepted.range }

    /// Whether it is computed from other rows, so that it cannot be entered.
    package var isComputed: Bool {
        switch content {
        case .computed: true
        case .rounds(_, let rounds): rounds.hasFields
        case .number, .tokens, .flag, .choice, .order, .text, .moves: false
        }
    }

    var canScore: Bool {
        switch content {
        case .number, .rounds, .tokens, .moves, .computed: true
        case .flag(let points): points != 0
        case .choice(let choices): choices.contains { $0.points != 0 }
        case .order, .text: false
        }
    }

    /// The words of a choice; nil for other rows.
    var choices: [Symbol]? {
        if case .choice(let choices) = content { choices.map(\.word) } else { nil }
    }

    package var sources: [Symbol] {
        switch content {
        case .computed(let derivation, _): derivation.sources
        case .number(let pointsRule), .rounds(let pointsRule, _):
            (pointsRule.formula?.names ?? []).map(\.subject)
        case .tokens, .flag, .choice, .order, .text, .moves: []
        }
    }

    package var isNumeric: Bool {
        switch content {
        case .number, .rounds, .tokens: true
        case .flag, .choice, .order, .text, .moves, .computed: false
        }
    }

    /// The rule for the points of its number; nil for rows without one.
    package var pointsRule: PointsRule? {
        switch content {
        case .number(let pointsRule), .rounds(let pointsRule, _), .computed(_, let pointsRule):
            pointsRule
        case .tokens, .flag, .choice, .order, .text, .moves: nil
        }
    }

    /// Whether every player must have a value in this row, so that an empty cell is reported.
    var isRequired: Bool {
        guard case .number = content else { return false }
        return scores && range.from > 0 && empty == nil && !isSole
    }

    /// The number of this field if it is empty in a round that has begun; nil if the field is
    /// required.
    package var emptyCount: Int64? { empty ?? (kind == .flag ? 0 : nil) }

    /// Whether a round is incomplete without this field.
    var isAwaited: Bool { group != nil && emptyCount == nil }

    var hasPointsFormula: Bool {
        switch content {
        case .number(let pointsRule): pointsRule.formula != nil
        case .rounds(let pointsRule, let rounds): pointsRule.formula != nil || rounds.running != nil
        case .tokens, .flag, .choice, .order, .text, .moves, .computed: false
        }
    }

    package var hasFormula: Bool { !formulas.isEmpty }

    /// Whether its numbers are compared with those of other players.
    var isRanked: Bool { pointsRule?.places.isEmpty == false }

    package var lastRound: UInt32? {
        if let group { return group.last }
        return switch content {
        case .rounds(_, let rounds): rounds.last
        case .moves: Cell.lastRound
        case .number, .tokens, .flag, .choice, .order, .text, .computed: nil
        }
    }
}

/// The effect of a row on winning, before totals are compared.
package enum RowWins: Hashable, Sendable {
    /// “Yes”, or any number other than 0, wins the game at once.
    case atOnce
    /// “Yes”, or any number other than 0, puts the player out: ranked behind all who are in, and
    /// without further entries. The last one in has won.
    case out
    /// The highest or lowest number is compared before the total.
    case ahead(WinRule)
}

package enum RowKind: String, Hashable, Sendable, CaseIterable {
    case number
    case rounds
    /// Tokens of a few values, such as `5+3+2x1-1`.
    case tokens
    case flag
    /// A choice among words, each with its points.
    case choice
    /// Words in an order, without points.
    case order
    /// A text, without points.
    case text
    case moves
    case sum
    case product
    /// The squares of the numbers in other rows, and points for each complete set.
    case sets
    case formula
    /// The value of other rows without the most frequent one.
    case drop

    package var repeats: Bool { self == .rounds || self == .moves }

    /// The fields that a row of this kind can have in JSON, in addition to those of every row.
    package var fields: [RowField] {
        switch self {
        case .number:
            [.range, .only, .halves, .empty, .sole, .partners, .formula] + RowField.pointsRule
        case .rounds:
            [.range, .only, .halves, .last, .partners, .formula, .running, .fields, .checks]
                + RowField.pointsRule
        case .tokens: [.range, .only, .tokens, .partners]
        case .flag: [.points, .wins, .sole]
        case .choice: [.choices]
        case .order: [.words, .presets]
        case .text, .moves: []
        case .sum, .product: [.of] + RowField.pointsRule
        case .sets: [.of, .wild, .set]
        case .drop: [.of, .order, .values, .override]
        case .formula: [.formula, .wins] + RowField.pointsRule
        }
    }
}

package enum RowContent: Hashable, Sendable {
    case number(PointsRule)
    case rounds(PointsRule, Rounds)
    /// Tokens of these values; the points are their sum.
    case tokens([Int64])
    case flag(points: Int64)
    case choice([RowChoice])
    case order(WordOrder)
    case text
    case moves
    case computed(Derivation, PointsRule)

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

package struct Rounds: Hashable, Sendable {
    package internal(set) var last: UInt32
    /// Whether each round has fields instead of one number; the fields are the rows before it.
    package let hasFields: Bool
    /// The value of the row after each round; nil if rounds are added.
    package let running: Formula?
    package let checks: [RoundCheck]
}

/// A condition for a round: for the whole table once all players have entered it, or for each
/// player.
package struct RoundCheck: Hashable, Sendable {
    package let formula: Formula
    /// Whether it applies to each player's round by itself.
    package let isOfEach: Bool
    /// The message if it fails; may be empty.
    package let help: String

    /// The help, or the formula if there is none.
    package var words: String {
        help.isEmpty ? formula.text : help.hasSuffix(".") ? String(help.dropLast()) : help
    }

    /// Whether it fails only if a player has both flags in one round.
    package func excludes(_ flag: Symbol, with other: Symbol) -> Bool {
        func holds(_ flags: Symbol...) -> Bool {
            let value = try? formula.expression.value { name in
                if case .value(let symbol) = name { flags.contains(symbol) ? 1 : 0 } else { 0 }
            }
            return value != 0
        }
        return isOfEach && holds(flag) && holds(other) && !holds(flag, other)
    }
}

package struct RowChoice: Hashable, Codable, Sendable {
    package let word: Symbol
    package let points: Int64

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case word, points
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(CodingKeys.self)
        word = try fields.symbol(.word)
        points = try fields.integer(.points) ?? 0
    }
}

package struct WordOrder: Hashable, Sendable {
    package let words: [Symbol]
    /// Common orders, which may be shortened to an unambiguous beginning.
    package let presets: [[Symbol]]

    /// Parses an order of all the words; nil for any other text.
    package func order(_ text: String) -> [Symbol]? {
        // Split by bytes, because finding the characters of a long text is slow.
        let found = text.utf8.split(separator: UInt8(ascii: " ")).map {
            Symbol(String(Substring($0)))
        }
        guard found.count == words.count, Set(found) == Set(words) else { return nil }
        return found.compactMap(\.self)
    }
}

/// The steps from a number to its points, in the order of the properties; without any step the
/// points are the number itself.
package struct PointsRule: Hashable, Sendable {
    /// The divisor, rounding down: 3 turns 8 coins into 2.
    package internal(set) var per: Int64 = 1
    /// The table to look up from 0 on; its last value repeats.
    package internal(set) var table: [Int64] = []
    /// The thresholds; the highest one reached gives the points, 0 below the first one.
    package internal(set) var steps: [PointsStep] = []
    /// The points of the places in a ranking of the players.
    package internal(set) var places: [Setting<Int64>] = []
    package internal(set) var ties = TieRule.share
    package internal(set) var factor: Int64 = 1
    package internal(set) var formula: Formula?

    package static let itself = PointsRule()

    /// Returns the number after the steps before the ranking: `per`, `table` and `steps`.
    func reduced(_ number: Int64) -> Int64 {
        // Rounds down also below zero, where `/` rounds up.
        var (result, rest) = number.quotientAndRemainder(dividingBy: per)
        if rest < 0 { result -= 1 }
        if let last = table.indices.last { result = table[Int(min(max(0, result), Int64(last)))] }
        guard !steps.isEmpty else { return result }
        return steps.last { $0.from <= result }?.points ?? 0
    }

    /// Returns the points after the step that follows the ranking, `factor`.
    func points(_ number: Int64) -> Int64 { Bounds.cut(Int128(number) * Int128(factor)) }

    /// Returns the points of a number that is not ranked.
    func points(of number: Int64) -> Int64 { points(reduced(number)) }
}

package struct PointsStep: Hashable, Codable, Sendable {
    package let from: Int64
    package let points: Int64

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case from, points
    }

    /// Decodes the thresholds of a row, which must increase.
    static func steps(_ fields: KeyedDecodingContainer<RowField>) throws -> [PointsStep] {
        let steps: [PointsStep] = try fields.list(.steps, 0...Sheet.Limits.table)
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

/// The points of players who share a place in a ranking.
package enum TieRule: String, Hashable, Sendable, CaseIterable {
    /// Tied players divide the points of all places that they cover, rounding down.
    case share
    /// Each tied player gets the points of the place, and the next player the points of the next
    /// place.
    case each
    /// Each tied player gets the points of the place; the other places that they cover are skipped.
    case skip
    /// Tied players divide the points of the place, rounding down; the other places that they cover
    /// are skipped.
    case split
}

/// The rule by which a row is computed from rows above it.
///
/// It reads the entries of other rows, not their points; only of derived rows it reads the points.
/// Rows refer only upwards, so that there are no cycles.
package enum Derivation: Hashable, Sendable {
    case sum([Symbol])
    case product([Symbol])
    case sets(SymbolSets)
    case drop(DropTheMost)
    case formula(Formula)

    /// The rows that it reads; for a formula possibly also options.
    package var sources: [Symbol] {
        switch self {
        case .sum(let rows), .product(let rows): rows
        case .sets(let rule): rule.rows + (rule.wild.map { [$0] } ?? [])
        case .drop(let rule): rule.rows + [rule.order] + (rule.override.map { [$0] } ?? [])
        case .formula(let formula): formula.names.map(\.subject)
        }
    }
}

/// The squares of the counts of symbols, and points for each complete set; a wild symbol counts
/// where it is worth most.
package struct SymbolSets: Hashable, Sendable {
    package let rows: [Symbol]
    package let wild: Symbol?
    package let set: Int64
}

/// The most frequent row is dropped; the values of the others depend on the player's order of the
/// rows.
package struct DropTheMost: Hashable, Sendable {
    package let rows: [Symbol]
    /// The row in which the player enters the order.
    package let order: Symbol
    /// The value of each position in the order.
    package let values: [DropValue]
    /// The row in which a player chooses which of equally frequent rows is dropped.
    package let override: Symbol?
}

extension Sheet {
    /// Whether players choose in this row which of equally frequent rows is dropped.
    func decidesDrop(_ row: Symbol) -> Bool {
        rows.contains { other in
            guard case .computed(.drop(let rule), _) = other.content else { return false }
            return rule.override == row
        }
    }
}

/// The value of one item, by its position in a player's order.
package enum DropValue: Hashable, Sendable {
    case one(Int64)
    /// Two values; the first one applies if the player has at least one of every row.
    case two(complete: Int64, else: Int64)
}

struct RowFormula {
    let formula: Formula
    let role: Role
    let path: [AnyField]

    /// The meaning of a formula's value.
    enum Role: Equatable {
        case whole
        /// The points of a number without rounds.
        case number
        /// The points of a round that is entered as one number.
        case round
        case fields
        /// The value of the row after each of its rounds.
        case running
        case check
        case eachCheck(hasFields: Bool)
    }
}

extension RowFormula.Role {
    /// The predefined names that a formula in this role can use.
    var names: [String] {
        switch self {
        case .whole: ["players", "sides", "since"]
        case .number: ["players", "sides", "entered"]
        case .round, .eachCheck(hasFields: false): ["players", "sides", "entered", "round"]
        case .fields, .check, .eachCheck(hasFields: true): ["players", "sides", "round"]
        case .running: ["players", "sides", "entered", "round", "before"]
        }
    }

    var isByRounds: Bool {
        switch self {
        case .whole, .number: false
        case .round, .fields, .running, .check, .eachCheck: true
        }
    }

    var isCheck: Bool {
        switch self {
        case .check, .eachCheck: true
        case .whole, .number, .round, .fields, .running: false
        }
    }
}

extension Row {
    var formulas: [RowFormula] {
        func formula(
            _ formula: Formula?,
            _ role: RowFormula.Role,
            _ path: AnyField...
        ) -> [RowFormula] {
            formula.map { [RowFormula(formula: $0, role: role, path: path)] } ?? []
        }
        switch content {
        case .computed(.formula(let whole), _): return formula(whole, .whole, "formula")
        case .number(let pointsRule): return formula(pointsRule.formula, .number, "formula")
        case .rounds(let pointsRule, let rounds):
            let hasFields = rounds.hasFields
            return formula(pointsRule.formula, hasFields ? .fields : .round, "formula")
                + formula(rounds.running, .running, "running")
                + rounds.checks.enumerated().flatMap { index, check in
                    let role: RowFormula.Role =
                        check.isOfEach ? .eachCheck(hasFields: hasFields) : .check
                    return formula(check.formula, role, "checks", AnyField(index), "formula")
                }
        case .tokens, .flag, .choice, .order, .text, .moves, .computed: return []
        }
    }
}
