import ScoreSheets
import SessionCRDT
import Testing

@Suite("Tie-breakers")
struct TieBreakTests {
    private let json = """
        {"id": "birds", "name": "Birds", "players": {"from": 1, "to": 3},
         "rows": [{"id": "points", "label": "Points", "kind": "number"},
                  {"id": "food", "label": "Food", "kind": "number", "scores": false},
                  {"id": "loans", "label": "Loans", "kind": "number", "scores": false}],
         "tieBreakers": [{"row": "food"}, {"row": "loans", "wins": "lowest"}]}
        """

    private func standings(
        _ rows: [(points: Int64, food: Int64?, loans: Int64?)]
    ) throws
        -> Standings
    {
        var table = Table("Ann", "Bob", "Cid", "Dan")
        table.players = Array(table.players.prefix(rows.count))
        for (index, row) in rows.enumerated() {
            let number = UInt64(index + 1)
            table.points(number, row.points)
            if let food = row.food { table.write(number, "food", to: .integer(food)) }
            if let loans = row.loans { table.write(number, "loans", to: .integer(loans)) }
        }
        return try Sheet(json: json).rules.standings(of: table.book)
    }

    @Test("the first tie-breaker decides between equal totals, with a note")
    func first() throws {
        // The published example of Wingspan: 98, 101, 98, the second place by 3 food against 2.
        let standings = try standings([(98, 3, nil), (101, 0, nil), (98, 2, nil)])
        #expect(lines(standings) == ["Ann 98 2", "Bob 101 1", "Cid 98 3"])
        #expect(
            standings.players.map(\.tieBreak) == ["tied at 98, Food 3", nil, "tied at 98, Food 2"]
        )
    }

    @Test("the second decides where the first does not, and the lowest wins")
    func second() throws {
        let standings = try standings([(50, 1, 2), (50, 1, 1), (50, nil, nil)])
        #expect(lines(standings) == ["Ann 50 2", "Bob 50 1", "Cid 50 3"])
        #expect(standings[player(2)]?.tieBreak == "tied at 50, Food 1, Loans 1")
        #expect(standings[player(3)]?.tieBreak == "tied at 50, Food 0, Loans 0")
    }

    @Test("a tie that no tie-breaker decides is shared")
    func shared() throws {
        let standings = try standings([(50, 1, 0), (50, 1, 0), (50, 2, 0)])
        #expect(lines(standings) == ["Ann 50 2", "Bob 50 2", "Cid 50 1"])
        #expect(standings[player(1)]?.tieBreak == "tied at 50, Food 1, Loans 0, shared")
        #expect(standings[player(3)]?.tieBreak == "tied at 50, Food 2, Loans 0")
    }

    @Test("a row that does not score adds nothing and gives no rank")
    func notScoring() throws {
        var table = Table("Ann", "Bob")
        table.points(1, -5)
        table.write(2, "food", to: .integer(9))
        let standings = try Sheet(json: json).rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann -5 1", "Bob 0 -"])
        #expect(standings[player(2)]?.cells.map(\.points) == [0])
    }

    @Test("more players than the game takes are flagged")
    func crowd() throws {
        let standings = try standings([(1, nil, nil), (2, nil, nil), (3, nil, nil), (4, nil, nil)])
        #expect(
            standings.flags.map(\.reason.description) == ["the game takes 1 to 3 players, not 4"]
        )
    }
}
