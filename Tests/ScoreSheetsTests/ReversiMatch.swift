import ScoreSheets
import SessionCRDT
import SyncTestKit

/// Ann and Bob at the board: moves by `play`, written as the daemon would write them.
struct ReversiMatch {
    var table = Table("Ann", "Bob")
    let rules: any GameRules

    init() throws {
        rules = try builtIn("reversi").rules
    }

    var standings: Standings { rules.standings(of: table.book) }
    var panels: [Panel] { rules.game(of: table.book).panels }

    /// The marks of the board, from the first rank.
    var squares: [String] {
        for case .board(let board) in panels { return board.squares }
        return []
    }

    var legal: [String] {
        for case .board(let board) in panels { return board.legal }
        return []
    }

    /// The lines of the transcript, put together.
    var transcript: String {
        for case .text("Transcript", let lines) in panels { return lines.joined() }
        return ""
    }

    /// The entries that a move would write.
    func played(_ words: [String], by number: UInt64? = nil) throws(RuleViolation) -> Played {
        var aids = MoveContext(random: SeededGenerator(seed: 1))
        return try rules.play(Move(words, by: number.map(player)), in: table.book, with: &aids)
    }

    /// Makes a move.
    @discardableResult
    mutating func play(_ words: String..., by number: UInt64? = nil) throws -> Played {
        let played = try played(words, by: number)
        for score in played.writes { write(score) }
        table.options.merge(played.options) { $1 }
        return played
    }

    mutating func write(_ score: Score) {
        let round = score.cell.round
        for number in 1...UInt64(table.players.count) where player(number) == score.cell.player {
            table.write(number, "move", round, to: score.value)
        }
    }

    /// Why a move is refused.
    func refusal(_ words: String..., by number: UInt64? = nil) -> String? {
        do {
            _ = try played(words, by: number)
            return nil
        } catch {
            return error.description
        }
    }

    /// The flags in words.
    var flags: [String] { standings.flags.map { $0.words(in: table.book) } }
}
