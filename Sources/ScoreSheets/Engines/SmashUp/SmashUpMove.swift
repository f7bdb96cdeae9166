import SessionCRDT

/// What somebody typed after `play`, read but not checked: names are still as they were typed.
enum SmashUpMove: Hashable {
    /// Two factions to everybody.
    case deal
    /// Show the deal.
    case reveal
    /// The turn is over.
    case end
    /// Another game with the same factions.
    case replay
    /// Sets and factions on and off.
    case choose(FactionSwitch, [String])
    /// What players hold at the end.
    case madness([NamedNumber])
    /// A base is scored.
    case base(printed: [Int64], powers: [NamedNumber])
    /// Points up and down; without a name those of whoever is to move.
    case points([NamedNumber])

    /// A number for a player.
    struct NamedNumber: Hashable {
        /// Whose, as it was typed; nil of nobody in particular.
        let name: String?
        /// The number.
        let number: Int64
    }

    /// How many places a base pays for.
    static let places = 3

    /// The move that words say.
    ///
    /// Points come first: they end in a signed number and nothing else does, so that even a player
    /// called End can score.
    init(_ words: [String]) throws(RuleViolation) {
        let rest = Array(words.dropFirst())
        let first = words.first?.lowercased() ?? ""
        let isPaid = ["base", "madness"].contains(first) && rest.contains { $0.contains("=") }
        if let last = words.last, SmashUpMove.signed(last) != nil, !isPaid {
            self = .points(try SmashUpMove.points(words))
            return
        }
        switch (first, rest.isEmpty) {
        case ("deal", true): self = .deal
        case ("reveal", true): self = .reveal
        case ("end", true): self = .end
        case ("replay", true): self = .replay
        case ("madness", false): self = .madness(try SmashUpMove.numbers(rest))
        case ("base", false):
            let printed = rest.prefix(SmashUpMove.places)
            guard rest.count > SmashUpMove.places, !printed.contains(where: { $0.contains("=") })
            else { throw SmashUpWording.notABase.violation }
            self = .base(
                printed: try printed.map { word throws(RuleViolation) in
                    try SmashUpMove.number(word)
                },
                powers: try SmashUpMove.numbers(Array(rest.dropFirst(printed.count)))
            )
        case (let word, _):
            if let change = FactionSwitch(rawValue: word) {
                self = .choose(change, rest)
            } else if let last = words.last, rest.count > 0, Sum(last) != nil {
                throw SmashUpWording.signMissing(last).violation
            } else {
                throw SmashUpWording.notAMove(words.joined(separator: " ")).violation
            }
        }
    }

    /// Reads `Ann +3 Bob -1`, `Ann=+3` and `+3`; a name may have spaces.
    private static func points(_ words: [String]) throws(RuleViolation) -> [NamedNumber] {
        var points: [NamedNumber] = []
        var name: [String] = []
        for word in words {
            guard let (own, number) = signed(word) else {
                name.append(word)
                continue
            }
            if let own { name.append(own) }
            let whole = name.isEmpty ? nil : name.joined(separator: " ")
            guard number != 0 else { throw SmashUpRule.noPoints.violation }
            points.append(NamedNumber(name: whole, number: number))
            name = []
        }
        return points
    }

    /// The name and the number of `Ann=+3` or `+3`; nil of a word without a signed number.
    private static func signed(_ word: String) -> (name: String?, number: Int64)? {
        let mark = word.lastIndex(of: "=")
        let text = mark.map { String(word[word.index(after: $0)...]) } ?? word
        guard let first = text.unicodeScalars.first, ["+", "-", "\u{2212}"].contains(first),
            let number = Sum(text)?.number
        else { return nil }
        return (mark.map { String(word[..<$0]) }, number)
    }

    /// Reads `Ann=10 Bob=8`.
    private static func numbers(_ words: [String]) throws(RuleViolation) -> [NamedNumber] {
        var numbers: [NamedNumber] = []
        for word in words {
            guard let mark = word.lastIndex(of: "="), mark > word.startIndex else {
                throw SmashUpWording.equalsMissing(word).violation
            }
            let number = try number(String(word[word.index(after: mark)...]))
            guard number >= 0 else { throw SmashUpWording.badNumber(word).violation }
            numbers.append(NamedNumber(name: String(word[..<mark]), number: number))
        }
        return numbers
    }

    private static func number(_ text: String) throws(RuleViolation) -> Int64 {
        guard let number = Sum(text)?.number, (-999...999).contains(number) else {
            throw SmashUpWording.badNumber(text).violation
        }
        return number
    }
}
