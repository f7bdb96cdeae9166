import ScoreSheets
import SessionCRDT
import Testing

@Suite("Standings of games of rows")
struct StandingsTests {
    @Test("too few players are reported from the first score on")
    func shortage() throws {
        let sheet = try builtIn("7-wonders")
        var table = Table("Ann", "Bob")
        #expect(sheet.rules.standings(of: table.book).told == [])
        try table.score(1, "blue=3", by: sheet)
        let told = ["the game takes 3 to 7 players, not 2"]
        #expect(sheet.rules.standings(of: table.book).told == told)
        table.players.append(Player(id: player(3), name: "Cid"))
        #expect(sheet.rules.standings(of: table.book).told == [])
    }

    @Test("the highest points lead and, once the session is finished, win")
    func highest() throws {
        var table = Table("Ann", "Bob", "Cid")
        table.points(1, 42)
        table.points(2, 57)
        table.points(3, -3)
        let rules = try builtIn("points").rules
        let open = rules.standings(of: table.book)
        #expect(lines(open) == ["Ann 42 2", "Bob 57 1", "Cid -3 3"])
        #expect(open.leaders == [player(2)])
        #expect(open.winners == [])
        #expect(!open.isFinished)
        #expect(open.flags == [])
        #expect(open.ranking.map(\.player.name) == ["Bob", "Ann", "Cid"])

        table.isFinished = true
        let over = rules.standings(of: table.book)
        #expect(over.isFinished)
        #expect(over.winners == [player(2)])
    }

    @Test("equals share a place and the win, and the next place is skipped")
    func ties() throws {
        var table = Table("Ann", "Bob", "Cid", "Dan")
        table.points(1, 10)
        table.points(2, 30)
        table.points(3, 30)
        table.points(4, 5)
        table.isFinished = true
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 10 3", "Bob 30 1", "Cid 30 1", "Dan 5 4"])
        #expect(standings.winners == [player(2), player(3)])
        #expect(standings[player(2)]?.tieBreak == "tied at 30, shared")
        #expect(standings[player(1)]?.tieBreak == nil)
    }

    @Test("rounds add up, and the lowest total wins where that is set")
    func lowest() throws {
        var table = Table("Ann", "Bob", "Cid")
        table.options[Symbol(known: "wins")] = .text("lowest")
        table.rounds(1, 10, 3, -2)
        table.rounds(2, 4, 4, 4)
        table.rounds(3, 2)
        let standings = try builtIn("rounds").rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 11 2", "Bob 12 3", "Cid 2 1"])
    }

    @Test("no one leads before the first score, and a player without scores has no rank")
    func nothingYet() throws {
        var table = Table("Ann", "Bob")
        table.options[Symbol(known: "wins")] = .text("lowest")
        let rules = try builtIn("rounds").rules
        let empty = rules.standings(of: table.book)
        #expect(lines(empty) == ["Ann 0 -", "Bob 0 -"])
        #expect(empty.leaders == [])

        table.rounds(1, 9)
        #expect(lines(rules.standings(of: table.book)) == ["Ann 9 1", "Bob 0 -"])
        table.rounds(2, 0)
        #expect(lines(rules.standings(of: table.book)) == ["Ann 9 2", "Bob 0 1"])
        table.write(2, "round", 1, to: .null)
        #expect(lines(rules.standings(of: table.book)) == ["Ann 9 1", "Bob 0 -"])
    }

    @Test("a target ends the game when the round is complete, and a correction takes the end back")
    func target() throws {
        var table = Table("Ann", "Bob")
        table.options[Symbol(known: "target")] = .integer(100)
        table.rounds(1, 60, 39)
        table.rounds(2, 20, 20)
        let rules = try builtIn("rounds").rules
        #expect(!rules.standings(of: table.book).isFinished)

        table.write(1, "round", 3, to: .integer(1))
        let early = rules.standings(of: table.book)
        #expect(!early.isFinished)
        #expect(
            early.told == ["Ann reached 100: the game ends when round 3 is complete (Bob)"]
        )
        table.write(2, "round", 3, to: .integer(61))
        let over = rules.standings(of: table.book)
        #expect(over.isFinished)
        #expect(over.winners == [player(2)])
        #expect(over.told == ["Ann, Bob reached 100"])

        table.write(1, "round", 2, to: .integer(38))
        table.write(2, "round", 2, to: .integer(0))
        #expect(!rules.standings(of: table.book).isFinished)
    }

    @Test("a round entered after the end does not revoke it")
    func afterTheTarget() throws {
        var table = Table("Ann", "Bob")
        table.options[Symbol(known: "target")] = .integer(100)
        table.rounds(1, 60, 40, -5)
        table.rounds(2, 20, 20)
        let over = try builtIn("rounds").rules.standings(of: table.book)
        #expect(over.isFinished)
        #expect(over.told == ["Ann reached 100"])
    }

    @Test("a target waits until all players have every round up to it")
    func silentPlayers() throws {
        var table = Table("Ann", "Bob", "Cid")
        table.options[Symbol(known: "target")] = .integer(10)
        table.rounds(1, 12)
        table.rounds(2, 3)
        let rules = try builtIn("rounds").rules
        let first = rules.standings(of: table.book)
        #expect(!first.isFinished)
        #expect(first.told == ["Ann reached 10: the game ends when round 1 is complete (Cid)"])
        // Somebody who enters two rounds at once wins nothing from who is still thinking.
        table.rounds(1, 12, 1)
        table.rounds(2, 3, 1)
        let second = rules.standings(of: table.book)
        #expect(!second.isFinished)
        #expect(second.told == first.told)
        table.rounds(3, 7, 4)
        let over = rules.standings(of: table.book)
        #expect(over.isFinished)
        #expect(over.winners == [player(1)])
    }

    @Test("a gap in the rounds of the leading player keeps the game open")
    func hole() throws {
        var table = Table("Ann", "Bob")
        table.options[Symbol(known: "target")] = .integer(10)
        let rules = try builtIn("rounds").rules
        table.rounds(1, 4)
        table.write(1, "round", 3, to: .integer(8))
        table.rounds(2, 1, 1, 1)
        let open = rules.standings(of: table.book)
        #expect(!open.isFinished)
        #expect(open.told == ["Ann reached 10: the game ends when round 2 is complete (Ann)"])
        table.write(1, "round", 2, to: .integer(0))
        #expect(rules.standings(of: table.book).isFinished)
    }

    @Test("a team without entries is waited for")
    func silentTeam() throws {
        var table = Table("Ann", "Bob", "Cid", "Dan")
        table.options[Symbol(known: "target")] = .integer(10)
        table.teams("red", "red", "blue", "blue")
        table.rounds(1, 12)
        let rules = try builtIn("rounds").rules
        let open = rules.standings(of: table.book)
        #expect(!open.isFinished)
        #expect(
            open.told.last == "red reached 10: the game ends when round 1 is complete (blue)"
        )
        table.rounds(4, 3)
        #expect(rules.standings(of: table.book).isFinished)
    }

    @Test("a team is one however its name is spelled on each laptop")
    func spelledTeams() throws {
        var table = Table("Ann", "Bob", "Cid")
        table.teams("Reds", "reds", "blue")
        table.rounds(1, 6)
        table.rounds(2, 4)
        table.rounds(3, 9)
        let standings = try builtIn("rounds").rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 6 1", "Bob 4 1", "Cid 9 2"])
        #expect(standings.told.first == "team Reds: 10, place 1 (Ann, Bob)")
    }

    @Test("one round of a team is enough for a target")
    func teamRounds() throws {
        var table = Table("Ann", "Bob", "Cid")
        table.options[Symbol(known: "target")] = .integer(10)
        table.teams("red", "red", "")
        table.rounds(1, 6)
        table.write(2, "round", 2, to: .integer(4))
        table.rounds(3, 1, 1)
        let over = try builtIn("rounds").rules.standings(of: table.book)
        #expect(over.isFinished)
        #expect(over.told.last == "red reached 10")
    }

    @Test(
        "where the lowest wins, the target ends the game for who reached it and not for the winner"
    )
    func targetOfLowest() throws {
        var table = Table("Ann", "Bob")
        table.options = [
            Symbol(known: "target"): .integer(100), Symbol(known: "wins"): .text("lowest"),
        ]
        table.rounds(1, 101)
        table.rounds(2, 26)
        let standings = try builtIn("rounds").rules.standings(of: table.book)
        #expect(standings.winners == [player(2)])
    }

    @Test("removed players follow without a rank, keep their scores and end no game")
    func removed() throws {
        var table = Table("Ann", "Bob", "Cid")
        table.options[Symbol(known: "target")] = .integer(50)
        table.points(1, 99)
        table.points(2, 20)
        table.points(3, 30)
        table.remove(1)
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(lines(standings) == ["Bob 20 2", "Cid 30 1", "Ann 99 -"])
        #expect(!standings.isFinished)
    }

    @Test("in a conflict the winner counts and the others are shown")
    func conflict() throws {
        var table = Table("Ann")
        table.conflict(1, "points", to: .integer(48), .integer(50))
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(standings[player(1)]?.total == 50)
        let cell = try #require(standings[player(1)]?.cells.first)
        #expect(cell.points == 50)
        #expect(cell.bookCell.live.losers.map(\.value) == [.integer(48)])
    }

    @Test("a cleared cell is omitted, unless a concurrent value is live")
    func cleared() throws {
        var table = Table("Ann")
        let rules = try builtIn("points").rules
        table.write(1, "points", to: .null)
        #expect(rules.standings(of: table.book)[player(1)]?.cells.count == 0)

        table.conflict(1, "points", to: .integer(7), .null)
        let standing = try #require(rules.standings(of: table.book)[player(1)])
        #expect(standing.cells.map(\.points) == [nil])
        #expect(standing.rank == nil)
    }

    @Test("an entry that does not count is flagged with its reason, and shown")
    func flags() throws {
        var table = Table("Ann")
        table.write(1, "points", to: .text("x"))
        table.write(1, "points", 2, to: .integer(5))
        table.write(1, "birds", to: .integer(5))
        table.points(9, 5)
        table.options = [
            Symbol(known: "target"): .integer(0), Symbol(known: "foo"): .boolean(true),
        ]
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(
            standings.flags.map { $0.words(in: table.book) } == [
                "1 entry does not count, because its player is not in the game",
                "option foo: there is no option “foo”",
                "option target: target takes a whole number of at least 1, not 0",
                "Ann, points: points takes a whole number, not “x”",
                "Ann, points.2: points has no rounds",
                "Ann, birds: there is no row “birds”",
            ]
        )
        #expect(standings[player(1)]?.cells.map(\.points) == [nil, nil, nil])
        #expect(lines(standings) == ["Ann 0 -"])
    }

    @Test("totals beyond the range of a cell are clamped and flagged, and never trap")
    func saturation() throws {
        var table = Table("Ann", "Bob", "Cid")
        let most = Value.largestInteger
        table.rounds(1, most, most)
        table.rounds(2, -most, -most)
        table.rounds(3, most, most, -most)
        let standings = try builtIn("rounds").rules.standings(of: table.book)
        #expect(standings.players.map(\.total) == [.largest, 0 - .largest, .largest])
        #expect(standings.players.map(\.rank) == [1, 3, 1])
        #expect(
            standings.flags == [
                Flag(.player(player(1)), .totalOutOfRange),
                Flag(.player(player(2)), .totalOutOfRange),
            ]
        )
    }

    @Test("numbers beyond the range of a cell do not count, from any source")
    func beyond() throws {
        var table = Table("Ann")
        table.rounds(1, .max, .min, 3)
        let standings = try builtIn("rounds").rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 3 1"])
        #expect(standings.flags.count == 2)
    }

    @Test("cells are in the order of the sheet, then by round")
    func cellOrder() throws {
        var table = Table("Ann")
        table.write(1, "a", to: .integer(1))
        for round: UInt32 in [10, 2, 1] { table.write(1, "round", round, to: .integer(1)) }
        let standings = try builtIn("rounds").rules.standings(of: table.book)
        let cells = standings[player(1)]?.cells.map(\.bookCell.cell)
        #expect(
            cells == [
                table.cell(1, "round", 1), table.cell(1, "round", 2), table.cell(1, "round", 10),
                table.cell(1, "a"),
            ]
        )
    }

    @Test("the document of a session is a book")
    func document() throws {
        var live: [Key: LiveSet] = [:]
        let mutations =
            Mutation.add(player(1), name: "Ann") + Mutation.add(player(2), name: "Bob")
            + Mutation.score(Cell(player: player(1), row: Symbol(known: "points")), .integer(4))
            + [.game(Symbol(known: "points")), .seats([player(2), player(1)]), .finished(true)]
        for (index, mutation) in mutations.enumerated() {
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 1, low: 1), sequence: UInt64(index + 1)),
                stamp: Stamp(bits: UInt64(index)),
                author: DeviceID(high: 1, low: 1),
                value: mutation.value
            )
            live[mutation.key] = LiveSet(entry)
        }
        let board = Scoreboard(live) { header throws(SheetError) in
            try SheetLibrary.builtIn.sheet(of: header)
        }
        let standings = try #require(board.standings)
        #expect(lines(standings) == ["Bob 0 -", "Ann 4 1"])
        #expect(standings.winners == [player(1)])
    }
}
