package import SessionCRDT

/// A game as data: its rows, its options and who wins.
///
/// Everything that the command line, the tables and the rules need to know about a game is in its
/// sheet; a new game of rows is a new sheet and no code. It is read from JSON, where unknown fields
/// are refused: a field that is ignored here and not elsewhere would give two devices two winners.
package struct Sheet: Hashable, Sendable {
    /// What the game is called by programs: `points`.
    package let id: Symbol
    /// What the game is called by people.
    package let name: String
    /// Which edition of the sheet this is, from 1.
    package let version: Int64
    /// What the game is, in one line.
    package let summary: String
    /// Where lists show it; nil of one that belongs to no group.
    package internal(set) var group: GameGroup?
    /// How to enter scores, in a few sentences; may be empty.
    package let help: String
    /// How many players the game is for.
    package let players: Bounds
    /// How many once something is set; the first that applies goes.
    package let seats: [SeatRule]
    /// What computes its standings.
    package let gameEngine: GameEngine
    /// The rows, in the order of the paper sheet; at least one.
    package let rows: [Row]
    /// What can be set for each session.
    package let options: [SheetOption]
    /// Whether the highest or the lowest total wins.
    package let wins: Setting<WinRule>
    /// What decides between equal totals, the first first.
    package let tieBreakers: [TieBreaker]
    /// The total that ends the game; nil without one.
    package let target: Setting<Int64>?
    /// When a target that somebody has reached ends the game.
    package let ends: TargetEnd
    /// Whether totals come down to the target or climb up to it.
    package let counts: Direction
    /// What factions can be dealt from; empty where the game deals none.
    package let sets: [FactionSet]

    /// The sheet as sessions carry it: without what only lists show, because programs that do not
    /// know a field refuse the sheet, and nothing that is played needs this one.
    package var travelling: Sheet {
        var sheet = self
        sheet.group = nil
        return sheet
    }

    /// The row with this id.
    package func row(_ id: Symbol) -> Row? { rows.first { $0.id == id } }

    /// The option with this name.
    package func option(_ name: Symbol) -> SheetOption? { options.first { $0.name == name } }

    /// The rules of the game.
    package var rules: any GameRules { gameEngine.rules.init(sheet: self) }

    /// Why the value cannot stand in this cell, whoever plays; nil when it can.
    package func violation(of value: Value, in cell: Cell) -> RuleViolation? {
        guard let row = row(cell.row) else {
            return .unknownRow(cell.row.description, candidates: rows.map(\.id))
        }
        return row.violation(ofRound: cell.round) ?? row.violation(of: value)
    }

    /// Why the game cannot be played by so many, where nothing is set; nil when it can.
    package func violation(ofPlayerCount count: Int) -> RuleViolation? {
        players.contains(Int64(count)) ? nil : .playerCount(count, allowed: players)
    }

    /// Why so many are too many, by the options of the book; nil when they are not.
    ///
    /// Too few is how every game begins.
    package func violation(ofCrowd count: Int, in book: Book) -> RuleViolation? {
        let allowed = players(of: book)
        return Int64(count) > allowed.to ? .playerCount(count, allowed: allowed) : nil
    }

    /// A flag on the game if so many players are too many.
    func flags(ofCrowd count: Int, in book: Book) -> [Flag] {
        violation(ofCrowd: count, in: book).map { [Flag(.game, $0)] } ?? []
    }

    /// Why so many are too few, by the options of the book; nil when they are not.
    package func violation(ofShortage count: Int, in book: Book) -> RuleViolation? {
        let allowed = players(of: book)
        return Int64(count) < allowed.from ? .playerCount(count, allowed: allowed) : nil
    }

    /// How many players the game is for, by the options of the book.
    package func players(of book: Book) -> Bounds { Settings(self, book).players(of: self) }

    /// The rows that are there, by the options of the book.
    package func rows(of book: Book) -> [Row] {
        let settings = Settings(self, book)
        return rows.filter { settings.isOn($0.condition) }
    }
}

/// Which total wins.
package enum WinRule: String, Hashable, Sendable, CaseIterable {
    /// The highest.
    case highest
    /// The lowest.
    case lowest

    /// What somebody has of something who wins by it.
    var superlative: String {
        switch self {
        case .highest: "the most"
        case .lowest: "the least"
        }
    }

    /// The number as a number of which the greater is the better.
    func merit(of number: Int64) -> Int64 {
        switch self {
        case .highest: number
        case .lowest: 0 - number
        }
    }
}

/// When a target ends the game.
package enum TargetEnd: String, Hashable, Sendable, CaseIterable {
    /// When the round is complete, in a game of rounds.
    case round
    /// As soon as somebody has reached it, whoever has still to play in the round.
    case once = "at-once"
}

/// From where totals come to a target.
package enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From below.
    case up
    /// From above.
    case down

    /// Whether a total has come so far.
    func hasReached(_ target: Int64, with total: Int64) -> Bool {
        switch self {
        case .up: total >= target
        case .down: total <= target
        }
    }
}

/// A row that decides between players whose totals are equal.
package struct TieBreaker: Hashable, Sendable {
    /// The row whose sum is compared.
    package let row: Symbol
    /// Whether more or less of it is better.
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

/// How many players a game is for once something is set.
package struct SeatRule: Hashable, Sendable {
    /// What has to be set.
    package let condition: Condition
    /// How many players then.
    package let players: Bounds
}

/// Where a list of games shows one.
///
/// It says what the game is played with, so that people find one among many; nothing is computed
/// from it.
package enum GameGroup: String, Hashable, Sendable, CaseIterable {
    /// A board, or tiles.
    case board
    /// Cards.
    case cards
    /// Dice.
    case dice
    /// Darts, and whatever is played by moving.
    case sport
    /// Letters and words.
    case letters
    /// Anything: sheets that only add up.
    case plain

    /// What people see above the games of the group.
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

/// The rows as a sheet writes them down: fields of rounds within the row of the rounds.
extension Sheet {
    /// The rows, those with fields as one entry with them.
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

    /// Where a row is written in the JSON.
    func path(ofRow index: Int) -> [AnyField] {
        let before = rows[..<index]
        let entry: AnyField = AnyField(before.count { $0.group == nil })
        guard rows[index].group != nil else { return ["rows", entry] }
        let place = before.reversed().prefix { $0.group != nil }.count
        return ["rows", entry, "fields", AnyField(place)]
    }

    /// What is entered in the place of a row that is worked out: rows that are, each once.
    func sources(of row: Row) -> [Symbol] {
        let fields = fields(of: row).map(\.id)
        guard fields.isEmpty else { return fields }
        var seen: Set<Symbol> = []
        return row.sources.flatMap { source -> [Symbol] in
            // Rows refer upwards, so that this ends.
            guard let place = rows.firstIndex(where: { $0.id == source }),
                place < rows.firstIndex(of: row) ?? 0
            else { return [] }
            return rows[place].isComputed ? sources(of: rows[place]) : [source]
        }
        .filter { seen.insert($0).inserted }
    }

    /// The fields of the rounds of a row, in order.
    package func fields(of row: Row) -> [Row] { rows.filter { $0.group?.row == row.id } }

    /// The rows in whose cells a round of a row can stand: itself and the fields of its rounds.
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
}

extension Sheet {
    /// How much a sheet can have of everything, since strangers write sheets that travel.
    package enum Limits {
        /// Rows.
        package static let rows = 100
        /// Options.
        package static let options = 60
        /// How long each list of a sheet can be, by its field.
        static let lists: KeyValuePairs<AnyField, Int> = [
            "rows": rows, "options": options, "tieBreakers": tieBreakers, "seats": seats,
            "sets": sets,
        ]
        /// Other names of one row.
        package static let aliases = 8
        /// Values of a lookup, and places of a ranking.
        package static let table = 200
        /// Values of tokens.
        package static let tokens = 20
        /// Words of a choice.
        package static let choices = 100
        /// Usual orders of some words.
        package static let presets = 50
        /// Rows that one row is worked out from.
        package static let sources = 20
        /// Rows that all rows together are worked out from.
        package static let allSources = 200
        /// Fields of a round.
        package static let fields = 10
        /// What has to hold of a round.
        package static let checks = 5
        /// Tie-breakers.
        package static let tieBreakers = 10
        /// Rules of how many players there are once something is set.
        package static let seats = 10
        /// A name or a label, in Unicode scalars, like a schema's `maxLength`: what one character
        /// is depends on the Unicode tables of a build, and a sheet must be one everywhere.
        package static let label = 60
        /// A help text, in Unicode scalars.
        package static let help = 4000
    }
}

extension Sheet {
    /// The options as they hold in a book, in the order of the sheet: what was chosen where that is
    /// allowed, else the default; `null` where an option is off.
    package func settings(of book: Book) -> [(option: SheetOption, value: Value)] {
        let settings = Settings(self, book)
        return options.map { ($0, settings.values[$0.name] ?? .null) }
    }
}

extension Sheet {
    /// Which total wins in a book, by its options.
    package func winRule(of book: Book) -> WinRule { Settings(self, book)(wins) }
}
