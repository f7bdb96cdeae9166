import ScoreSheets
import SessionCRDT
import Testing

/// The flags of entries of players without a seat.
struct StrangerTests {
    @Test(
        "Entries of players without a seat are counted in one flag, before all others",
        arguments: [
            ("rounds", "round"), ("darts", "visit"), ("reversi", "move"), ("smash-up", "points"),
            ("ghost", "letter"), ("bowling", "frame"), ("tennis", "point"), ("cricket", "visit"),
            ("rubber-bridge", "deal"),
        ]
    )
    func strangers(_ game: String, _ row: String) throws {
        let sheet = try SheetLibrary.builtIn.sheet(named: game)
        var table = Table("Ann", "Bob")
        table.write(1, "eggs", 1, to: .integer(1))
        let before = sheet.rules.standings(of: table.book).flags
        for round in 1...300 as ClosedRange<UInt32> {
            table.write(try cell(7 + UInt64(round % 3), row, round), to: .integer(1))
        }
        table.write(try cell(7, row, 301), to: .null)
        let flags = sheet.rules.standings(of: table.book).flags
        #expect(flags.count == before.count + 1)
        #expect(flags.first?.subject == .game)
        let words = "300 entries do not count, because their players are not in the game"
        #expect(flags.first?.words(in: table.book) == words)
    }

    private func cell(_ number: UInt64, _ row: String, _ round: UInt32) throws -> Cell {
        Cell(player: player(number), row: try #require(Symbol(row)), round: round)
    }

    @Test("The flag disappears when they are seated, or have no entries left")
    func seated() throws {
        let sheet = try builtIn("rounds")
        var table = Table("Ann")
        table.write(2, "round", 1, to: .integer(5))
        func words() -> [String] {
            sheet.rules.standings(of: table.book).flags.map { $0.words(in: table.book) }
        }
        #expect(words() == ["1 entry does not count, because its player is not in the game"])
        var other = table
        other.write(2, "round", 1, to: .null)
        swap(&table, &other)
        #expect(words() == [])
        swap(&table, &other)
        table.players.append(Player(id: player(2), name: "Bob"))
        #expect(words() == [])
    }
}
