import ScoreSheets
import SessionCRDT
import Testing

@Suite("Wingspan")
struct WingspanTests {
    private let ann = "birds=50 bonus=10 goals=15 eggs=8 food=3 tucked=5"
    private let bob = "birds=45 bonus=12 goals=18 eggs=7 food=4 tucked=3"

    @Test("the published scores: 91 and 89")
    func published() throws {
        let sheet = try builtIn("wingspan")
        #expect(try total(sheet, ann) == 91)
        #expect(try total(sheet, bob) == 89)
    }

    @Test("published: with nectar 3, 2, 1 against 2, 3, 2 they are 100 and 101")
    func nectar() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob")
        try table.set("oceania=yes", by: sheet)
        try table.score(1, ann + " forest=3 grassland=2 wetland=1", by: sheet)
        try table.score(2, bob + " forest=2 grassland=3 wetland=2", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 100 2", "Bob 101 1"])
        #expect(points(standings, 1, "forest") == 5)
        #expect(points(standings, 1, "wetland") == 2)
    }

    @Test("nectar: tied players share both places, rounded down, and none spent scores none")
    func nectarTies() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob", "Cid")
        try table.set("oceania=yes", by: sheet)
        for (number, spent) in [(1, 2), (2, 2), (3, 0)] as [(UInt64, Int)] {
            try table.score(number, "forest=\(spent) birds=1", by: sheet)
        }
        let standings = sheet.rules.standings(of: table.book)
        #expect((1...3).map { points(standings, $0, "forest") } == [3, 3, 0])
    }

    @Test("published: 98, 101, 98, and 3 food against 2 decide about the second place")
    func tie() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob", "Cid")
        try table.score(1, "birds=98 unused=2", by: sheet)
        try table.score(2, "birds=101 unused=0", by: sheet)
        try table.score(3, "birds=98 unused=3", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 98 3", "Bob 101 1", "Cid 98 2"])
        #expect(standings[player(1)]?.tieBreak == "tied at 98, Unused food 2")
    }

    @Test("an equal score with equal food is a shared win")
    func shared() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob")
        try table.score(1, "birds=98", by: sheet)
        try table.score(2, "birds=98", by: sheet)
        table.isFinished = true
        let standings = sheet.rules.standings(of: table.book)
        #expect(standings.winners == [player(1), player(2)])
        #expect(standings[player(2)]?.tieBreak == "tied at 98, Unused food 0, shared")
    }

    @Test(
        "green goals rank what is counted, by the points of the round",
        arguments: [
            ("goal1", [3, 2, 1], [4, 1, 0]), ("goal2", [3, 2, 1], [5, 2, 1]),
            ("goal3", [3, 2, 1], [6, 3, 2]), ("goal4", [1, 2, 3], [3, 4, 7]),
            // Published: with 5, 2, 1 two who are tied for the first place get 3 each.
            ("goal2", [4, 4, 1], [3, 3, 1]), ("goal2", [4, 1, 1], [5, 1, 1]),
            ("goal2", [4, 4, 4], [2, 2, 2]), ("goal2", [4, 0, 0], [5, 0, 0]),
            ("goal2", [0, 0, 0], [0, 0, 0]),
        ] as [(String, [Int], [Points?])]
    )
    func green(goal: String, counts: [Int], scores: [Points?]) throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob", "Cid")
        try table.set("goals=green", by: sheet)
        for (index, count) in counts.enumerated() {
            try table.score(UInt64(index + 1), "\(goal)=\(count)", by: sheet)
        }
        let standings = sheet.rules.standings(of: table.book)
        #expect((1...3).map { points(standings, $0, goal) } == scores)
        table.remove(1)
        let without = sheet.rules.standings(of: table.book)
        #expect(points(without, 1, goal) == 0)
    }

    @Test("the third places, about which sources differ, can be set")
    func third() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob", "Cid")
        try table.set("goals=green third1=2", by: sheet)
        for number in 1...3 as ClosedRange<UInt64> {
            try table.score(number, "goal1=\(9 - number)", by: sheet)
        }
        #expect(points(sheet.rules.standings(of: table.book), 3, "goal1") == 2)
    }

    @Test("blue goals are worth 1 for each thing and 5 at most, in four rounds")
    func blue() throws {
        let sheet = try builtIn("wingspan")
        let blue = "goals=blue"
        #expect(try total(sheet, "goal.1=4 goal.2=5 goal.3=7 goal.4=0", options: blue) == 14)
        #expect(
            try refusal(sheet, "goal.5=1", options: blue) == "goal has rounds 1 to 4, not 5"
        )
    }

    @Test("rows of an expansion are rejected with a hint at its option")
    func off() throws {
        let sheet = try builtIn("wingspan")
        #expect(try refusal(sheet, "forest=1") == "forest needs the option oceania=yes")
        #expect(try refusal(sheet, "goal1=1") == "goal1 needs the option goals=green")
        #expect(
            try refusal(sheet, "goals=1", options: "goals=green")
                == "goals needs the option goals=typed"
        )
        // Written before the option was taken back: flagged, and worth nothing.
        var table = Table("Ann")
        try table.set("oceania=yes", by: sheet)
        try table.score(1, "forest=3 birds=1", by: sheet)
        try table.set("oceania=no", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 1 1"])
        #expect(
            standings.flags.map { $0.words(in: table.book) }
                == ["Ann, forest: forest needs the option oceania=yes"]
        )
    }

    @Test("Asia seats seven, the box five")
    func asia() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
        #expect(
            sheet.rules.standings(of: table.book).flags.map(\.reason.description)
                == ["the game takes 1 to 5 players, not 6"]
        )
        try table.set("asia=yes", by: sheet)
        #expect(sheet.rules.standings(of: table.book).flags.isEmpty)
        #expect(sheet.players(of: table.book) == Bounds(within: 1...7))
    }

    @Test("the Duet map of two and the hummingbirds are rows of their options")
    func duetAndHummingbirds() throws {
        let sheet = try builtIn("wingspan")
        #expect(try refusal(sheet, "duet=7") == "duet needs the option duet=yes")
        #expect(
            try refusal(sheet, "hummingbirds=7") == "hummingbirds needs the option americas=yes"
        )
        var table = Table("Ann", "Bob")
        try table.set("duet=yes americas=yes", by: sheet)
        try table.score(1, ann + " duet=7 hummingbirds=3+2+1+0+0", by: sheet)
        try table.score(2, bob + " duet=9 hummingbirds=5", by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 104 1", "Bob 103 2"])
        #expect(sheet.players(of: table.book) == Bounds(within: 1...2))
    }

    @Test("a sum is kept as typed and counts as its value, and names may be shortened")
    func sums() throws {
        let sheet = try builtIn("wingspan")
        var table = Table("Ann")
        try table.score(1, "bi=12+7+9 E=2 cached=1 tuck=3 UNUSED=4", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        let birds = standings[player(1)]?.cells.first
        #expect(birds?.bookCell.value == .text("12+7+9"))
        #expect(birds?.points == 28)
        #expect(birds?.count == 28)
        #expect(lines(standings) == ["Ann 34 1"])
        #expect(try refusal(sheet, "b=1") == nil)
        #expect(
            try refusal(sheet, "g=1", options: "goals=green oceania=yes")
                == "“g” could be any of: goal1, goal2, goal3, goal4, grassland"
        )
        #expect(
            try refusal(sheet, "birds=400+200")
                == "birds takes a whole number from 0 to 500, not “400+200”"
        )
    }
}
