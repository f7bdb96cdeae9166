package import SessionCRDT

/// The rules of matches between two sides, point by point: table tennis, tennis and others, each by
/// the options of its sheet.
///
/// A point is a fact in the row `point`, in the cell of whoever won it; its round is the number of
/// the point in the match. Where both sides have a cell of the same point, the later entry counts.
/// Sources: see `SportStand`.
package struct SportRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// A match.
    package var outcomeWord: String { "match" }

    /// The points: totals count games or sets.
    package var courseLabel: String? { "Points" }

    /// A point is of both sides: one has won it, and the other has not.
    package var isToldByEverybody: Bool { true }

    /// The sides, by the first point; the mode is recorded with them.
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        SportTally.statistics(of: outcomes, part: part)
    }

    package func start(_ book: Book) -> any GameState { SportGame(self, book) }

    /// What a part of the match is called where nobody chose.
    private var part: SportPartWord {
        let word = sheet.option(Symbol(known: "unit"))?.kind.defaultValue.string
        return word.flatMap(SportPartWord.init) ?? .game
    }
}

/// How the points of a match make games, sets and the end of it.
///
/// A match is the best of so many parts, which people call games or sets. A part is won by points,
/// or, as in tennis, by games that are won by points.
package struct SportMode: Hashable, Sendable {
    /// What the last possible set is, where sets have games.
    package enum Final: String, Hashable, Sendable, CaseIterable {
        /// A set as the others.
        case same
        /// A set with a longer tie-break.
        case long
        /// A set without a tie-break.
        case advantage
        /// The longer tie-break in place of a set.
        case short
    }

    /// The best of how many parts the match is.
    package var best = 1
    /// How many points win a part, or a game of a set.
    package var points = 11
    /// By how many points they win.
    package var lead = 2
    /// How many points win by whatever lead; 0 of none.
    package var cap = 0
    /// How many points win the last possible part, or its longer tie-break; 0 as in the others.
    package var last = 0
    /// How many games win a set, by two; 0 where a part has points only.
    package var games = 0
    /// How many points win the tie-break at so many games all, by two; 0 where there is none.
    package var tieBreak = 0
    /// What the last possible set is.
    package var final = Final.same
    /// How many points one entry can bring at most.
    package var most = 1

    /// More of anything is cut to this: a match of more would be of nobody.
    static let limit = 999

    /// One game to 11.
    package init() {}

    /// The mode of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings) {
        func number(_ name: StaticString, _ least: Int = 0) -> Int? {
            settings.number(name, within: least...SportMode.limit)
        }
        best = number("best", 1) ?? 1
        points = number("points", 1) ?? 11
        lead = number("lead", 1) ?? 2
        cap = number("cap") ?? 0
        last = number("last") ?? 0
        games = number("games") ?? 0
        tieBreak = number("tie-break") ?? 0
        final = settings.values[Symbol(known: "final")]?.string.flatMap(Final.init) ?? .same
        most = number("most", 1) ?? 1
    }

    /// The mode of a book, as its options hold.
    package init(_ sheet: Sheet, _ book: Book) { self.init(Settings(sheet, book)) }

    /// How many parts win the match: more than half.
    package var partsToWin: Int { best / 2 + 1 }

    /// Whether a part has games.
    package var hasGames: Bool { games > 0 }
}

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

/// Why a point cannot be entered or does not count, in words.
package enum SportRule: Error, Hashable, Sendable {
    /// Nobody was named who could have won it.
    case winnerMissing(players: [String])
    /// Nobody of the match is called so.
    case unknownWinner(String, players: [String])
    /// Both sides could be meant.
    case ambiguousWinner(String)
    /// Somebody who only watches.
    case watches(String, players: String)
    /// How many points it were is not said, where it can be several.
    case countMissing(String)
    /// More points than one entry can bring, or none.
    case tooMany(Int, most: Int)
    /// What is written is no number of points.
    case misspelled(String)
    /// A later entry says otherwise.
    case laterEntry(UInt32, winner: String?)

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.sport(self)) }
}

extension SportRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .winnerMissing(let players):
            "say who won the point: " + SportRule.plays(players)
        case .unknownWinner(let name, let players):
            "\(name.quoted) does not play this match; say who won: " + SportRule.plays(players)
        case .ambiguousWinner(let name): "\(name.quoted) could be either side"
        case .watches(let name, let players): "\(name) only watches: \(players) play"
        case .countMissing(let name): "say how many points \(name) won, as in play \(name) 3"
        case .tooMany(let count, most: 1): "a point counts 1, not \(count); enter one at a time"
        case .tooMany(let count, let most):
            "one end brings 1 to \(most) points, not \(count)"
        case .misspelled(let text): "\(text) is no number of points as it is written: 1"
        case .laterEntry(let turn, .some(let winner)):
            "a later entry says that point \(turn) was \(winner)'s"
        case .laterEntry(let turn, nil): "point \(turn) is nobody's"
        }
    }

    private static func plays(_ players: [String]) -> String {
        players.map { "play \($0)" }.joined(separator: ", or ")
    }
}

/// What a match of two sides tells.
package enum SportNote: Hashable, Sendable {
    /// The score of what is in progress: `Ann 30–15 Bob`.
    case score(Sides)
    /// Forty all, or more.
    case deuce
    /// Forty all where the next point decides.
    case decidingPoint
    /// One point ahead after deuce.
    case advantage(String)
    /// A game of a set was won, with the games of the set since.
    case game(String, Sides)
    /// A part was won: which one, by whom, and how, the winner's first.
    case part(String, number: Int, winner: String, score: String)
    /// The match was won, with the parts of the winner and of the other, and all of them.
    case match(winner: String, won: Int, lost: Int, scores: [String])
    /// The sides change ends.
    case ends
    /// The next point can win a part or the match: what, and for whom.
    case stake(String, String)
    /// Who serves next.
    case serve(String)
    /// Who throws the jack.
    case jack(String)

    /// A figure of each side.
    package struct Sides: Hashable, Sendable {
        /// The players, and what each has.
        package let first: String, firstHas: String, second: String, secondHas: String
    }
}

extension SportNote.Sides: CustomStringConvertible {
    package var description: String { "\(first) \(firstHas)–\(secondHas) \(second)" }
}

extension SportNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .score(let sides): sides.description
        case .deuce: "deuce"
        case .decidingPoint: "deuce, the next point decides"
        case .advantage(let player): "advantage \(player)"
        case .game(let player, let sides): "game \(player): \(sides)"
        case .part(let word, let number, let winner, let score):
            "\(winner) won \(word) \(number), \(score)"
        case .match(let winner, _, _, let scores) where scores.count == 1:
            "\(winner) won the match \(scores[0])"
        case .match(let winner, let won, let lost, let scores):
            "\(winner) won the match \(won)–\(lost): \(scores.joined(separator: ", "))"
        case .ends: "change ends"
        case .stake(let stake, let player): "\(stake) point \(player)"
        case .serve(let player): "\(player) to serve"
        case .jack(let player): "\(player) to throw the jack"
        }
    }
}

/// What a part of a match is called.
package enum SportPartWord: String, Hashable, Sendable, CaseIterable {
    /// As in table tennis.
    case game
    /// As in volleyball.
    case set

    /// The word of these settings; a sheet of somebody's own may lack it.
    init(_ settings: Settings) {
        let word = settings.values[Symbol(known: "unit")]?.string
        self = word.flatMap(SportPartWord.init) ?? .game
    }

    /// What a table shows above their number: `Games`.
    var title: String { self == .game ? "Games" : "Sets" }
}

/// A finished part of a match: a game, or a set.
package struct SportPart: Hashable, Sendable {
    /// Its points, or its games where it had some.
    package let score: SportCount
    /// The points of the tie-break that ended it, where games were counted.
    package let tieBreak: SportCount?
    /// Who won it.
    package let winner: SportSide

    /// A part that ended so.
    package init(_ score: SportCount, tieBreak: SportCount? = nil, winner: SportSide) {
        self.score = score
        self.tieBreak = tieBreak
        self.winner = winner
    }
}
