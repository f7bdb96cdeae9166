import ScoreSheets
import SessionCRDT
import Testing

/// Books as large as a hostile member can make them.
///
/// They are of a size at which work that grows with the number of players or cells takes well under
/// a second, and work that grows with its square takes minutes.
@Suite("Books of hostile size", .timeLimit(.minutes(10)))
struct HostileSizeTests {
    private static let crowd: UInt64 = 4000

    /// A table with so many people.
    private func table(_ count: UInt64 = crowd, isPresent: Bool = true) -> Table {
        var table = Table()
        table.players = (1...count).map { number in
            Player(id: player(number), name: "P\(number)", isPresent: isPresent)
        }
        return table
    }

    @Test("thousands of tied players are ranked once and not once each")
    func tied() throws {
        var table = table()
        for number in 1...Self.crowd { table.points(number, 7) }
        let standings = try builtIn("points").rules.standings(of: table.book)
        #expect(standings.players.allSatisfy { $0.tieBreak == "tied at 7, shared" })
        #expect(standings.leaders.count == Int(Self.crowd))
    }

    @Test("a ranked round is compared with its own players only")
    func rankedRounds() throws {
        let sheet = try Sheet(
            json: #"""
                {"id": "a", "name": "A", "rows": [
                  {"id": "r", "label": "R", "kind": "rounds", "places": [5, 2]}]}
                """#
        )
        var table = table(250)
        for round in 1...UInt32(40_000) {
            table.write(UInt64(round % 250 + 1), "r", round, to: .integer(1))
        }
        let standings = sheet.rules.standings(of: table.book)
        #expect(standings.players.allSatisfy { $0.total == 800 })
    }

    @Test("the next of thousands of players, nearly all of them out, is found at once")
    func ghosts() throws {
        var table = table(250)
        table.options = [
            Symbol(known: "circle"): .text(
                (1...UInt64(250)).map { player($0).description }.joined(separator: " ")
            )
        ]
        for turn in 1...UInt64(248) {
            table.write(turn, "letter", UInt32(turn), to: .text("x impossible"))
        }
        // Of those who are out, each more than they can have.
        for number in 1...UInt64(248) {
            for turn in 1000...UInt32(1100) {
                table.write(number, "letter", turn, to: .text("a open"))
            }
        }
        let standings = try builtIn("ghost").rules.standings(of: table.book)
        #expect(standings.turn == player(249))
        #expect(standings.flags.count(where: \.isOfCell) == 248 * 101)
    }

    @Test("thousands of players at a board are each found at once, and unknown ones together")
    func board() throws {
        var table = table()
        for number in 1...Self.crowd {
            table.write(number, "move", 1, to: .text("d3"))
            table.write(number + Self.crowd, "move", 1, to: .text("d3"))
        }
        let standings = try builtIn("reversi").rules.standings(of: table.book)
        // One move of the first seat counts; the crowd itself is flagged, and so are the strangers.
        #expect(standings.flags.count == Int(Self.crowd) - 1 + 2)
    }

    @Test("a leg keeps players who did not throw in it only up to a limit")
    func sitters() throws {
        var table = table(500)
        table.options = [
            Symbol(known: "start"): .integer(2), Symbol(known: "legs"): .integer(999),
            Symbol(known: "sets"): .integer(99),
        ]
        // The first player of a leg wins it with the first dart.
        for turn in 0..<UInt64(1000) {
            table.write(turn % 500 + 1, "visit", UInt32(turn + 1), to: .text("2/1"))
        }
        let standings = try builtIn("darts").rules.standings(of: table.book)
        #expect(standings.outcomes.count == 1000)
        #expect(standings.outcomes.first?.players.count == 500)
        #expect(standings.outcomes.last?.players.map(\.isWinner) == [true])
        let parts = standings.outcomes.reduce(0) { $0 + $1.players.count }
        #expect(parts == 1000 + 10_000)
    }

    @Test("thousands of darts players are reseated at once")
    func seats() throws {
        var table = table()
        for number in 1...Self.crowd {
            table.write(number, "visit", UInt32(number), to: .text("60"))
        }
        for number in 1...Self.crowd / 2 { table.remove(number * 2) }
        let standings = try builtIn("darts").rules.standings(of: table.book)
        #expect(standings.flags.isEmpty)
    }

    @Test("a thousand games of thousands of players keep those who took part in each")
    func games() throws {
        var table = table(500)
        for turn in 1...UInt32(999) {
            table.write(1, "points", turn * 1000, to: .integer(15))
            let isOdd = turn % 2 == 1
            table.write(isOdd ? 1 : 2, "turn", turn, to: .text(isOdd ? "end" : "replay"))
        }
        let standings = try builtIn("smash-up").rules.standings(of: table.book)
        #expect(standings.outcomes.count == 500)
        #expect(standings.outcomes.allSatisfy { $0.players.map(\.name) == ["P1"] })
    }

    @Test("thousands of deals and of marks for one turn are visited once each")
    func facts() throws {
        var table = table(isPresent: false)
        for number in 2...Self.crowd {
            table.write(number, "turn", 1, to: .text("end"))
            table.write(number, "deal", to: .text("\(player(number)):ninjas+robots"))
        }
        let standings = try builtIn("smash-up").rules.standings(of: table.book)
        // One deal is the last writer's, and one mark is of whoever is first to move.
        #expect(standings.flags.count == 2 * (Int(Self.crowd) - 1) - 2)
    }

    @Test("gaps between rounds are filled while there are as many rounds as people play")
    func gaps() throws {
        let sheet = try builtIn("rounds")
        for (count, lines) in [(1000, 10_000), (1001, 1001)] {
            var table = Table("Ann")
            for place in 1...count {
                table.write(1, "round", UInt32(place * 10), to: .integer(1))
            }
            let standings = sheet.rules.standings(of: table.book)
            #expect(SheetLayout(sheet, standings, in: table.book).lines.count == lines)
        }
    }

    @Test("a message lists forty names of hundreds")
    func names() throws {
        let rows = (1...90).map { #"{"id": "r\#($0)", "label": "R", "kind": "number"}"# }
        let json = #"{"id": "b", "name": "B", "rows": [\#(rows.joined(separator: ","))]}"#
        let violation = RuleViolation.rowMissing(candidates: try Sheet(json: json).rows.map(\.id))
        #expect(violation.description.hasSuffix("r39, r40…"))
    }
}
