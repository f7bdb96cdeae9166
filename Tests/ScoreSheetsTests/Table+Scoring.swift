import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

extension Table {
    /// Writes what a player types, as the daemon would: read, checked, written.
    mutating func score(_ number: UInt64, _ words: String, by sheet: Sheet) throws {
        let texts = words.split(separator: " ").map(String.init)
        let scores = try ScoreParser(sheet).scores(texts, for: player(number), in: book)
        try sheet.rules.check(scores, in: book)
        for score in scores { write(score.cell, to: score.value) }
    }

    /// Sets options as players type them.
    mutating func set(_ words: String, by sheet: Sheet) throws {
        for text in words.split(separator: " ") {
            let option = try ScoreParser(sheet).option(String(text))
            options[option.name] = option.value
        }
    }

    /// Plays a move of the player to move.
    mutating func play(_ words: String, by rules: any GameRules) throws {
        var context = MoveContext(random: SeededGenerator(seed: 1))
        let move = Move(words.split(separator: " ").map(String.init))
        let played = try rules.play(move, in: book, with: &context)
        for (name, value) in played.options { options[name] = value }
        for score in played.writes { write(score.cell, to: score.value) }
    }

    /// Puts players into teams, by number from 1; an empty name is none.
    mutating func teams(_ teams: String...) {
        players = zip(players, teams).map { seated, team in
            Player(id: seated.id, name: seated.name, team: team.isEmpty ? nil : team)
        }
    }
}

/// The total of one player who typed this, with these options.
func total(_ sheet: Sheet, _ words: String, options: String = "") throws -> Points {
    var table = Table("Ann", "Bob", "Cid")
    try table.set(options, by: sheet)
    try table.score(1, words, by: sheet)
    let standings = sheet.rules.standings(of: table.book)
    #expect(standings.flags.isEmpty)
    return try #require(standings[player(1)]).total
}

/// The rules' error for the typed words of a player.
func refusal(_ sheet: Sheet, _ words: String, options: String = "") throws -> String? {
    var table = Table("Ann", "Bob", "Cid")
    try table.set(options, by: sheet)
    do {
        try table.score(1, words, by: sheet)
        return nil
    } catch {
        return (error as? RuleViolation)?.message ?? "\(error)"
    }
}

/// The points of a player's row, entered or computed.
func points(_ standings: Standings, _ number: UInt64, _ row: String) -> Points? {
    let standing = standings[player(number)]
    return standing?.cells.first { $0.bookCell.cell.row.description == row }?.points
        ?? standing?.computed.first { $0.row.description == row }?.points
}
