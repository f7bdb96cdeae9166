import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which two sides play a match: what `play` says is written, as a daemon does.
struct SportTable {
    var table: Table
    let rules: any GameRules
    private var aids = MoveContext(random: SeededGenerator(seed: 1))

    /// A match of Ann and Bob in a sport.
    init(_ sport: KnownSport = .tableTennis, _ options: [String: Value] = [:]) throws {
        table = Table("Ann", "Bob")
        rules = try SheetLibrary.builtIn.sheet(named: sport.rawValue).rules
        for (name, value) in options { table.options[Symbol(name) ?? TurnWish.order] = value }
    }

    var standings: Standings { rules.standings(of: table.book) }

    /// The notes below the table.
    var notes: [String] { standings.notes.map(\.description) }

    /// The headlines of the players who have one, in the order of seats.
    var headlines: [String] {
        let standings = standings
        return standings.players.compactMap { standings.headlines[$0.player.id] }
            .map { "\($0.value) \($0.label)" }
    }

    /// The flags in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// Plays a point as it is typed, and gives back what the player is told.
    @discardableResult
    mutating func play(_ text: String, by number: UInt64? = nil) throws(RuleViolation) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let move = Move(words, by: number.map(player))
        let played = try rules.play(move, in: table.book, with: &aids)
        for (name, value) in played.options { table.options[name] = value }
        for score in played.writes {
            try rules.check(score, in: table.book)
            table.write(score.cell, to: score.value)
        }
        return played.told
    }

    /// Plays points: `3a 2b`.
    mutating func playAll(_ points: String) throws(RuleViolation) {
        for side in SportMatch.sides(points) { try play(side == .first ? "Ann" : "Bob") }
    }

    /// Why a move is refused; nil when it is not.
    func refusal(_ text: String, by number: UInt64? = nil) -> String? {
        var copy = self
        do throws(RuleViolation) { try copy.play(text, by: number) } catch {
            return error.description
        }
        return nil
    }

    /// Writes what may be written.
    mutating func correct(_ number: UInt64, _ point: UInt32, to value: Value) throws(RuleViolation)
    {
        let score = Score(table.cell(number, "point", point), value)
        try rules.check(score, in: table.book)
        table.write(score.cell, to: value)
    }

    /// Why an option may not be set; nil when it may.
    func refusal(of option: StaticString) -> String? {
        do throws(RuleViolation) {
            try rules.check(option: Symbol(known: option), in: table.book)
        } catch { return error.description }
        return nil
    }

    /// The table as it is shown: what stands above it, its columns, and a line of each side.
    var shown: [String] {
        guard case .table(let grid) = standings.panels.first else { return [] }
        return [grid.title, grid.columns.joined(separator: " ")]
            + grid.rows.map { ([$0.label] + $0.cells).joined(separator: " ") }
    }

    /// The latest points as they are shown.
    var latest: [String] {
        guard standings.panels.count > 1, case .table(let grid) = standings.panels[1] else {
            return []
        }
        return [grid.title]
            + grid.rows.map { ([$0.label] + $0.cells).joined(separator: " ") }
    }
}

/// The names of options that games write by themselves.
enum TurnWish {
    static let order = Symbol(known: "order")
}
