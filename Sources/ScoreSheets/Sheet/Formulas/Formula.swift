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
