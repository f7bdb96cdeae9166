import ScoreSheets
import SessionCRDT
import Testing

@Suite("Adding a game")
struct NewGameTests {
    @Test("takes one file and no code")
    func fiveDice() throws {
        let json = try ProjectFile.text("Tests/Fixtures/Sheets/five-dice.json")
        #expect(SheetCheck.problems(in: json) == [])
        let library = SheetLibrary.builtIn.adding([try Sheet(json: json)])
        let sheet = try library.sheet(named: "five")
        var table = Table("Ann", "Bob")
        try table.set("more=yes", by: sheet)
        try table.score(1, "ones=3x1 twos=3x2 threes=3x3 fours=3x4 fives=3x5 six=3x6", by: sheet)
        try table.score(1, "three=22 four=0 house=yes small=yes large=no", by: sheet)
        try table.score(1, "five=yes chance=6+5+5+2+1 more=1", by: sheet)
        try table.score(2, "ones=2 sixes=4x6 chance=20", by: sheet)
        table.isFinished = true
        let standings = sheet.rules.standings(of: table.book)
        // 63 and the bonus of 35, 22, 25 + 30, 50, 19, 100.
        #expect(lines(standings) == ["Ann 344 1", "Bob 46 2"])
        #expect(standings.winners == [player(1)])
        #expect(points(standings, 1, "bonus") == 35)
        #expect(points(standings, 2, "bonus") == 0)
        #expect(standings.flags.isEmpty)
    }
}
