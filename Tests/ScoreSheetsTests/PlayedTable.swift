import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which turns are played as they are typed: each is checked and written, as a daemon does.
protocol PlayedTable {
    var table: Table { get set }
    var rules: any GameRules { get }
    var context: MoveContext { get set }
    /// The row in which the turns are written.
    static var row: StaticString { get }
}

extension PlayedTable {
    var standings: Standings { rules.standings(of: table.book) }
    var panels: [Panel] { rules.game(of: table.book).panels }

    /// The total of each player, in seat order.
    var totals: [Points] { standings.players.map(\.total) }

    /// The flags in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// The notes below the table.
    var notes: [String] { standings.notes.map(\.description) }

    /// Returns a panel below the standings; nil if there is no table at this place.
    func grid(at place: Int = 0) -> Panel.Grid? {
        let panels = panels
        guard panels.indices.contains(place), case .table(let grid) = panels[place] else {
            return nil
        }
        return grid
    }

    /// The number of the player whose turn it is; 0 if it is nobody's.
    var turn: UInt64 { standings.turn?.low ?? 0 }

    /// Plays a turn as it is typed, and returns the notes for the player.
    @discardableResult
    mutating func play(
        _ text: String,
        by number: UInt64? = nil,
        details: [String: String] = [:]
    ) throws(RuleViolation) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let move = Move(words, by: number.map(player), details: details)
        let played = try rules.play(move, in: table.book, with: &context)
        table.options.merge(played.options) { $1 }
        for score in played.writes { try write(score) }
        return played.told
    }

    /// Plays turns one after the other.
    mutating func play(all texts: String...) throws(RuleViolation) {
        for text in texts { try play(text) }
    }

    /// Returns the error for a rejected turn; nil for a valid one, which is not played.
    func refusal(
        of text: String,
        by number: UInt64? = nil,
        details: [String: String] = [:]
    ) -> String? {
        var copy = self
        do throws(RuleViolation) { try copy.play(text, by: number, details: details) } catch {
            return error.description
        }
        return nil
    }

    /// Returns the error for an option that may not be set; nil for one that may.
    func refusal(ofOption option: StaticString) -> String? {
        do throws(RuleViolation) {
            try rules.check(option: Symbol(known: option), in: table.book)
        } catch {
            return error.description
        }
        return nil
    }

    /// Corrects the turn of a player, as `score` does.
    mutating func correct(_ number: UInt64, _ turn: UInt32, to value: Value) throws(RuleViolation) {
        try write(Score(table.cell(number, Self.row, turn), value))
    }

    private mutating func write(_ score: Score) throws(RuleViolation) {
        try rules.check(score, in: table.book)
        table.write(score.cell, to: score.value)
    }
}
