import ScoreSheets
import SessionCRDT
import Testing

@Suite("Score sheets worked out by the published rules")
struct ShelfTests {
    @Test("each has the totals that its rules give", arguments: ShelfExample.all)
    func example(_ example: ShelfExample) throws {
        let name = example.testDescription
        #expect(example.strays == [], "\(name)")
        var evening = try ShelfEvening(example)
        for command in example.commands {
            #expect(throws: Never.self, "\(name): \(command)") { try evening.run(command) }
        }
        #expect(evening.flags == [], "\(name)")
        #expect(evening.totals(of: example.totals.keys) == example.totals, "\(name)")
        #expect(evening.ranks(of: example.ranks.keys) == example.ranks, "\(name)")
        #expect(evening.standings.isFinished == example.isFinished, "\(name)")
    }

    @Test("every built-in game has two or more, with their source and all that counts")
    func complete() throws {
        let games = SheetLibrary.builtIn.sheets.map(\.id.description)
        #expect(ShelfExample.games.sorted() == games)
        for game in ShelfExample.games {
            let text = try ProjectFile.text("\(ShelfExample.folder)/\(game).txt")
            #expect(text.hasPrefix("# Source: "), "\(game)")
            let sheets = ShelfExample.all.filter {
                $0.testDescription.hasPrefix("\(game) ") && $0.game == game
            }
            #expect(sheets.count >= 2, "\(game)")
            for sheet in sheets {
                let people = sheet.players.map(\.name)
                #expect(people.allSatisfy { sheet.totals[$0] != nil }, "\(sheet.testDescription)")
                #expect(people.allSatisfy { sheet.ranks[$0] != nil }, "\(sheet.testDescription)")
            }
        }
    }
}
