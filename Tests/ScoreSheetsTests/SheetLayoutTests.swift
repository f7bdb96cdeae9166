import ScoreSheets
import SessionCRDT
import Testing

@Suite("The lines of a table")
struct SheetLayoutTests {
    private func labels(_ sheet: Sheet, _ table: Table) -> [String] {
        SheetLayout(sheet, sheet.rules.standings(of: table.book), in: table.book).lines
            .map(\.label)
    }

    @Test("a row without rounds has its line from the start")
    func plain() throws {
        let sheet = try builtIn("points")
        #expect(labels(sheet, Table("Ann")) == ["Points"])
    }

    @Test("rounds have lines up to the last one that any player uses")
    func rounds() throws {
        var table = Table("Ann", "Bob")
        let sheet = try builtIn("rounds")
        #expect(labels(sheet, table) == [])
        table.rounds(1, 3, 4)
        table.write(2, "round", 4, to: .integer(1))
        #expect(labels(sheet, table) == ["Round 1", "Round 2", "Round 3", "Round 4"])
    }

    @Test("a gap of ten rounds is shown and a longer one is not")
    func gaps() throws {
        var table = Table("Ann")
        let sheet = try builtIn("rounds")
        table.write(1, "round", 11, to: .integer(1))
        #expect(labels(sheet, table).count == 11)
        table.write(1, "round", 23, to: .integer(1))
        table.write(1, "round", Cell.lastRound, to: .integer(1))
        #expect(labels(sheet, table).suffix(2) == ["Round 23", "Round 1000000"])
        #expect(labels(sheet, table).count == 13)
    }

    @Test("cells that the sheet does not define get no line")
    func strays() throws {
        var table = Table("Ann")
        table.write(1, "round", 0, to: .integer(1))
        table.write(1, "round", .max, to: .integer(1))
        table.write(1, "round", to: .integer(1))
        table.write(1, "eggs", to: .integer(1))
        #expect(labels(try builtIn("rounds"), table) == [])
    }

    @Test("points are shown next to entries only where they differ")
    func points() throws {
        let sheet = try Sheet(
            json: """
                {"id": "a", "name": "A",
                 "rows": [{"id": "points", "label": "Points", "kind": "number"},
                          {"id": "food", "label": "Food", "kind": "number", "scores": false}]}
                """
        )
        var table = Table("Ann")
        table.points(1, 5)
        table.write(1, "food", to: .integer(2))
        let lines = SheetLayout(sheet, sheet.rules.standings(of: table.book), in: table.book).lines
        #expect(lines.map(\.label) == ["Points", "Food"])
        #expect(lines.map(\.showsPoints) == [false, true])
    }
}
