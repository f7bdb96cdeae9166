import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which people play darts: what `play` says is written, as a daemon does.
struct DartsTable {
    var table: Table
    private let rules: any GameRules
    private var aids = MoveContext(random: SeededGenerator(seed: 1))

    /// A match of these people, by number from 1.
    init(_ names: String..., start: Int64 = 501, legs: Int64 = 1, sets: Int64 = 1) throws {
        table = Table()
        table.players = names.enumerated().map { index, name in
            Player(id: player(UInt64(index + 1)), name: name)
        }
        rules = try builtIn("darts").rules
        set("start", .integer(start))
        set("legs", .integer(legs))
        set("sets", .integer(sets))
    }

    var standings: Standings { rules.standings(of: table.book) }

    /// The points that each player has left, or another column of the scoreboard.
    func column(_ title: String) -> [String] {
        guard case .table(let grid) = standings.panels.first,
            let place = grid.columns.firstIndex(of: title)
        else { return [] }
        return grid.rows.map { $0.cells[place] }
    }

    /// The title of the scoreboard.
    var title: String {
        guard case .table(let grid) = standings.panels.first else { return "" }
        return grid.title
    }

    var left: [String] { column("Left") }

    /// The number of the player to throw; 0 of nobody.
    var turn: UInt64 { standings.turn?.low ?? 0 }

    mutating func set(_ option: StaticString, _ value: Value) {
        table.options[Symbol(known: option)] = value
    }

    /// Plays a visit as it is typed, and gives back what the player is told.
    @discardableResult
    mutating func play(
        _ text: String,
        by number: UInt64? = nil,
        darts: String? = nil
    ) throws(RuleViolation) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let details = darts.map { ["darts": $0] } ?? [:]
        let move = Move(words, by: number.map(player), details: details)
        let played = try rules.play(move, in: table.book, with: &aids)
        for score in played.writes {
            try rules.check(score, in: Book(recording: played, over: table))
            write(score)
        }
        for (name, value) in played.options { table.options[name] = value }
        return played.told
    }

    /// Plays visits one after the other.
    mutating func play(all texts: String...) throws(RuleViolation) {
        for text in texts { try play(text) }
    }

    /// Writes what may be written.
    mutating func correct(_ number: UInt64, _ turn: UInt32, to value: Value) throws(RuleViolation) {
        let score = Score(table.cell(number, "visit", turn), value)
        try rules.check(score, in: table.book)
        write(score)
    }

    mutating func write(_ score: Score) {
        table.write(score.cell.player.low, "visit", score.cell.round, to: score.value)
    }

    /// Resets the leg, and gives back what was asked before.
    mutating func reset() throws(RuleViolation) -> String {
        let reset = try rules.reset(of: table.book)
        for score in reset.writes { write(score) }
        return reset.question
    }

    /// Why an option may not be set; nil when it may.
    func refusal(of option: StaticString) -> String? {
        do throws(RuleViolation) {
            try rules.check(option: Symbol(known: option), in: table.book)
            return nil
        } catch {
            return error.description
        }
    }

    /// The flags in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// The statistics of a player by id, those that are known.
    func statistics(_ number: UInt64) -> [String: String] {
        let mine = standings.outcomes.flatMap(\.players).filter { $0.player == player(number) }
        var all: [String: String] = [:]
        for statistic in rules.statistics(of: mine) {
            all[statistic.id.description] = statistic.text
        }
        return all
    }

    mutating func restore(_ number: UInt64) {
        table.players = table.players.map {
            $0.id == player(number) ? Player(id: $0.id, name: $0.name) : $0
        }
    }
}

extension Book {
    /// The book in which the options of a move are recorded already, as in one commit with it.
    fileprivate init(recording played: Played, over table: Table) {
        self.init(
            players: table.players,
            cells: table.cells,
            options: table.options.merging(played.options) { _, new in new },
            isFinished: table.isFinished
        )
    }
}
