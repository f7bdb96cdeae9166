import SessionCRDT

extension Sheet {
    /// The rules for winning, the end of the game and ties, a sentence each; empty for coded games,
    /// whose help describes them.
    package var ruleSummary: [String] {
        guard !hasMoves else { return [] }
        return [winSentence, targetSentence, tieSentence].compactMap(\.self) + sentences(of: seats)
    }

    /// Returns the options with which a number of players can play, in sentences.
    package func seatingHints(for count: Int) -> [String] {
        sentences(of: seats.filter { $0.players.contains(Int64(count)) })
    }

    private func sentences(of seats: [SeatRule]) -> [String] {
        seats.map { "With \($0.condition) it is for \($0.players.playerCount)." }
    }

    private var winSentence: String {
        let ahead = rows.compactMap { row -> String? in
            guard case .ahead(let rule) = row.wins else { return nil }
            return words(for: TieBreaker(row: row.id, wins: rule)) + ", then "
        }
        let sentence = ahead.joined() + totalSentence
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }

    private var totalSentence: String {
        switch wins {
        case .always(let rule): "the \(rule.rawValue) total wins."
        case .option(let name):
            "the \(defaultText(of: name)) total wins, unless \(name) is set otherwise."
        case .when(let condition, let setting, let other):
            "the \(words(for: setting)) total wins with \(condition), else the "
                + "\(words(for: other ?? .always(.highest)))."
        }
    }

    private func words(for wins: Setting<WinRule>) -> String {
        switch wins {
        case .always(let rule): rule.rawValue
        case .option(let name): "\(defaultText(of: name)) (option \(name))"
        case .when(let condition, let setting, let other):
            "\(words(for: setting)) with \(condition), else the "
                + words(for: other ?? .always(.highest))
        }
    }

    private var targetSentence: String? {
        let hasRounds = rows.contains { $0.kind == .rounds }
        let has = counts == .up ? " a player has" : " a player is down to"
        let ends = ends.constants.first ?? .round
        let when =
            switch ends {
            case .round: (hasRounds ? "when a round is complete and" : "as soon as") + has
            case .once: "as soon as" + has
            case .oneMore: "after one more turn of all others when" + has
            }
        return switch target {
        case .none: nil
        case .always(let total): "The game ends \(when) \(total)."
        case .option(let name):
            option(name)?.kind.defaultValue.integer.map { total in
                "The game ends \(when) \(total), or what \(name) is set to."
            } ?? "With \(name) set, the game ends \(when) that total."
        case .when?: target.map { "The game ends \(when) \(words(for: $0))." }
        }
    }

    private var tieSentence: String {
        let steps = tieBreakers.map(words)
        guard !steps.isEmpty else { return "Equal totals share the place." }
        return "Of equal totals \(steps.joined(separator: ", then ")) decides; else they share "
            + "the place."
    }

    private func words(for tieBreaker: TieBreaker) -> String {
        let label = row(tieBreaker.row)?.label ?? tieBreaker.row.description
        return "\(tieBreaker.wins.superlative) in “\(label)”"
    }

    private func defaultText(of name: Symbol) -> String {
        option(name)?.kind.defaultValue.string ?? WinRule.highest.rawValue
    }

    /// Returns the words for a row and its help, in sentences.
    package func explanation(of row: Row) -> String {
        let words = words(for: row)
        let sentence = words.prefix(1).uppercased() + words.dropFirst() + "."
        guard !row.help.isEmpty else { return sentence }
        // Of a row with a formula, the plain help comes first.
        return row.hasFormula ? "\(row.help) \(sentence)" : "\(sentence) \(row.help)"
    }

    /// Returns the entries of a row or its computation, and its points, in a sentence without a
    /// full stop.
    package func words(for row: Row) -> String {
        var parts = [entered(in: row)] + steps(of: row) + formulas(of: row)
        switch row.wins {
        case .out:
            parts.append((row.kind == .flag ? "a yes" : "all but 0") + " puts the player out")
        case .atOnce: parts.append((row.kind == .flag ? "a yes" : "all but 0") + " wins at once")
        case .ahead(let rule): parts.append("who has \(rule.superlative) of it goes before others")
        case nil: break
        }
        if row.isSole { parts.append("for one player only") }
        if let empty = row.empty {
            let word = row.emptyWord?.description ?? "\(empty)"
            parts.append("left empty it counts as \(word)")
        }
        switch row.halves {
        case nil, .always: break
        case .option(let name): parts.append("halves too with \(name)=yes")
        case .when(let condition, _, _): parts.append("halves too, depending on \(condition)")
        }
        if let most = row.most { parts.append("at most \(words(for: most))") }
        if let group = row.group { parts.append("a field of \(group.row)") }
        if !row.scores, row.group == nil { parts.append("adds nothing to the total") }
        if !row.aliases.isEmpty { parts.append("also typed as \(row.aliases.list)") }
        if let condition = row.condition { parts.append("only with \(condition)") }
        return parts.joined(separator: "; ")
    }

    // MARK: Entries

    private func entered(in row: Row) -> String {
        switch row.content {
        case .number, .tokens, .text: row.acceptedValues
        case .rounds(_, let rounds):
            (rounds.hasFields ? fields(of: row).map(\.id).list : row.acceptedValues)
                + " for each round"
                + (rounds.last < Cell.lastRound ? ", at most \(rounds.last) rounds" : "")
                + (row.lastByOption.map { ", the last round: \(words(for: $0))" } ?? "")
        case .flag(let points):
            row.acceptedValues + (points == 0 ? "" : "; a yes is worth \(points)")
        case .choice(let choices):
            "one of "
                + choices.map { $0.points == 0 ? "\($0.word)" : "\($0.word) (\($0.points))" }
                .joined(separator: ", ")
        case .order(let order):
            row.acceptedValues
                + (order.presets.isEmpty ? "" : "; the beginning of a usual one is enough")
        case .moves: "a move for each turn"
        case .computed(let derivation, _): words(for: derivation)
        }
    }

    private func words(for derivation: Derivation) -> String {
        switch derivation {
        case .formula(let formula): "worked out: \(formula.words)"
        case .sum(let rows): "worked out: the sum of \(rows.list)"
        case .product(let rows): "worked out: the product of \(rows.list)"
        case .sets(let rule):
            "worked out: the squares of \(rule.rows.list), and \(rule.set) for each set of all"
                + (rule.wild.map { "; each of \($0) counts where it helps most" } ?? "")
        case .drop(let rule):
            "worked out: \(rule.rows.list) without the one that there is most of, each worth "
                + rule.values.map(words).joined(separator: ", ")
                + " by its place in \(rule.order)"
        }
    }

    private func words(for value: DropValue) -> String {
        switch value {
        case .one(let points): "\(points)"
        case .two(let complete, let other): "\(complete) (\(other) unless there is one of each)"
        }
    }

    // MARK: Points

    private func formulas(of row: Row) -> [String] {
        row.formulas.compactMap { formula in
            let words = formula.formula.words
            return switch formula.role {
            case .whole, .check, .eachCheck: nil
            case .number: "worth \(words)"
            case .round, .fields: "a round is worth \(words)"
            case .running: "after each round it comes to \(words)"
            }
        } + checks(of: row)
    }

    private func checks(of row: Row) -> [String] {
        guard case .rounds(_, let rounds) = row.content, !rounds.checks.isEmpty else { return [] }
        return ["of each round: " + rounds.checks.map { "“\($0.words)”" }.joined(separator: ", ")]
    }

    private func steps(of row: Row) -> [String] {
        guard let rule = row.pointsRule else { return [] }
        var steps: [String] = []
        if rule.per > 1 { steps.append("1 for each \(rule.per), rounded down") }
        if !rule.table.isEmpty {
            steps.append("0, 1, 2… count as " + rule.table.map(String.init).joined(separator: " "))
        }
        if !rule.steps.isEmpty {
            let points = rule.steps.map { "\($0.points) from \($0.from)" }
            steps.append("it is worth " + points.joined(separator: ", "))
        }
        if !rule.places.isEmpty {
            let points = rule.places.map(words).joined(separator: ", ")
            steps.append("the players are ranked by it and get \(points)" + words(for: rule.ties))
        }
        if rule.factor != 1 { steps.append("times \(rule.factor)") }
        return steps
    }

    private func words(for ties: TieRule) -> String {
        switch ties {
        case .share: ", who share a place share the points"
        case .each: ", who share a place get all of it each"
        case .skip: ", who share a place get all of it each, and the next ones are skipped"
        case .split: ", who share a place divide its points, and the next ones are skipped"
        }
    }

    func words(for place: Setting<Int64>) -> String {
        switch place {
        case .always(let points): "\(points)"
        case .option(let name):
            (option(name)?.kind.defaultValue.integer).map { "\($0) (option \(name))" }
                ?? "what \(name) says"
        case .when(let condition, .option(let name), let other?)
        where condition == Condition(option: name, words: []):
            "\(words(for: other)), or what \(name) is set to"
        case .when(let condition, let setting, let other):
            "\(words(for: setting)) with \(condition)"
                + (other.map { ", else \(words(for: $0))" } ?? "")
        }
    }
}
