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
