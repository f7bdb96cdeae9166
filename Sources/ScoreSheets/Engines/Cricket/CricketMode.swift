import SessionCRDT

/// Who gets the points of cricket.
enum CricketVariant: String {
    /// Whoever throws.
    case standard
    /// Everybody else who has the number open; the fewest win.
    case cutThroat = "cut-throat"
    /// Nobody: the first to close all wins.
    case noScore = "no-score"
}

/// How a game of cricket is set.
struct CricketMode: TurnMode {
    /// Who gets the points.
    let variant: CricketVariant

    static let row = Symbol(known: "visit")

    static let words = TurnWords(game: "game", turn: "visit", verb: "throw", part: "game")

    static let options = ["variant"]

    var values: [String] { [variant.rawValue] }

    static func move(of value: Value) throws(RuleViolation) -> CricketVisit {
        if let visit = value.string.flatMap(CricketVisit.init(spelling:)) { return visit }
        let typed = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? CricketVisit(typed: [typed])
        throw CricketRule.misspelled(value.words, canonical: meant?.description).violation
    }

    init(_ settings: Settings) {
        let chosen = settings.values[Symbol(known: "variant")]?.string
        variant = chosen.flatMap(CricketVariant.init) ?? .standard
    }

    init?(values: [Substring]) {
        guard let variant = CricketVariant(rawValue: String(values[0])) else { return nil }
        self.variant = variant
    }
}
