import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// The table at which an example of the shelf is played, command by command, as a daemon does it.
struct ShelfEvening {
    /// A word list for Ghost that judges the examples as an English one does.
    private static let words = WordList(
        name: "english",
        fingerprint: "examples",
        file: Array(GhostTable.published.joined(separator: "\n").utf8)
    )

    private let sheet: Sheet
    private var table: Table
    private var aids: MoveContext

    init(_ example: ShelfExample) throws {
        sheet = try SheetLibrary.builtIn.sheet(named: example.game)
        table = Table()
        table.players = example.players
        aids = MoveContext(random: SeededGenerator(seed: 1)) { (_) throws(RuleViolation) in
            ShelfEvening.words
        }
        try table.set(example.options.joined(separator: " "), by: sheet)
    }

    var standings: Standings { sheet.rules.standings(of: table.book) }

    /// The flagged entries, in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// Does what `scorectl` would do.
    mutating func run(_ command: [String]) throws {
        let words = Array(command.dropFirst())
        if command.first == "play" { return try play(words) }
        let place = try #require(seat(of: words.first), "nobody is called so: \(words)")
        try table.score(place, words.dropFirst().joined(separator: " "), by: sheet)
    }

    /// The number of the player of a name; nil of nobody.
    private func seat(of name: String?) -> UInt64? {
        table.players.first { $0.name == name }?.id.low
    }

    private mutating func play(_ typed: [String]) throws {
        var words = typed
        var details: [String: String] = [:]
        while let mark = words.firstIndex(where: { $0.hasPrefix("--") }), mark + 1 < words.count {
            details[String(words[mark].dropFirst(2))] = words[mark + 1]
            words.removeSubrange(mark...mark + 1)
        }
        let mover = details.removeValue(forKey: "player")
        let move = Move(words, by: seat(of: mover).map(player), details: details)
        let played = try sheet.rules.play(move, in: table.book, with: &aids)
        for score in played.writes { table.write(score.cell, to: score.value) }
        table.options.merge(played.options) { $1 }
    }

    /// The totals that an example names, of players and of teams.
    func totals(of names: some Sequence<String>) -> [String: String] {
        values(of: names, player: { "\($0.total)" }, team: { "\($0.total)" })
    }

    /// The ranks that an example names, of players and of teams.
    func ranks(of names: some Sequence<String>) -> [String: String] {
        values(
            of: names,
            player: { $0.rank.map(String.init) ?? "-" },
            team: { "\($0.rank)" }
        )
    }

    private func values(
        of names: some Sequence<String>,
        player: (PlayerStanding) -> String,
        team: (TeamStanding) -> String
    ) -> [String: String] {
        let standings = standings
        return names.reduce(into: [:]) { values, name in
            values[name] =
                standings.players.first { $0.player.name == name }.map(player)
                ?? standings.teams.first { $0.name == name }.map(team)
        }
    }
}
