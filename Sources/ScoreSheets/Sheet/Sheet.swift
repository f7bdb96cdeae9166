package import SessionCRDT

/// A game as data: its rows, its options and who wins.
///
/// Everything that the command line, the tables and the rules need to know about a game of rows is in
/// its sheet: a new game is a new sheet and no code. Unknown fields of the JSON are refused: a field
/// that one device ignores would give two devices two winners.
package struct Sheet: Hashable, Sendable {
    /// The key of the game: `points`.
    package let id: Symbol
    package let name: String
    /// The edition of the sheet, from 1.
    package let version: Int64
    /// The game in one line.
    package let summary: String
    /// Nil for none.
    package internal(set) var group: GameGroup?
    /// A few sentences on how to enter scores; may be empty.
    package let help: String
    /// The number of players.
    package let players: Bounds
    /// The number of players with some options; the first rule that applies is used.
    package let seats: [SeatRule]
    package let gameEngine: GameEngine
    /// In the order of the paper sheet; at least one.
    package let rows: [Row]
    package let options: [SheetOption]
    package let wins: Setting<WinRule>
    /// In order of priority.
    package let tieBreakers: [TieBreaker]
    /// The total that ends the game; nil for none.
    package let target: Setting<Int64>?
    package let ends: TargetEnd
    /// Whether totals climb up to the target or come down to it.
    package let counts: Direction
    /// Factions to deal from; empty for games that deal none.
    package let sets: [FactionSet]

    /// The sheet as sessions carry it, without fields for lists only: programs that do not know a field
    /// refuse the sheet.
    package var forSessions: Sheet {
        var sheet = self
        sheet.group = nil
        return sheet
    }

    package func row(_ id: Symbol) -> Row? { rows.first { $0.id == id } }

    package func option(_ name: Symbol) -> SheetOption? { options.first { $0.name == name } }

    package var rules: any GameRules { gameEngine.rules.init(sheet: self) }

    /// Whether scores are moves, of which later ones rest on earlier ones.
    package var hasMoves: Bool { gameEngine.rules.hasMoves }

    /// The reason why a cell of any player cannot have this value; nil if it can.
    package func violation(of value: Value, in cell: Cell) -> RuleViolation? {
        guard let row = row(cell.row) else {
            return .unknownRow(cell.row.description, candidates: rows.map(\.id))
        }
        return row.violation(ofRound: cell.round) ?? row.violation(of: value)
    }

    /// The reason why so many cannot play with default options; nil if they can.
    package func violation(ofPlayerCount count: Int) -> RuleViolation? {
        players.contains(Int64(count)) ? nil : .playerCount(count, allowed: players)
    }

    /// The reason why so many are too many, by the options of the book; nil if they are not.
    ///
    /// Too few is how every game begins.
    package func violation(ofTooMany count: Int, in book: Book) -> RuleViolation? {
        let allowed = players(of: book)
        return Int64(count) > allowed.to ? .playerCount(count, allowed: allowed) : nil
    }

    /// A flag on the game if so many players are too many.
    func flags(ofTooMany count: Int, in book: Book) -> [Flag] {
        violation(ofTooMany: count, in: book).map { [Flag(.game, $0)] } ?? []
    }

    /// The reason why so many are too few, by the options of the book; nil if they are not.
    package func violation(ofTooFew count: Int, in book: Book) -> RuleViolation? {
        let allowed = players(of: book)
        return Int64(count) < allowed.from ? .playerCount(count, allowed: allowed) : nil
    }

    /// The number of players by the options of the book.
    package func players(of book: Book) -> Bounds { Settings(self, book).players(of: self) }

    /// The rows by the options of the book.
    package func rows(of book: Book) -> [Row] {
        let settings = Settings(self, book)
        return rows.filter { settings.isOn($0.condition) }
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

    /// The number negated if less is better.
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
    /// As soon as a player has reached it, whoever has still to play in the round.
    case once = "at-once"
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
    /// The row whose sum is compared.
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
    /// Darts, and everything played by moving.
    case sport
    case letters
    /// Sheets for any game that only add up.
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

/// Rows in JSON, where fields of rounds are inside the row of the rounds.
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

    /// The path of a row in the JSON.
    func path(ofRow index: Int) -> [AnyField] {
        let before = rows[..<index]
        let entry: AnyField = AnyField(before.count { $0.group == nil })
        guard rows[index].group != nil else { return ["rows", entry] }
        let place = before.reversed().prefix { $0.group != nil }.count
        return ["rows", entry, "fields", AnyField(place)]
    }

    /// The rows to enter for a row that is worked out, each once.
    func sources(of row: Row) -> [Symbol] {
        let fields = fields(of: row).map(\.id)
        guard fields.isEmpty else { return fields }
        var seen: Set<Symbol> = []
        return row.sources.flatMap { source -> [Symbol] in
            // Ends, because rows refer upwards.
            guard let place = rows.firstIndex(where: { $0.id == source }),
                place < rows.firstIndex(of: row) ?? 0
            else { return [] }
            return rows[place].isComputed ? sources(of: rows[place]) : [source]
        }
        .filter { seen.insert($0).inserted }
    }

    /// The fields of the rounds of a row, in order.
    package func fields(of row: Row) -> [Row] { rows.filter { $0.group?.row == row.id } }

    /// A row and the fields of its rounds: the rows in which its rounds are entered.
    package func rowAndFields(_ id: Symbol) -> [Symbol] {
        [id] + (row(id).map(fields) ?? []).map(\.id)
    }

    /// The rows in whose order the cells of a player are listed; cells of other rows follow.
    ///
    /// Empty for games with one row of moves: all their cells are ordered by the ids of the rows, as
    /// in the first release.
    package var placedRows: [Symbol] {
        gameEngine.rules.codedRows?.count == 1 ? [] : rows.map(\.id)
    }

    /// Limits, since sheets of strangers travel in sessions.
    package enum Limits {
        package static let rows = 100
        package static let options = 60
        /// The limits of the lists of a sheet, by field.
        static let lists: KeyValuePairs<AnyField, Int> = [
            "rows": rows, "options": options, "tieBreakers": tieBreakers, "seats": seats,
            "sets": sets,
        ]
        package static let aliases = 8
        /// Values of a lookup, and places of a ranking.
        package static let table = 200
        package static let tokens = 20
        package static let choices = 100
        package static let presets = 50
        /// Rows that one row is worked out from.
        package static let sources = 20
        /// Rows that all rows together are worked out from.
        package static let allSources = 200
        /// Fields of a round.
        package static let fields = 10
        package static let checks = 5
        package static let tieBreakers = 10
        package static let seats = 10
        /// Of a name or a label, in Unicode scalars: characters depend on the Unicode tables of a build, and
        /// a sheet must be valid everywhere or nowhere.
        package static let label = 60
        /// Of a help text, in Unicode scalars.
        package static let help = 4000
    }

    /// The options in effect in a book, in the order of the sheet: the choice if it is allowed, else the
    /// default; `null` if an option is off.
    package func settings(of book: Book) -> [(option: SheetOption, value: Value)] {
        let settings = Settings(self, book)
        return options.map { ($0, settings.values[$0.name] ?? .null) }
    }

    package func winRule(of book: Book) -> WinRule { Settings(self, book)(wins) }
}
