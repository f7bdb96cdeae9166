import ScoreSheets
import SessionCRDT
import Testing

@Suite("Adding a game")
struct NewGameTests {
    @Test("needs one file and no code")
    func fiveDice() throws {
        let json = try ProjectFile.text("Tests/Fixtures/Sheets/five-dice.json")
        #expect(SheetCheck.problems(in: json) == [])
        let library = SheetLibrary.builtIn.adding([try Sheet(json: json)])
        let sheet = try library.sheet(named: "five-d")
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

    /// A sheet that somebody wrote from SHEETS.md alone, who had not read the code.
    private func written(_ name: String) throws -> Sheet {
        let json = try ProjectFile.text("Tests/Fixtures/Sheets/\(name).json")
        #expect(SheetCheck.problems(in: json) == [])
        return try Sheet(json: json)
    }

    @Test("Sushi Go!, as a hobbyist wrote it from the page about sheets alone")
    func sushiGo() throws {
        let sheet = try written("sushi-go")
        var table = Table("Ann", "Bob", "Cy")
        // Two share the first place, 3 each, and nobody is second.
        try table.score(1, "maki=3 tempura=3", by: sheet)
        try table.score(2, "maki=3 sashimi=3", by: sheet)
        try table.score(2, "wasabi=3", by: sheet)
        try table.score(3, "maki=2 dumplings=6 egg=1", by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 8 3", "Bob 22 1", "Cy 16 2"])
        // Two share the second place, 1 each.
        try table.score(1, "maki=1 salmon=2", by: sheet)
        try table.score(2, "maki=4", by: sheet)
        try table.score(3, "maki=1 dumplings=1", by: sheet)
        // Two have most puddings, 3 each, and one the fewest, -6.
        try table.score(1, "pudding=2", by: sheet)
        try table.score(2, "pudding=0", by: sheet)
        try table.score(3, "pudding=2", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 16 3", "Bob 22 1", "Cy 21 2"])
        #expect(standings.flags.isEmpty && standings.notes.isEmpty)
    }

    @Test("Kingdomino, as a hobbyist wrote it from the page about sheets alone")
    func kingdomino() throws {
        let sheet = try written("kingdomino")
        var table = Table("Ann", "Bob", "Cy")
        try table.set("harmony=yes", by: sheet)
        try table.score(1, "terrain=wheat squares=5 crowns=2", by: sheet)
        try table.score(1, "terrain=lake squares=4 crowns=0", by: sheet)
        try table.score(1, "terrain=mine squares=2 crowns=3", by: sheet)
        try table.score(2, "terrain=forest squares=4 crowns=4", by: sheet)
        // Without its crowns it is worth nothing, and breaks no tie.
        try table.score(2, "terrain=swamp squares=9", by: sheet)
        try table.score(3, "squares=3 crowns=2 harmony=yes", by: sheet)
        let before = sheet.rules.standings(of: table.book)
        #expect(lines(before) == ["Ann 16 1", "Bob 16 2", "Cy 11 3"])
        #expect(before[player(1)]?.tieBreak == "tied at 16, Largest property 5")
        try table.score(2, "crowns=0", by: sheet)
        let after = sheet.rules.standings(of: table.book)
        #expect(lines(after) == ["Ann 16 2", "Bob 16 1", "Cy 11 3"])
        #expect(after[player(2)]?.tieBreak == "tied at 16, Largest property 9")
    }
}
