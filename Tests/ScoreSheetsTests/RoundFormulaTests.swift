import ScoreSheets
import SessionCRDT
import Testing

@Suite("Rounds of several fields, and formulas of rows")
struct RoundFormulaTests {
    private let wizard = """
        {"id": "wizard", "name": "Wizard", "rows": [
          {"id": "round", "label": "Round", "kind": "rounds", "last": 20,
           "fields": [{"id": "bid", "label": "Bid", "range": {"from": 0}},
                      {"id": "tricks", "label": "Tricks", "range": {"from": 0}}],
           "formula": "if(bid = tricks, 20 + 10 * tricks, -10 * abs(bid - tricks))",
           "checks": [{"formula": "total(tricks) = round", "help": "A trick is missing."}]}
        ]}
        """

    private func standings(_ json: String, _ table: Table) throws -> Standings {
        try Sheet(json: json).rules.standings(of: table.book)
    }

    private func write(_ table: inout Table, _ lines: (UInt64, String)..., by json: String) throws {
        let parser = ScoreParser(try Sheet(json: json))
        for (number, line) in lines {
            let words = line.split(separator: " ").map(String.init)
            for score in try parser.scores(words, for: player(number), in: table.book) {
                table.write(score.cell, to: score.value)
            }
        }
    }

    @Test("a round counts once all of its fields are entered, and the last one shows the points")
    func fields() throws {
        var table = Table("Ann", "Bob")
        try write(&table, (1, "bid.1=1"), (2, "bid.1=0"), by: wizard)
        var found = try standings(wizard, table)
        #expect(lines(found) == ["Ann 0 1", "Bob 0 1"])
        // Nobody misses anything while all bid.
        #expect(found.notes.isEmpty)
        try write(&table, (2, "tricks.1=0"), by: wizard)
        found = try standings(wizard, table)
        let note = "Ann: enter tricks in Round 1, or it is worth nothing"
        #expect(found.notes.map(\.description) == [note])
        try write(&table, (1, "tricks.1=1"), by: wizard)
        found = try standings(wizard, table)
        #expect(lines(found) == ["Ann 30 1", "Bob 20 2"])
        #expect(found.flags.isEmpty && found.notes.isEmpty)
        #expect(found.players[0].cells.map(\.points) == [0, 30])
        try write(&table, (1, "round.2 bid=2 tricks=0"), (2, "round.2 bid=1 tricks=1"), by: wizard)
        found = try standings(wizard, table)
        #expect(lines(found) == ["Ann 10 2", "Bob 50 1"])
        let reason = "Round 2: A trick is missing; all players’ tricks together: 1"
        #expect(found.flags.map(\.reason.description) == [reason])
    }

    @Test("a choice that is not entered shows the sheet's word for it")
    func emptyChoice() throws {
        func sheet(_ empty: String) -> String {
            """
            {"id": "a", "name": "A", "rows": [
              {"id": "round", "label": "Round", "kind": "rounds",
               "fields": [{"id": "points", "label": "Points"},
                          {"id": "call", "label": "Call", "kind": "choice", "empty": "\(empty)",
                           "choices": [{"word": "none", "points": 1},
                                       {"word": "made", "points": 9}]}],
               "formula": "points + call + if(call = 'none', 20, 0)"}
            ]}
            """
        }
        let json = sheet("none")
        var table = Table("Ann", "Bob")
        try write(&table, (1, "points.1=100"), (2, "points.1=100 call.1=made"), by: json)
        #expect(lines(try standings(json, table)) == ["Ann 121 1", "Bob 109 2"])
        let read = try Sheet(json: json)
        #expect(try Sheet(json: read.json) == read)
        #expect(read.words(for: read.rows[1]).contains("left empty it counts as none"))
        let problem = try #require(SheetCheck.problems(in: sheet("some")).first)
        #expect(problem.path == "rows[0].fields[1].empty")
        #expect(problem.reason == "some is not one of the choices")
    }

    @Test("a round of fields cannot be entered as one number")
    func computed() throws {
        var table = Table("Ann")
        let sheet = try Sheet(json: wizard)
        #expect(
            refusal { () throws(RuleViolation) in
                _ = try ScoreParser(sheet).scores(["round.1=3"], for: player(1), in: table.book)
            } == "round is computed; enter bid, tricks instead"
        )
        for words in [["round.1", "3"], ["round.1", "made"]] {
            #expect(
                refusal { () throws(RuleViolation) in
                    _ = try ScoreParser(sheet).scores(words, for: player(1), in: table.book)
                } == "name the row, as in ROW=VALUE: bid, tricks"
            )
        }
        table.write(1, "round", 1, to: .integer(5))
        #expect(lines(try standings(wizard, table)) == ["Ann 0 -"])
    }

    @Test("a formula of entries sees all players")
    func hearts() throws {
        let json = """
            {"id": "hearts", "name": "Hearts", "wins": "lowest", "rows": [
              {"id": "points", "label": "Points", "kind": "rounds",
               "formula": "if(most(points) = 26, 26 - entered, entered)",
               "checks": [{"formula": "total(points) = 26"}]}
            ]}
            """
        var table = Table("Ann", "Bob", "Cy")
        try write(&table, (1, "points.1=26"), (2, "points.1=0"), (3, "points.1=0"), by: json)
        #expect(lines(try standings(json, table)) == ["Ann 0 1", "Bob 26 2", "Cy 26 2"])
        try write(&table, (1, "points.1=20"), (2, "points.1=3"), by: json)
        let found = try standings(json, table)
        #expect(lines(found) == ["Ann 20 3", "Bob 3 2", "Cy 0 1"])
        #expect(
            found.flags.map(\.reason.description)
                == ["Points 1: total(points) = 26; all players’ points together: 23"]
        )
    }

    @Test("a running formula gives the points after each round")
    func molkky() throws {
        let json = """
            {"id": "molkky", "name": "Mölkky", "target": 50, "rows": [
              {"id": "throw", "label": "Throw", "kind": "rounds", "range": {"from": 0, "to": 12},
               "running": "if(before + entered > 50, 25, before + entered)"}
            ]}
            """
        var table = Table("Ann", "Bob")
        for round: UInt32 in 1...4 { table.write(1, "throw", round, to: .integer(12)) }
        table.write(1, "throw", 5, to: .integer(3))
        table.write(1, "throw", 6, to: .integer(2))
        #expect(lines(try standings(json, table))[0] == "Ann 27 1")
        table.write(1, "throw", 5, to: .integer(2))
        table.write(2, "throw", 1, to: .integer(1))
        let found = try standings(json, table)
        #expect(found.players[0].total == 25)
        #expect(found.players[0].cells.map(\.points) == [12, 12, 12, 12, 2, -25])
    }

    @Test("a formula sees the player's team, and a player without one is a team of one")
    func team() throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "round", "label": "Round", "kind": "rounds",
               "fields": [{"id": "bid", "label": "Bid"}, {"id": "won", "label": "Won"}],
               "formula": "if(team(won) >= team(bid), 10, -10) * bid"},
              {"id": "share", "label": "Share", "kind": "formula", "formula": "team(won)"}
            ]}
            """
        var table = Table("Ann", "Bob", "Cy", "Dee")
        table.teams("Reds", "", "reds", "")
        try write(&table, (1, "bid.1=4 won.1=3"), (2, "bid.1=2 won.1=1"), by: json)
        #expect(
            lines(try standings(json, table)) == ["Ann -37 2", "Bob -19 1", "Cy 0 2", "Dee 0 -"]
        )
        try write(&table, (3, "bid.1=1 won.1=2"), by: json)
        #expect(
            lines(try standings(json, table)) == ["Ann 45 1", "Bob -19 2", "Cy 15 1", "Dee 0 -"]
        )
    }

    @Test("players who share a place are counted, so that its points can be divided")
    func tied() throws {
        let json = """
            {"id": "a", "name": "A", "$schema": "sheet.schema.json", "rows": [
              {"id": "maki", "label": "Maki", "kind": "rounds",
               "formula": "if(rank(maki) = 1, 6, if(rank(maki) = 2, 3, 0)) / max(1, tied(maki))"}
            ]}
            """
        var table = Table("Ann", "Bob", "Cy", "Dee")
        try write(&table, (1, "maki.1=5"), (2, "maki.1=5"), (3, "maki.1=4"), by: json)
        #expect(lines(try standings(json, table)) == ["Ann 3 1", "Bob 3 1", "Cy 0 3", "Dee 0 -"])
        try write(&table, (4, "maki.1=7"), by: json)
        #expect(lines(try standings(json, table)) == ["Ann 1 2", "Bob 1 2", "Cy 0 4", "Dee 6 1"])
    }

    @Test(
        "unknown names in formulas, and names of rows below, are reported",
        arguments: [
            ("players", "x", "players has another meaning in formulas"),
            ("a", "later", "the row later is not above this one; move it up"),
            ("a", "entered", "entered is for formulas of rows that are entered"),
        ]
    )
    func names(id: String, name: String, reason: String) throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "x", "label": "X", "kind": "number"},
              {"id": "\(id)", "label": "A", "kind": "formula", "formula": "\(name) * 2"},
              {"id": "later", "label": "L", "kind": "number"}
            ]}
            """
        let problem = try #require(SheetCheck.problems(in: json).first)
        #expect(problem.reason.contains(reason), "\(problem.reason)")
    }

    @Test("a formula counts the rounds that a player has entered")
    func count() throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "round", "label": "Round", "kind": "rounds", "scores": false},
              {"id": "games", "label": "Games", "kind": "formula", "formula": "10 * count(round)"}
            ]}
            """
        var table = Table("Ann", "Bob")
        table.rounds(1, 3, 0, 5)
        table.rounds(2, 1)
        #expect(lines(try standings(json, table)) == ["Ann 30 1", "Bob 10 2"])
    }

    @Test("a check waits for all players, or for one of each team")
    func waiting() throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "round", "label": "Round", "kind": "rounds",
               "checks": [{"formula": "total(round) = 10"}]}
            ]}
            """
        var table = Table("Ann", "Bob", "Cy", "Dee")
        for index in 0..<4 {
            let seated = table.players[index]
            let team = index % 2 == 0 ? "Reds" : nil
            table.players[index] = Player(id: seated.id, name: seated.name, team: team)
        }
        table.rounds(1, 3)
        table.rounds(2, 3)
        #expect(try standings(json, table).flags.isEmpty)
        table.rounds(4, 3)
        #expect(try standings(json, table).flags.count == 1)
        table.rounds(4, 4)
        #expect(try standings(json, table).flags.isEmpty)
    }

    @Test("computed rows read rows, options, words and ranks")
    func rows() throws {
        let json = """
            {"id": "a", "name": "A", "options": [
              {"name": "bonus", "kind": "integer", "default": 5},
              {"name": "way", "kind": "choice", "choices": ["long", "short"], "default": "long"}],
             "rows": [
              {"id": "house", "label": "House", "kind": "choice",
               "choices": [{"word": "wood", "points": 1}, {"word": "clay", "points": 2}]},
              {"id": "coins", "label": "Coins", "kind": "number", "formula": "entered / 3"},
              {"id": "extra", "label": "Extra", "kind": "formula",
               "formula": "if(rank(coins) = 1, bonus, 0) + if(house = 'clay', 10, 0)"},
              {"id": "rest", "label": "Rest", "kind": "formula",
               "formula": "if(way = 'long', others(coins), coins / 0)"}
            ]}
            """
        var table = Table("Ann", "Bob")
        try write(&table, (1, "coins=7"), (2, "coins=4"), (1, "house=clay"), by: json)
        // Ann: 2 + 2 + 15 + 4; Bob: 1 + 0 + 7.
        #expect(lines(try standings(json, table)) == ["Ann 23 1", "Bob 8 2"])
        table.options[Symbol(known: "way")] = .text("short")
        let found = try standings(json, table)
        #expect(lines(found) == ["Ann 19 1", "Bob 1 2"])
        #expect(
            found.flags.map(\.reason.description) == [
                "the formula of rest divides by zero", "the formula of rest divides by zero",
            ]
        )
    }

    @Test("a formula that picks a missing value counts as nothing and is flagged")
    func pick() throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "floor", "label": "Floor", "kind": "number",
               "formula": "pick(entered + 1, 0, 1, 4)"}
            ]}
            """
        var table = Table("Ann", "Bob")
        try write(&table, (1, "floor=2"), (2, "floor=3"), by: json)
        let found = try standings(json, table)
        #expect(lines(found) == ["Ann 4 1", "Bob 0 2"])
        let reason = "the formula of floor picks a value that is not there"
        #expect(found.flags.map(\.reason.description) == [reason])
    }

    @Test("thresholds, and the points of players who share a place")
    func steps() throws {
        func sheet(_ ties: String) -> String {
            """
            {"id": "a", "name": "A", "rows": [
              {"id": "ones", "label": "Ones", "kind": "number",
               "steps": [{"from": 3, "points": 1}, {"from": 10, "points": 35}]},
              {"id": "road", "label": "Road", "kind": "number", "places": [9, 4, 1],
               "ties": "\(ties)"}
            ]}
            """
        }
        var table = Table("Ann", "Bob", "Cy")
        try write(
            &table,
            (1, "ones=10 road=5"),
            (2, "ones=9 road=5"),
            (3, "ones=2 road=1"),
            by: sheet("share")
        )
        for (ties, expected) in [
            ("share", ["Ann 41 1", "Bob 7 2", "Cy 1 3"]),
            ("each", ["Ann 44 1", "Bob 10 2", "Cy 4 3"]),
            ("skip", ["Ann 44 1", "Bob 10 2", "Cy 1 3"]),
        ] {
            #expect(lines(try standings(sheet(ties), table)) == expected, "\(ties)")
        }
    }

    @Test("rows of a template have its fields unless they override them")
    func template() throws {
        let json = """
            {"id": "a", "name": "A", "rows": [
              {"id": "x", "label": "X", "kind": "number"},
              {"repeat": {"kind": "number", "factor": 2}, "rows": [
                {"id": "sheep", "label": "Sheep"}, {"id": "boar", "label": "Boar", "factor": 3}]}
            ]}
            """
        var table = Table("Ann")
        try write(&table, (1, "x=1 sheep=1 boar=1"), by: json)
        #expect(lines(try standings(json, table)) == ["Ann 6 1"])
        let broken = json.replacing("\"factor\": 3", with: "\"factor\": true")
        let problems = SheetCheck.problems(in: broken)
        #expect(problems.map(\.path) == ["rows[1].rows[1].factor"])
        #expect(problems.map(\.line) == [4])
    }

    @Test("a check of the JSON locates a wrong name in a formula")
    func places() throws {
        let broken = wizard.replacing("abs(bid - tricks)", with: "abs(bid - trick)")
        let problem = try #require(SheetCheck.problems(in: broken).first)
        #expect(
            problem.description
                == "line 5, column 67: rows[0].formula: there is no row trick above this one; "
                + "did you mean tricks?"
        )
    }

    @Test("a sheet with fields and formulas survives a round trip")
    func roundTrip() throws {
        let sheet = try Sheet(json: wizard)
        #expect(try Sheet(json: sheet.json) == sheet)
        #expect(sheet.rows.map(\.id.description) == ["bid", "tricks", "round"])
    }
}
