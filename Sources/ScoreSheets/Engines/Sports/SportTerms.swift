import SessionCRDT

/// What a match of two sides is played by, and who they are.
///
/// The first point records the sides and how the match is set. Whoever comes, leaves or changes
/// seats later, on a device that was apart perhaps, changes no point of the past.
struct SportTerms: TurnTerms {
    /// How the match is set, and who is seated.
    let match: MatchTerms<SportMode>
    /// Who serves, and when ends are changed.
    let service: SportService
    /// What a part of the match is called.
    let part: SportPartWord
    /// Whether a point recorded who plays.
    let isRecorded: Bool
    /// Who plays, by seat: two, or fewer where there are not so many.
    let sides: [Int]

    static var row: Symbol { SportMode.row }

    static var words: TurnWords { SportMode.words }

    static func move(of value: Value) throws(RuleViolation) -> Int {
        try SportMode.move(of: value)
    }

    init(_ sheet: Sheet, _ book: Book) {
        let terms = MatchTerms<SportMode>(sheet, book)
        match = terms
        service = SportService(terms.settings)
        part = SportPartWord(terms.settings)
        let count = SportSide.allCases.count
        func places(_ order: TurnOrder?) -> [Int]? {
            order?.stints.first?.players.compactMap { terms.seats[$0] }
        }
        let recorded = terms.isBlank ? nil : places(terms.recorded)
        isRecorded = recorded?.count == count
        // Points that came by `score` only recorded nobody: whoever has some may have left.
        let others = terms.recorded == nil ? places(terms.order) : nil
        sides = isRecorded ? recorded ?? [] : Array((others ?? terms.present).prefix(count))
    }

    var sheet: Sheet { match.sheet }
    var players: [Player] { match.players }
    var seats: [PlayerID: Int] { match.seats }
    var mode: SportMode { match.mode }

    /// The side of whoever sits there; nil of those who only watch.
    func side(of seat: Int) -> SportSide? {
        sides.firstIndex(of: seat).flatMap(SportSide.init)
    }

    /// What a side is called.
    func name(of side: SportSide) -> String {
        sides.indices.contains(side.rawValue) ? name(sides[side.rawValue]) : ""
    }

    /// Who plays: `Ann and Bob`.
    var whoPlays: String { sides.map(name).joined(separator: " and ") }

    /// Why there is no match; nil where there are two sides.
    var missing: RuleViolation? {
        let count = SportSide.allCases.count
        guard sides.count < count else { return nil }
        return .playerCount(
            match.present.count,
            allowed: Bounds(within: Int64(count)...Int64(count))
        )
    }

    func hold(in book: Book, after change: BookChange) -> Bool {
        match.hold(in: book, after: change)
    }

    func flags(of book: Book) -> [Flag] {
        let crowd = isRecorded ? nil : sheet.violation(ofCrowd: match.present.count, in: book)
        return match.flags(of: book) + (crowd.map { [Flag(.game, $0)] } ?? [])
    }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        SportRule.watches(player?.name ?? "nobody", players: whoPlays).violation
    }

    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        SportRule.laterEntry(turn, winner: seat.map(name)).violation
    }
}
