import SessionCRDT

extension SportMode: TurnMode {
    static let row = Symbol(known: "point")

    static let words = TurnWords(game: "match", turn: "point", verb: "play", part: "match")

    static let options = [
        "best", "points", "lead", "cap", "last", "games", "tie-break", "final", "most",
    ]

    /// How many points the winner of a cell has won: `1`, or more of an end with several boules.
    static func move(of value: Value) throws(RuleViolation) -> Int {
        guard let text = value.string, let count = Int(text), (1...limit).contains(count),
            text.utf8.elementsEqual("\(count)".utf8)
        else { throw SportRule.misspelled(value.words).violation }
        return count
    }

    init?(values: [Substring]) {
        let numbers = values.enumerated().filter { $0.offset != SportMode.finalPlace }
            .compactMap { Int($0.element) }
        guard values.count == SportMode.options.count, numbers.count == values.count - 1,
            numbers.allSatisfy((0...SportMode.limit).contains),
            [numbers[0], numbers[1], numbers[2], numbers[7]].allSatisfy({ $0 > 0 }),
            let final = Final(rawValue: String(values[SportMode.finalPlace]))
        else { return nil }
        self.init()
        (best, points, lead, cap) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (last, games, tieBreak) = (numbers[4], numbers[5], numbers[6])
        self.final = final
        most = numbers[7]
    }

    /// Where the only option is that is no number.
    private static let finalPlace = 7

    var values: [String] {
        let numbers = [best, points, lead, cap, last, games, tieBreak].map { "\($0)" }
        return numbers + [final.rawValue, "\(most)"]
    }
}
