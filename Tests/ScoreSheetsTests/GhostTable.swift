import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A table at which Ghost is played: moves go in as `play` takes them.
struct GhostTable {
    /// The words of the published example.
    static let published = ["chirp", "cat", "dark", "dog", "donate", "donut"]

    var table = Table()
    /// The lists of the device that enters letters, by name.
    var lists: [String: WordList] = [:]
    let rules: any GameRules

    /// A table with these people, whose device has these words as `english`.
    init(_ names: [String], words: [String] = published, sheet: Sheet? = nil) throws {
        rules = try sheet?.rules ?? builtIn("ghost").rules
        for (index, name) in names.enumerated() {
            table.players.append(Player(id: player(UInt64(index + 1)), name: name))
        }
        list(words)
    }

    var standings: Standings { rules.standings(of: table.book) }
    var panels: [Panel] { rules.game(of: table.book).panels }

    /// The name of the player to move.
    var mover: String? { standings.turn.flatMap { table.book.player($0)?.name } }

    /// The beginning on the table, as it is shown.
    var shown: [String] {
        guard case .text(_, let lines) = panels.first else { return [] }
        return lines
    }

    /// The flagged entries, in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }

    /// Gives the device a list.
    mutating func list(_ words: [String], as name: String = "english", fingerprint: String = "f1") {
        lists[name] = WordList(
            name: name,
            fingerprint: fingerprint,
            file: Array(words.joined(separator: "\n").utf8)
        )
    }

    mutating func set(_ option: StaticString, _ value: Value) {
        table.options[Symbol(known: option)] = value
    }

    /// The entries that a move would write.
    func move(
        _ words: String...,
        by number: UInt64? = nil,
        details: [String: String] = [:]
    )
        throws(RuleViolation) -> Played
    {
        let lists = lists
        var aids = MoveContext(random: SeededGenerator(seed: 1)) { (name) throws(RuleViolation) in
            guard let list = lists[name] else {
                throw RuleViolation("there is no word list \(name.quoted) here")
            }
            return list
        }
        let move = Move(words, by: number.map { player($0) }, details: details)
        return try rules.play(move, in: table.book, with: &aids)
    }

    /// Plays the letters of a text, one a turn; what was told of the last one.
    @discardableResult
    mutating func play(_ letters: String) throws(RuleViolation) -> [String] {
        var notes: [String] = []
        for letter in letters {
            let played = try move(String(letter))
            for score in played.writes {
                table.write(
                    score.cell.player.low,
                    "letter",
                    score.cell.round,
                    to: score.value
                )
            }
            for (name, value) in played.options { table.options[name] = value }
            notes = played.told
        }
        return notes
    }

    /// Begins the round again.
    mutating func reset() throws(RuleViolation) {
        for score in try rules.reset(of: table.book).writes {
            table.write(score.cell.player.low, "letter", score.cell.round, to: score.value)
        }
    }

    /// Writes what somebody could write past the rules.
    mutating func write(_ number: UInt64, _ turn: UInt32, _ text: String) {
        table.write(number, "letter", turn, to: .text(text))
    }

    /// The refusal of a raw write, in words.
    func refusal(_ number: UInt64, _ turn: UInt32, _ value: Value) -> String? {
        do throws(RuleViolation) {
            try rules.check(Score(table.cell(number, "letter", turn), value), in: table.book)
        } catch { return "\(error)" }
        return nil
    }
}
