import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("7 Wonders and 7 Wonders Duel")
struct SevenWondersTests {
    @Test(
        "the published science: squares, sets and wild symbols where they help most",
        arguments: [
            ([3, 2, 1], 0, 21), ([3, 2, 2], 0, 31), ([2, 2, 2], 0, 26), ([2, 1, 1], 0, 13),
            ([1, 1, 1], 1, 13), ([1, 1, 2], 1, 18), ([1, 2, 3], 1, 31), ([1, 1, 0], 1, 10),
            ([0, 0, 0], 3, 10), ([0, 0, 0], 0, 0), ([4, 0, 0], 2, 36),
        ] as [([Int], Int, Points)]
    )
    func science(symbols: [Int], wild: Int, expected: Points) throws {
        let sheet = try builtIn("7-wonders")
        let words = "t=\(symbols[0]) compasses=\(symbols[1]) gears=\(symbols[2]) wild=\(wild)"
        #expect(try total(sheet, words.replacing("t=", with: "tablets=")) == expected)
    }

    @Test(
        "the conflict pawn favours one of the two: the other is refused, and flagged after a merge"
    )
    func solePawn() throws {
        let rules = try builtIn("7-wonders-duel").rules
        var table = Table("Ann", "Bob")
        table.write(1, "military", to: .integer(4))
        let words = "only one player can have military, and Ann has it; clear that first"
        func refused(_ number: UInt64, _ count: Int64) -> String? {
            refusal { () throws(RuleViolation) in
                try rules.check(
                    Score(table.cell(number, "military"), .integer(count)),
                    in: table.book
                )
            }
        }
        #expect(refused(2, 3) == words)
        #expect(refused(2, 0) == nil)
        #expect(refused(1, 5) == nil)
        #expect(rules.standings(of: table.book).flags == [])
        table.write(2, "military", to: .integer(3))
        let flags = rules.standings(of: table.book).flags
        #expect(flags.map { $0.words(in: table.book) } == ["Bob: \(words)"])
        table.write(1, "military", to: .null)
        #expect(rules.standings(of: table.book).flags == [])
    }

    @Test("each progress token is of one player, and so is a supremacy of either kind")
    func soleFlags() throws {
        let rules = try builtIn("7-wonders-duel").rules
        for (first, second) in [
            ("agriculture", "agriculture"), ("philosophy", "philosophy"), ("maths", "maths"),
            ("supremacy", "supremacy"), ("symbols", "symbols"), ("supremacy", "symbols"),
            ("symbols", "supremacy"),
        ] as [(StaticString, StaticString)] {
            var table = Table("Ann", "Bob")
            func refused(_ number: UInt64, _ row: StaticString, _ value: Bool) -> String? {
                refusal { () throws(RuleViolation) in
                    let score = Score(table.cell(number, row), .boolean(value))
                    try rules.check(score, in: table.book)
                }
            }
            table.write(2, first, to: .boolean(false))
            #expect(refused(1, first, true) == nil)
            table.write(1, first, to: .boolean(true))
            let words = "only one player can have \(first), and Ann has it; clear that first"
            #expect(refused(2, second, true) == words)
            #expect(refused(2, second, false) == nil)
            #expect(refused(1, second, true) == nil)
            #expect(refused(2, "wonders", true) != words)
            table.write(2, second, to: .boolean(true))
            let flags = rules.standings(of: table.book).flags
            #expect(flags.map { $0.words(in: table.book) } == ["Bob: \(words)"])
        }
    }

    @Test("wild symbols are assigned as an exhaustive search does")
    func allAssignments() throws {
        let sheet = try builtIn("7-wonders")
        for a in 0...6 {
            for (b, c) in [(0, 0), (1, 0), (2, 5), (3, 3), (6, 1)] {
                for wild in 0...7 {
                    var best = 0
                    for x in 0...wild {
                        for y in 0...(wild - x) {
                            let piles = [a + x, b + y, c + wild - x - y]
                            let squares = piles.map { $0 * $0 }.reduce(0, +)
                            best = max(best, squares + 7 * (piles.min() ?? 0))
                        }
                    }
                    var table = Table("Ann")
                    for (row, count) in [("tablets", a), ("compasses", b), ("gears", c)] {
                        try table.score(1, "\(row)=\(count)", by: sheet)
                    }
                    try table.score(1, "wild=\(wild)", by: sheet)
                    let standings = sheet.rules.standings(of: table.book)
                    #expect(points(standings, 1, "science") == Points(Int64(best)))
                }
            }
        }
    }

    @Test("military is the sum of tokens, typed as such or as a total")
    func military() throws {
        let sheet = try builtIn("7-wonders")
        let sums: [(String, Points)] = [
            ("5+5+3+1-1", 13), ("2x5+3-2x1", 11), ("-6x1", -6), ("18", 18), ("-1", -1),
        ]
        for (text, sum) in sums { #expect(try total(sheet, "military=\(text)") == sum) }
        #expect(
            try refusal(sheet, "military=5+4")
                == "military takes a total, or tokens of 1, 3, 5, -1, not 4"
        )
        #expect(try refusal(sheet, "military=5-3")?.hasSuffix("not -3") == true)
        #expect(try refusal(sheet, "military=5-3x1") == nil)
        #expect(try refusal(sheet, "military=x") == "military takes a whole number, not “x”")
    }

    @Test("three coins are a point, rounded down, and the most coins break ties")
    func coins() throws {
        let sheet = try builtIn("7-wonders")
        #expect(try total(sheet, "coins=0") == 0)
        #expect(try total(sheet, "coins=2") == 0)
        #expect(try total(sheet, "treasury=14") == 4)
        var table = Table("Ann", "Bob", "Cid")
        try table.score(1, "coins=9 blue=1", by: sheet)
        try table.score(2, "coins=11 blue=1", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 4 2", "Bob 4 1", "Cid 0 -"])
        #expect(standings[player(2)]?.tieBreak == "tied at 4, Treasury 11")
    }

    @Test("the expansions bring their rows")
    func expansions() throws {
        let sheet = try builtIn("7-wonders")
        let all = "leaders=yes cities=yes armada=yes edifice=yes"
        let words = "wonder=10 yellow=4 purple=9 leaders=6 cities=8 debt=3 armada=5-1 edifice=-2"
        #expect(try total(sheet, words, options: all) == 36)
        #expect(try refusal(sheet, "debt=1") == "debt needs the option cities=yes")
        #expect(try refusal(sheet, "leaders=1") == "leaders needs the option leaders=yes")
    }

    @Test("computed: a city of Duel is worth 65")
    func duel() throws {
        let sheet = try builtIn("7-wonders-duel")
        let words =
            "military=4 blue=18 green=7 yellow=3 purple=6 wonders=12 agriculture=yes maths=yes"
            + " tokens=2 coins=14"
        var table = Table("Ann", "Bob")
        try table.score(1, words, by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 65 1", "Bob 0 -"])
        try table.score(1, "philosophy=yes maths=no", by: sheet)
        #expect(sheet.rules.standings(of: table.book).notes.isEmpty)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 66 1", "Bob 0 -"])
    }

    @Test("the pawn is worth 0, 2, 5 or 10 by its distance")
    func pawn() throws {
        let sheet = try builtIn("7-wonders-duel")
        var table = Table("Ann", "Bob")
        for (distance, worth) in [0, 2, 2, 5, 5, 5, 10, 10, 10].enumerated() {
            try table.score(1, "military=\(distance)", by: sheet)
            let standings = sheet.rules.standings(of: table.book)
            #expect(points(standings, 1, "military") == Points(Int64(worth)))
        }
    }

    @Test("a supremacy wins at once regardless of totals, and can be undone")
    func supremacy() throws {
        let sheet = try builtIn("7-wonders-duel")
        var table = Table("Ann", "Bob")
        try table.score(1, "blue=40", by: sheet)
        #expect(sheet.rules.standings(of: table.book).isFinished == false)
        try table.score(2, "symbols=yes", by: sheet)
        let standings = sheet.rules.standings(of: table.book)
        #expect(standings.isFinished)
        #expect(standings.winners == [player(2)])
        #expect(lines(standings) == ["Ann 40 2", "Bob 0 1"])
        #expect(standings.told == ["Bob: Won by science"])
        #expect(standings.outcomes.map(\.players.count) == [2])
        try table.score(2, "symbols=no", by: sheet)
        #expect(sheet.rules.standings(of: table.book).winners == [])
    }

    @Test("the most blue points break a tie of Duel, and an equal number shares it")
    func duelTies() throws {
        let sheet = try builtIn("7-wonders-duel")
        var table = Table("Ann", "Bob")
        try table.score(1, "blue=5 green=3", by: sheet)
        try table.score(2, "blue=4 green=4", by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 8 1", "Bob 8 2"])
        try table.score(2, "blue=5 green=3", by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 8 1", "Bob 8 1"])
    }
}
