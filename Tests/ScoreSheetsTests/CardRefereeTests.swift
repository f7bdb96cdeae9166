import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Games of rounds agree with independent models")
struct CardRefereeTests {
    @Test(
        "on 200 random games: totals, and whether the game is over",
        arguments: CardReferee.all.indices
    )
    func random(index: Int) throws {
        let referee = CardReferee.all[index]
        let sheet = try SheetLibrary.builtIn.sheet(named: referee.game)
        let parser = ScoreParser(sheet)
        for seed in 0..<UInt64(200) {
            var random = SeededGenerator(seed: seed)
            let game = referee.play(&random)
            var table = Table()
            table.players = game.totals.indices.map { seat in
                Player(id: player(UInt64(seat + 1)), name: "P\(seat + 1)")
            }
            try table.set(referee.options, by: sheet)
            for entry in game.entries {
                let words = entry.words.split(separator: " ").map(String.init)
                let id = player(UInt64(entry.seat + 1))
                for score in try parser.scores(words, for: id, in: table.book) {
                    table.write(score.cell, to: score.value)
                }
            }
            let standings = sheet.rules.standings(of: table.book)
            let flags = standings.flags.map { $0.words(in: table.book) }
            let name = "\(referee.game), seed \(seed)"
            #expect(flags == [], "\(name)")
            #expect(standings.players.map { Int($0.total) } == game.totals, "\(name)")
            if game.isOver { #expect(standings.isFinished, "\(name)") }
        }
    }
}
