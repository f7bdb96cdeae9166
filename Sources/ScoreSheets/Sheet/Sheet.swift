package import SessionCRDT

/// A game as data: its rows, its options and who wins.
///
/// A game of rows is fully described by its sheet, so a new game needs no code. Unknown fields of
/// the JSON are rejected: if one device ignored a field, two devices could have different winners.
package struct Sheet: Hashable, Sendable {
    /// The key of the game: `points`.
    package let id: Symbol
    package let name: String
    /// The edition of the sheet, from 1.
    package let version: Int64
    /// The game in one line.
    package let summary: String
    package internal(set) var group: GameGroup?
    /// The number of the game at BoardGameGeek, by which other programs know it; nil for none.
    package internal(set) var bggID: Int64?
    /// A few sentences on how to enter scores; may be empty.
    package let help: String
    /// The commands of the terminal that do that, with what they mean; may be empty.
    package internal(set) var commands: String
    package let players: Bounds
    /// The number of players with certain options; the first rule that applies is used.
    package let seats: [SeatRule]
    package let gameEngine: GameEngine
    /// The rows in the order of the paper sheet; at least one.
    package let rows: [Row]
    package let options: [SheetOption]
    package let wins: Setting<WinRule>
    package let tieBreakers: [TieBreaker]
    /// The total that ends the game; nil for none.
    package let target: Setting<Int64>?
    package let ends: Setting<TargetEnd>
    /// The effect of a first place that several share at the target.
    package let tie: TargetTie
    package let counts: Direction
    /// The meaning of teams.
    package let teams: TeamRule
    /// The checks of every column, or of the whole table.
    package let checks: [RoundCheck]
    /// The sets of factions to deal from; empty for games without factions.
    package let sets: [FactionSet]

    /// The sheet as sessions carry it, without fields that play does not use, because programs that do
    /// not know a field reject the sheet.
    package var forSessions: Sheet {
        var sheet = self
        sheet.group = nil
        sheet.bggID = nil
        sheet.commands = ""
        return sheet
    }

    package func row(_ id: Symbol) -> Row? { rows.first { $0.id == id } }

    package func option(_ name: Symbol) -> SheetOption? { options.first { $0.name == name } }

    /// The formulas of the checks of the whole sheet.
    var checkFormulas: [RowFormula] {
        checks.enumerated().map { index, check in
            let path: [AnyField] = ["checks", AnyField(index), "formula"]
            let role: RowFormula.Role = check.isOfEach ? .whole : .check
            return RowFormula(formula: check.formula, role: role, path: path)
        }
    }

    package var rules: any GameRules { gameEngine.rules.init(sheet: self) }

    /// Whether scores are moves that depend on earlier moves.
    package var hasMoves: Bool { gameEngine.rules.hasMoves }

    /// Returns the reason why a cell of any player cannot have this value with the options of a
    /// book, or without any; nil if it can.
    package func violation(
        of value: Value,
        in cell: Cell,
        of book: Book? = nil
    ) -> RuleViolation? {
        guard let row = book.map({ row(cell.row, in: $0) }) ?? row(cell.row) else {
            return .unknownRow(cell.row.description, candidates: rows.map(\.id))
        }
        return row.violation(ofRound: cell.round) ?? row.violation(of: value)
    }

    /// Returns the reason why a number of players is not allowed with default options; nil if it
    /// is.
    package func violation(ofPlayerCount count: Int) -> RuleViolation? {
        players.contains(Int64(count)) ? nil : .playerCount(count, allowed: players)
    }

    /// Returns the reason why a number of players is too large with the options of the book; nil if
    /// it is not.
    ///
    /// Too few players are allowed here, because every game begins without any.
    package func violation(ofTooMany count: Int, in book: Book) -> RuleViolation? {
        let allowed = players(of: book)
        return Int64(count) > allowed.to ? .playerCount(count, allowed: allowed) : nil
    }

    /// Returns a flag on the game if the number of players is too large.
    func flags(ofTooMany count: Int, in book: Book) -> [Flag] {
        violation(ofTooMany: count, in: book).map { [Flag(.game, $0)] } ?? []
    }

    /// Returns the reason why a number of players is too small with the options of the book; nil if
    /// it is not.
    package func violation(ofTooFew count: Int, in book: Book) -> RuleViolation? {
        let allowed = players(of: book)
        return Int64(count) < allowed.from ? .playerCount(count, allowed: allowed) : nil
    }

    /// Returns how many of the allowed seats players take: one for each side if a coded game counts
    /// a team as one.
    package func seatCount(of players: [Player]) -> Int {
        guard teams == .together, hasMoves, let sides = Sides(players) else { return players.count }
        return sides.players.count
    }

    /// Returns the allowed number of players with the options of the book.
    package func players(of book: Book) -> Bounds { Settings(self, book).players(of: self) }

    /// Returns the rows that are on, with what they accept by the options of the book.
    package func rows(of book: Book) -> [Row] {
        let settings = Settings(self, book)
        return rows.filter { settings.isOn($0.condition) }.map { $0.inEffect(settings) }
    }

    /// Returns a row with what it accepts by the options of the book.
    package func row(_ id: Symbol, in book: Book) -> Row? {
        // Most rows do not depend on options, and then these need not be read.
        row(id).map { $0.isByOption ? $0.inEffect(Settings(self, book)) : $0 }
    }
}

package enum WinRule: String, Hashable, Sendable, CaseIterable {
    case highest
    case lowest

    var superlative: String {
        switch self {
        case .highest: "the most"
        case .lowest: "the least"
        }
    }

    /// Returns the number, negated if less is better.
    func merit(of number: Int64) -> Int64 {
        switch self {
        case .highest: number
        case .lowest: 0 - number
        }
    }
}

package enum TargetEnd: String, Hashable, Sendable, CaseIterable {
    /// At the end of the round, in a game of rounds.
    case round
    /// Immediately when a player reaches it, even if others have not played this round.
    case once = "at-once"
    /// After one more turn of everybody else.
    case oneMore = "one-more"
}

/// The effect of a first place that several sides share when the target ends a game.
package enum TargetTie: String, Hashable, Sendable, CaseIterable {
    case share
    /// They play another round.
    case playOn = "play-on"
}

/// The meaning of teams in a game.
package enum TeamRule: String, Hashable, Sendable, CaseIterable {
    /// Every member has a column, and the team has the sum of their totals.
    case sum
    /// The team is one scorer: its members fill one column together.
    case together
    /// There are no teams.
    case none
}

/// The meaning of several entries of partners in one cell of their team.
package enum PartnerRule: String, Hashable, Sendable, CaseIterable {
    /// One partner enters it for the team.
    case one
    /// Each partner enters a number of their own, and these are added.
    case add
}

package enum Direction: String, Hashable, Sendable, CaseIterable {
    case up
    case down

    func hasReached(_ target: Int64, with total: Int64) -> Bool {
        switch self {
        case .up: total >= target
        case .down: total <= target
        }
    }
}

package struct TieBreaker: Hashable, Sendable {
    package let row: Symbol
    package let wins: WinRule
}

extension TieBreaker: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case row, wins
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(CodingKeys.self)
        row = try fields.symbol(.row)
        wins = try fields.decodeIfPresent(WinRule.self, forKey: .wins) ?? .highest
    }
}

/// The number of players with an option.
package struct SeatRule: Hashable, Sendable {
    package let condition: Condition
    package let players: Bounds
}

/// The group of a game in lists, by its equipment; nothing is computed from it.
package enum GameGroup: String, Hashable, Sendable, CaseIterable {
    case board
    case cards
    case dice
    case sport
    case letters
    /// Plain sheets that only add numbers, for any game.
    case plain

    package var heading: String {
        switch self {
        case .board: "Board games"
        case .cards: "Cards"
        case .dice: "Dice"
        case .sport: "Darts and sport"
        case .letters: "Letters"
        case .plain: "Plain sheets"
        }
    }
}

/// Rows in JSON, where the fields of rounds are nested in the row of the rounds.
extension Sheet {
    var rowEntries: [RowEntry] {
        var entries: [RowEntry] = []
        var fields: [Row] = []
        for row in rows {
            fields.append(row)
            guard row.group == nil else { continue }
            entries.append(RowEntry(fields))
            fields = []
        }
        return entries
    }

    func path(ofRow index: Int) -> [AnyField] {
        let before = rows[..<index]
        let entry: AnyField = AnyField(before.count { $0.group == nil })
        guard rows[index].group != nil else { return ["rows", entry] }
        let place = before.reversed().prefix { $0.group != nil }.count
        return ["rows", entry, "fields", AnyField(place)]
    }

    /// Returns the entered rows that a derived row is computed from, directly or through others,
    /// each once.
    func sources(of row: Row) -> [Symbol] {
        let fields = fields(of: row).map(\.id)
        guard fields.isEmpty else { return fields }
        var seen: Set<Symbol> = []
        return row.sources.flatMap { source -> [Symbol] in
            // The recursion ends, because rows refer only to rows above them.
            guard let place = rows.firstIndex(where: { $0.id == source }),
                place < rows.firstIndex(of: row) ?? 0
            else { return [] }
            return rows[place].isComputed ? sources(of: rows[place]) : [source]
        }
        .filter { seen.insert($0).inserted }
    }

    package func fields(of row: Row) -> [Row] { rows.filter { $0.group?.row == row.id } }

    /// Returns a row and the fields of its rounds, which are entered instead of the row.
    package func rowAndFields(_ id: Symbol) -> [Symbol] {
        [id] + (row(id).map(fields) ?? []).map(\.id)
    }

    /// The rows in whose order a player's cells are listed; cells of other rows follow.
    ///
    /// Empty for games with one row of moves: their cells are ordered by the ids of the rows, as in
    /// the first release.
    package var placedRows: [Symbol] {
        gameEngine.rules.codedRows?.count == 1 ? [] : rows.map(\.id)
    }

    /// Limits, because sessions carry untrusted sheets.
    package enum Limits {
        package static let rows = 100
        package static let options = 60
        /// The limits of the lists of a sheet, by field.
        static let lists: KeyValuePairs<AnyField, Int> = [
            "rows": rows, "options": options, "tieBreakers": tieBreakers, "seats": seats,
            "sets": sets, "checks": checks,
        ]
        package static let aliases = 8
        /// The maximum number of values in a lookup table, and of places in a ranking.
        package static let table = 200
        package static let tokens = 20
        package static let choices = 100
        package static let presets = 50
        /// The maximum number of rows that one row is computed from.
        package static let sources = 20
        /// The maximum number of rows that all rows together are computed from.
        package static let allSources = 200
        /// The maximum number of fields in a round.
        package static let fields = 10
        package static let checks = 5
        package static let tieBreakers = 10
        package static let seats = 10
        /// The maximum length of a name or a label in Unicode scalars: characters depend on the
        /// Unicode tables of a build, and a sheet must be valid everywhere or nowhere.
        package static let label = 60
        /// The maximum length of a help text in Unicode scalars.
        package static let help = 4000
    }

    /// Returns the options in effect in a book, in the order of the sheet: the choice if it is
    /// allowed, else the default; `null` if an option is off.
    package func settings(of book: Book) -> [(option: SheetOption, value: Value)] {
        let settings = Settings(self, book)
        return options.map { ($0, settings.values[$0.name] ?? .null) }
    }

    package func winRule(of book: Book) -> WinRule { Settings(self, book)(wins) }
}
