package import SessionCRDT

/// The rules of matches between two sides, point by point: table tennis, tennis and others, each by
/// the options of its sheet.
///
/// A point is an entry in the row `point`, in the cell of its winner; its round is the number of
/// the point in the match. If both sides have a cell of the same point, the later entry counts.
/// Sources: see `SportMatch`.
package struct SportRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(SportOptions.row, .moves)] }
    package static var teamRules: [TeamRule] { [.none, .together] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package var outcomeName: String { "match" }
    package var historyLabel: String? { "Points" }
    package var acceptsMovesFromAnyone: Bool { true }

    package func maxPoints(in book: Book) -> Int? { SportOptions(sheet, book).most }

    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func game(ofScorers book: Book) -> any Game { SportGame(self, book) }

    var part: SportPartName {
        let word = sheet.option(Symbol(known: "unit"))?.kind.defaultValue.string
        return word.flatMap(SportPartName.init) ?? .game
    }
}

/// The options of a match: the points, games and parts that win it.
///
/// A match is the best of a number of parts, which people call games or sets. A part is won by
/// points, or, as in tennis, by games that are won by points.
package struct SportOptions: Hashable, Sendable {
    /// The kind of the last possible set, if sets have games.
    package enum Final: String, Hashable, Sendable, CaseIterable {
        case same
        case long
        /// A set without a tie-break.
        case advantage
        case short
    }

    /// The number of parts that the match is the best of.
    package var best = 1
    /// The points that win a part, or a game of a set.
    package var points = 11
    package var lead = 2
    /// The points that win with any lead; 0 for none.
    package var cap = 0
    /// The points that win the last possible part or its longer tie-break; 0 if the part is like
    /// the others.
    package var last = 0
    /// The games that win a set with a lead of two; 0 if a part has points only.
    package var games = 0
    /// The points that win a tie-break; 0 for no tie-break.
    package var tieBreak = 0
    package var final = Final.same
    /// The maximum points of one entry.
    package var most = 1
    /// The points that win a part once both sides are one short of the usual number; 0 for as many
    /// as usual.
    package var setTo = 0
    /// The side that sets the points of a part then, unless `setTo` says them.
    package var setBy = SportSetter.nobody
    /// The number of games of both sides at which the tie-break is played; 0 for `games`.
    package var tieBreakAt = 0
    /// The lead in points that wins a tie-break.
    package var tieBreakLead = 2
    package var scores = SportScorer.both
    /// The serving order, if only the server scores: then it decides points, too, and is recorded.
    package var serves = Serves()

    /// The parts of the serving order that decide who may score.
    package struct Serves: Hashable, Sendable {
        package var first = MatchSide.first
        package var opening = SportService.Opening.alternate
        /// The number of members of a side who serve in turn before the other side does.
        ///
        /// The side that opens a part has only one of them then.
        package var servers = 1

        package init() {}
    }

    /// The maximum of every number.
    static let limit = 999

    /// Creates the options of one game to 11.
    package init() {}

    package init(_ sheet: Sheet, _ book: Book) { self.init(Settings(sheet, book)) }

    package var partsToWin: Int { best / 2 + 1 }
    package var hasGames: Bool { games > 0 }
    /// Whether the receiver chooses the points of a part once both sides are one short.
    var isSetByReceiver: Bool { setBy == .receiver && setTo == 0 }
}

/// The sides that score by winning a rally.
package enum SportScorer: String, Hashable, Sendable, CaseIterable {
    case both
    /// Only the side that serves; the other side wins the serve.
    case server
}

/// The side that chooses to how many points a part is played once both sides are one short.
package enum SportSetter: String, Hashable, Sendable, CaseIterable {
    case nobody
    case receiver
}

/// The choice of the receiver once both sides of a part are one point short.
package enum SportSetting: String, Hashable, Sendable, CaseIterable {
    /// The usual number of points.
    case one = "set one"
    /// One point more.
    case two = "set two"

    /// Parses typed words: `set two`, `Set-Two`.
    init?(typed words: some Collection<String>) {
        let text = words.joined(separator: " ").lowercased()
        self.init(rawValue: String(text.map { $0 == "-" ? " " : $0 }))
    }
}

/// The entry of a turn: a rally that was won, or the receiver's choice.
package enum SportEntry: Hashable, Sendable {
    case points(Int)
    case setting(SportSetting)

    /// The stored form.
    var text: String {
        switch self {
        case .points(let count): "\(count)"
        case .setting(let setting): setting.rawValue
        }
    }
}

extension SportOptions: TurnOptions {
    static let row = Symbol(known: "point")
    static let words = TurnWords(game: "match", turn: "point", verb: "play", part: "match")

    private typealias Number = WritableKeyPath<SportOptions, Int> & Sendable

    /// The options that are numbers, each with its minimum.
    private static let numbers: [(name: StaticString, number: any Number, least: Int)] = [
        ("best", \.best, 1), ("points", \.points, 1), ("lead", \.lead, 1), ("cap", \.cap, 0),
        ("last", \.last, 0), ("games", \.games, 0), ("tie-break", \.tieBreak, 0),
        ("most", \.most, 1),
    ]

    /// The options that matches of earlier versions do not have, each with its default.
    private static let later: [(name: StaticString, number: any Number, least: Int, usual: Int)] = [
        ("set-to", \.setTo, 0, 0), ("tie-break-at", \.tieBreakAt, 0, 0),
        ("tie-break-lead", \.tieBreakLead, 1, 2), ("servers", \.serves.servers, 1, 1),
    ]

    private static let serving = ["server", "opens"]
    private static let laterWords = ["scores"] + serving + ["set-by"]
    static let names =
        numbers.dropLast().map(\.name.description) + ["final", "most"]
        + later.map(\.name.description) + laterWords
    static let unrecorded: [String: String] = {
        let usual = SportOptions()
        return Dictionary(
            uniqueKeysWithValues: later.map { ($0.name.description, "\($0.usual)") }
                + zip(laterWords, usual.laterValues)
        )
    }()

    /// The options that the first point fixes: who serves first only if it decides who scores.
    var fixed: [String] {
        scores == .server ? Self.names : Self.names.filter { !Self.serving.contains($0) }
    }

    private var laterValues: [String] {
        [scores.rawValue, serves.first.rawValue, serves.opening.rawValue, setBy.rawValue]
    }

    init(_ settings: Settings) {
        for (name, number, least) in SportOptions.numbers {
            let chosen = settings.number(name, within: least...SportOptions.limit)
            if let chosen { self[keyPath: number] = chosen }
        }
        for (name, number, least, _) in SportOptions.later {
            let chosen = settings.number(name, within: least...SportOptions.limit)
            if let chosen { self[keyPath: number] = chosen }
        }
        final = settings.choice("final") ?? .same
        scores = settings.choice("scores") ?? .both
        setBy = settings.choice("set-by") ?? .nobody
        guard scores == .server else {
            serves = Serves()
            return
        }
        serves.first = settings.choice("server") ?? .first
        serves.opening = settings.choice("opens") ?? .alternate
    }

    var values: [String] {
        let numbers = SportOptions.numbers.map { "\(self[keyPath: $0.number])" }
        return numbers.dropLast() + [final.rawValue, "\(most)"]
            + SportOptions.later.map { "\(self[keyPath: $0.number])" } + laterValues
    }

    /// Parses an entry: `1`, more points for an end with several boules, or `set two`.
    static func move(of value: Value) throws(RuleViolation) -> SportEntry {
        let text = value.string ?? ""
        if let setting = SportSetting(typed: [text]) {
            guard setting.rawValue == text else {
                throw words.misspelt(value, meant: setting.rawValue, examples: "")
            }
            return .setting(setting)
        }
        guard let count = Int(text), (1...limit).contains(count),
            text.utf8.elementsEqual("\(count)".utf8)
        else {
            throw RuleViolation(
                "\(value.words) is not a number of points; enter a whole number, such as 1"
            )
        }
        return .points(count)
    }
}

/// The options and the two sides of a match.
typealias SportSetup = SidedSetup<SportOptions>

extension SidedSetup<SportOptions> {
    var service: SportService { SportService(base.settings) }
    var part: SportPartName { base.settings.choice("unit") ?? .game }

    /// The reason why there is no choice now.
    var noChoice: RuleViolation {
        guard options.isSetByReceiver else {
            return RuleViolation("nobody chooses set one or set two in this match")
        }
        let level = options.points - 1
        return RuleViolation("set one or set two is chosen at \(level)–\(level), once in a game")
    }

    /// Returns the reason why only a side's choice can be entered now.
    func choiceDue(of side: MatchSide, _ match: SportMatch) -> RuleViolation {
        RuleViolation(
            match.choiceWords(name(of: side)),
            hint: SportSetting.allCases.map { "scorectl play \($0.rawValue)" }
                .joined(separator: ", or ")
        )
    }

    func checkCount(_ count: Int) throws(RuleViolation) {
        let most = options.most
        guard !(1...most).contains(count) else { return }
        throw RuleViolation(
            most == 1
                ? "a point counts 1, not \(count); enter one at a time"
                : "one end brings 1 to \(most) points, not \(count)"
        )
    }
}

package enum SportPartName: String, Hashable, Sendable, CaseIterable {
    /// A game, as in table tennis.
    case game
    case set

    var title: String { self == .game ? "Games" : "Sets" }
}

/// The serving order of a match, and when ends are changed.
///
/// Neither decides a point, unless only the server scores: then `SportOptions.Serves` counts.
package struct SportService: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// A number of serves each in turn, and one each once both sides are one point short of the
        /// target.
        case turns
        case rally
        /// A game each in turn; in a tie-break one serve, or `tieBreakServes`, then two each.
        case games
        /// No service; the winner of the last end throws the jack.
        case jack
        case none
    }

    /// The side that serves first in the next part of a match.
    package enum Opening: String, Hashable, Sendable, CaseIterable {
        /// The side that did not serve first in the previous part.
        case alternate
        /// The winner of the previous part.
        case winner
    }

    /// The moments at which the sides change ends.
    package enum Ends: String, Hashable, Sendable, CaseIterable {
        case never
        /// After each part, and once within the last possible one at `endsAt` points.
        case parts
        /// After each odd game of a set, and after every `tieBreakEnds` points of a tie-break.
        case games
    }

    package var order = Order.none
    /// The number of serves of each side in turn.
    package var serves = 2
    package var opening = Opening.alternate
    package var first = MatchSide.first
    /// The side that serves first in the last possible part; nil if the order decides.
    package var last: MatchSide?
    package var ends = Ends.never
    /// The points of a side at which ends are changed in the last possible part; 0 for none.
    package var endsAt = 0
    /// The number of serves with which a tie-break begins, 1 or 2, and of its points after which
    /// ends are changed; a longer tie-break has the usual 1 and 6.
    package var tieBreakServes = 1
    package var tieBreakEnds = SportService.usualTieBreakEnds

    static let usualTieBreakEnds = 6

    package init() {}

    init(_ settings: Settings) {
        order = settings.choice("service") ?? .none
        serves = settings.number("serves", within: 1...SportOptions.limit) ?? 2
        opening = settings.choice("opens") ?? .alternate
        first = settings.choice("server") ?? .first
        last = settings.choice("last-server")
        ends = settings.choice("ends") ?? .never
        endsAt = settings.number("ends-at", within: 0...SportOptions.limit) ?? 0
        tieBreakServes = settings.number("tie-break-serves", within: 1...2) ?? 1
        tieBreakEnds =
            settings.number("tie-break-ends", within: 1...SportOptions.limit)
            ?? SportService.usualTieBreakEnds
    }

    package init(_ sheet: Sheet, _ book: Book) { self.init(Settings(sheet, book)) }
}
