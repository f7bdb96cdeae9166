import ScoreSheets
import SessionCRDT
import Testing

@Suite("Teams")
struct TeamTests {
    private func table() -> Table {
        var table = Table("Ann", "Bob", "Cid", "Dan", "Eve")
        table.teams("red", "blue", "red", "blue", "")
        for (number, points) in [(1, 10), (2, 12), (3, 5), (4, 1), (5, 14)] as [(UInt64, Int64)] {
            table.points(number, points)
        }
        return table
    }

    @Test("players of a team are ranked and win by their sum")
    func totals() throws {
        var table = table()
        table.isFinished = true
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 10 1", "Bob 12 3", "Cid 5 1", "Dan 1 3", "Eve 14 2"])
        #expect(standings.winners == [player(1), player(3)])
        #expect(
            standings.told == [
                "team red: 15, place 1 (Ann, Cid)", "team blue: 13, place 3 (Bob, Dan)",
            ]
        )
    }

    @Test("the lowest team wins if the option says so, and equal teams share")
    func lowest() throws {
        var table = table()
        table.options[Symbol(known: "wins")] = .text("lowest")
        let lowest = try builtIn("points").rules.standings(of: table.book)
        #expect(lines(lowest) == ["Ann 10 3", "Bob 12 1", "Cid 5 3", "Dan 1 1", "Eve 14 2"])
        table.points(4, 3)
        let equal = try builtIn("points").rules.standings(of: table.book)
        #expect(lines(equal) == ["Ann 10 2", "Bob 12 2", "Cid 5 2", "Dan 3 2", "Eve 14 1"])
        #expect(equal[player(1)]?.tieBreak == "tied at 15, shared")
    }

    @Test("a target is reached by a team together")
    func target() throws {
        var table = table()
        table.options[Symbol(known: "target")] = .integer(15)
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(standings.isFinished)
        #expect(standings.told.last == "red reached 15")
    }

    @Test("removed players are in no team; a player without scores ranks with the partners")
    func absent() throws {
        var table = table()
        table.remove(3)
        table.cells[table.cell(4, "points")] = nil
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(
            lines(standings) == ["Ann 10 3", "Bob 12 2", "Dan 0 2", "Eve 14 1", "Cid 5 -"]
        )
    }
}
