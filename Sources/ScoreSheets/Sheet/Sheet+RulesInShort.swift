import SessionCRDT

extension Sheet {
    /// Who wins, when it ends and what breaks ties, a sentence each; empty for coded games, whose
    /// help says it.
    package var rulesInShort: [String] {
        guard gameEngine == .rows else { return [] }
        return [winSentence, targetSentence, tieSentence].compactMap(\.self) + sentences(of: seats)
    }

    /// With which options more can play, where so many can.
    package func ways(toSeat count: Int) -> [String] {
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
        let hasRounds = ends == .round && rows.contains { $0.kind == .rounds }
        let when =
            (hasRounds ? "when a round is complete and" : "as soon as")
            + (counts == .up ? " somebody has" : " somebody is down to")
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
}
