import ScoreSheets
import SessionCRDT
import Testing

@Suite("Matches of two sides at the table")
struct SportMatchTests {
    @Test("each sheet is set as the rules of its sport say", arguments: KnownSport.allCases)
    func sheets(sport: KnownSport) throws {
        let sheet = try SheetLibrary.builtIn.sheet(named: sport.rawValue)
        let book = Table("Ann", "Bob").book
        #expect(SportOptions(sheet, book) == sport.options)
        #expect(SportService(sheet, book) == sport.service)
        #expect(sheet.rules.outcomeName == "match")
    }

    @Test("a game of table tennis: points by who won them, who serves, ends, game point")
    func tableTennis() throws {
        var match = try SportTable()
        #expect(match.notes == ["Ann to serve"])
        #expect(try match.play("Ann") == ["Ann 1–0 Bob", "Ann to serve"])
        #expect(try match.play("b") == ["Ann 1–1 Bob", "Bob to serve"])
        try match.playPoints("9a")
        #expect(match.notes == ["game point Ann", "Bob to serve"])
        let won = ["Ann won game 1, 11–1", "change ends", "Bob to serve"]
        #expect(try match.play("Ann") == won)
        #expect(match.notes == won)
        #expect(
            match.shown == [
                "Best of 5 games to 11", "Games 1 Points", "  Ann 1 11 0", "> Bob 0 1 0",
            ]
        )
        #expect(lines(match.standings) == ["Ann 1 1", "Bob 0 2"])
        try match.playPoints("11b 11a 10a")
        #expect(match.notes == ["match point Ann", "Ann to serve"])
        #expect(try match.play("Ann") == ["Ann won the match 3–1: 11–1, 0–11, 11–0, 11–0"])
        #expect(match.standings.isFinished)
        #expect(match.standings.winners == [player(1)])
        #expect(match.flags == [])
        #expect(
            match.refusal(of: "Bob")
                == "Ann has won the match; undo a point, or begin another with: scorectl session new --again"
        )
    }

    @Test("tennis as people call it: 15–30, deuce, advantage, tie-break")
    func tennis() throws {
        var match = try SportTable(.tennis)
        #expect(try match.play("Ann") == ["Ann 15–0 Bob", "Ann to serve"])
        #expect(try match.play("Bob") == ["Ann 15–15 Bob", "Ann to serve"])
        try match.playPoints("2a")
        #expect(try match.play("Bob") == ["Ann 40–30 Bob", "Ann to serve"])
        #expect(try match.play("Bob") == ["deuce", "Ann to serve"])
        #expect(try match.play("Bob") == ["advantage Bob", "Ann to serve"])
        #expect(
            match.shown == [
                "Best of 3 sets to 6", "Sets 1 Points", "> Ann 0 0 40", "  Bob 0 0 Ad",
            ]
        )
        let game = ["game Bob: Ann 0–1 Bob", "change ends", "Bob to serve"]
        #expect(try match.play("Bob") == game)
        #expect(match.notes == game)
        for _ in 0..<5 { try match.playPoints("4a 4b") }
        try match.playPoints("4a")
        #expect(match.shown[1] == "Sets 1 Tie-break")
        #expect(match.notes == ["game Ann: Ann 6–6 Bob", "Ann to serve"])
        try match.playPoints("6a 4b")
        #expect(match.notes == ["set point Ann", "Bob to serve"])
        let set = ["Ann won set 1, 7–6 (4)", "change ends", "Bob to serve"]
        #expect(try match.play("Ann") == set)
        #expect(
            match.shown == [
                "Best of 3 sets to 6", "Sets 1 2 Points", "  Ann 1 7 0 0", "> Bob 0 6(4) 0 0",
            ]
        )
        for _ in 0..<6 { try match.playPoints("4a") }
        #expect(match.notes == ["Ann won the match 2–0: 7–6 (4), 6–0"])
    }

    @Test("petanque: several points an end, and the jack of whoever won it")
    func petanque() throws {
        var match = try SportTable(.petanque)
        #expect(match.notes == ["Ann to throw the jack"])
        #expect(try match.play("Bob 3") == ["Ann 0–3 Bob", "Bob to throw the jack"])
        #expect(match.shown == ["One game to 13", "Points", "  Ann 0", "> Bob 3"])
        #expect(
            match.refusal(of: "Bob")
                == "how many points did Bob win? for example: scorectl play Bob 3"
        )
        #expect(match.refusal(of: "Bob 7") == "one end brings 1 to 6 points, not 7")
        #expect(match.refusal(of: "Bob 0") == "one end brings 1 to 6 points, not 0")
        #expect(try match.play("2", by: 1) == ["Ann 2–3 Bob", "Ann to throw the jack"])
        try match.play("Bob 6")
        #expect(try match.play("Bob 6") == ["Bob won the match 13–2"])
        #expect(lines(match.standings) == ["Ann 2 2", "Bob 13 1"])
        #expect(match.standings.totalLabel == "Points")
        // Of the last end only what was needed counts.
        let last = match.standings.players[1].cells.map(\.points)
        #expect(last == [3, 6, 4])
    }

    @Test("a name of no player in the match is rejected with the names of the sides")
    func refused() throws {
        var match = try SportTable()
        match.table.players.append(Player(id: player(3), name: "Cid"))
        #expect(match.flags == ["the game takes 2 players, not 3"])
        let plays = "scorectl play Ann, or scorectl play Bob"
        #expect(match.refusal(of: "point") == "who won the point? \(plays)")
        #expect(match.refusal(of: "7") == "who won the point? \(plays)")
        #expect(
            match.refusal(of: "Zoe") == "“Zoe” does not play this match; Ann and Bob do; \(plays)"
        )
        #expect(
            match.refusal(of: "Cid") == "Cid is not playing this game: the players are Ann and Bob"
        )
        #expect(match.refusal(of: "Ann 2") == "a point counts 1, not 2; enter one at a time")
        #expect(match.refusal(of: "point", by: 2) == nil)
        #expect(
            match.refusal(of: "1", by: 3)
                == "Cid is not playing this game: the players are Ann and Bob"
        )
        try match.play("Ann")
        #expect(match.flags == [])
        match.table.players = [match.table.players[0]]
        var alone = try SportTable()
        alone.table.remove(2)
        #expect(alone.refusal(of: "Ann") == "the game takes 2 players, not 1")
        #expect(alone.panels == [])
    }

    @Test("a name of several words is a name, also with a number behind it")
    func names() throws {
        var match = try SportTable(.petanque)
        match.table.players = [
            Player(id: player(1), name: "Les Bleus 2"), Player(id: player(2), name: "Bob"),
        ]
        try match.play("Les Bleus 2 4")
        try match.play("les 1")
        #expect(lines(match.standings) == ["Les Bleus 2 5 1", "Bob 0 2"])
    }

    @Test("the first seat serves first, unless an option chooses another side")
    func server() throws {
        var match = try SportTable(.badminton, ["server": .text("second")])
        #expect(match.notes == ["Bob to serve"])
        try match.play("Ann")
        #expect(match.notes == ["Ann to serve"])
        #expect(match.refusal(ofOption: "server") == nil)
        match.table.options[Symbol(known: "service")] = .text("none")
        #expect(match.notes == [])
    }

    @Test("statistics: matches, games, points and the longest run")
    func statistics() throws {
        var match = try SportTable(.tableTennis, ["best": .integer(1)])
        try match.playPoints("2a 9b 9a")
        let outcomes = match.standings.outcomes
        #expect(outcomes.map(\.number) == [1])
        let mine = outcomes.flatMap(\.players).filter { $0.player == player(1) }
        let texts = match.rules.statistics(of: mine).map { "\($0.label): \($0.text ?? "-")" }
        #expect(
            texts == [
                "Matches: 1", "Matches won: 1", "Games won: 1", "Points won: 11",
                "Share of all points: 55.00 %", "Longest run of points: 9",
            ]
        )
        #expect(match.rules.statistics(of: []).count == 6)
    }

    @Test("the latest points are shown with their numbers")
    func latest() throws {
        var match = try SportTable(.tennis)
        try match.playPoints("3a b a b")
        #expect(
            match.latest == [
                "Latest points: number (as in point.6), winner, score", "1 Ann 15–0",
                "2 Ann 30–0", "3 Ann 40–0", "4 Bob 40–15", "5 Ann game, 1–0", "6 Bob 0–15",
            ]
        )
    }

    @Test("the headline is the score in progress, with games and sets; none after the end")
    func headlines() throws {
        var match = try SportTable(.tennis, ["best": .integer(3)])
        #expect(match.headlines == ["0 0 games · 0 sets", "0 0 games · 0 sets"])
        for _ in 0..<6 { try match.playPoints("4a") }
        try match.playPoints("4b 3a 2b")
        #expect(match.headlines == ["40 0 games · 1 set", "30 1 game · 0 sets"])
        try match.playPoints("1b 1a")
        #expect(match.headlines == ["Ad 0 games · 1 set", "40 1 game · 0 sets"])
        try match.playPoints("a")
        for _ in 0..<5 { try match.playPoints("4a") }
        #expect(match.headlines == [])
        var table = try SportTable(.tableTennis)
        try table.playPoints("11a 3b")
        #expect(table.headlines == ["0 1 game", "3 0 games"])
        var end = try SportTable(.petanque)
        try end.play("Ann 3")
        // The points are the total.
        #expect(end.headlines == [])
    }
}
