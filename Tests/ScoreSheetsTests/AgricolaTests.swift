import ScoreSheets
import SessionCRDT
import Testing

@Suite("Agricola")
struct AgricolaTests {
    private let published =
        "fields=4 pastures=2 grain=3 vegetables=1 sheep=8 boar=6 cattle=0 unused=2 stables=1"
        + " rooms=4 material=stone people=5"

    @Test("the published farm is worth 35, and 42 with its crafts and bonus points")
    func farm() throws {
        let sheet = try builtIn("agricola")
        #expect(try total(sheet, published) == 35)
        #expect(try total(sheet, published + " cards=1 joinery=5 bonus=4") == 42)
    }

    @Test("computed: the farm that nobody touched is worth −14, entered or left empty")
    func untouched() throws {
        let sheet = try builtIn("agricola")
        #expect(try total(sheet, "rooms=2 material=wood people=2 unused=13") == -14)
        let none = "fields=0 pastures=0 grain=0 vegetables=0 sheep=0 boar=0 cattle=0"
        #expect(try total(sheet, none + " rooms=2 material=wood people=2 unused=13") == -14)
    }

    @Test(
        "counts are looked up, the last value repeating",
        arguments: [
            ("fields", [-1, -1, 1, 2, 3, 4, 4]), ("pastures", [-1, 1, 2, 3, 4, 4]),
            ("grain", [-1, 1, 1, 1, 2, 2, 3, 3, 4, 4]), ("vegetables", [-1, 1, 2, 3, 4, 4]),
            ("sheep", [-1, 1, 1, 1, 2, 2, 3, 3, 4, 4]),
            ("boar", [-1, 1, 1, 2, 2, 3, 3, 4, 4]), ("cattle", [-1, 1, 2, 2, 3, 3, 4, 4]),
            ("joinery", [0, 0, 0, 1, 1, 2, 2, 3, 3]), ("pottery", [0, 0, 0, 1, 1, 2, 2, 3, 3]),
            ("basketmaker", [0, 0, 1, 1, 2, 3, 3]), ("begging", [0, -3, -6]),
            ("stables", [0, 1, 2, 3, 4]),
        ] as [(String, [Points])]
    )
    func lookups(row: String, values: [Points]) throws {
        let sheet = try builtIn("agricola")
        for (count, value) in values.enumerated() {
            var table = Table("Ann")
            try table.score(1, "\(row)=\(count)", by: sheet)
            #expect(points(sheet.rules.standings(of: table.book), 1, row) == value)
        }
    }

    @Test("a clay room is worth 1, a stone room 2, and a wooden one nothing")
    func house() throws {
        let sheet = try builtIn("agricola")
        for (material, worth) in [("wood", 0), ("c", 4), ("stone", 8)] as [(String, Points)] {
            var table = Table("Ann")
            try table.score(1, "rooms=4 material=\(material)", by: sheet)
            #expect(points(sheet.rules.standings(of: table.book), 1, "house") == worth)
        }
        #expect(
            try refusal(sheet, "material=straw")
                == "material takes one of wood, clay, stone, not “straw”"
        )
        // Missing factors of a product are reported; an unset flag is no.
        var rooms = Table("Ann", "Bob")
        try rooms.score(1, "rooms=4", by: sheet)
        try rooms.score(2, "rooms=0 people=3", by: sheet)
        #expect(
            sheet.rules.standings(of: rooms.book).told
                == [
                    "Ann: enter material, or house is worth nothing",
                    "Ann: enter people, a whole number from 2 to 5",
                ]
        )
        #expect(try refusal(sheet, "people=6") == "people takes a whole number from 2 to 5, not 6")
    }

    @Test("nothing is lost before anything is entered, and resources break ties")
    func empty() throws {
        let sheet = try builtIn("agricola")
        var table = Table("Ann", "Bob", "Cid")
        try table.score(1, "people=2 resources=3+2", by: sheet)
        try table.score(2, "people=2 resources=4", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann -1 1", "Bob -1 2", "Cid 0 -"])
        #expect(standings[player(1)]?.tieBreak == "tied at -1, Resources left 5")
        #expect(points(standings, 1, "sheep") == -1)
    }
}
