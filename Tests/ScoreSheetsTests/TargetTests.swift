import ScoreSheets
import SessionCRDT
import Testing

@Suite("What ends a game")
struct TargetTests {
    private func sheet(_ more: String, row: String = "") throws -> Sheet {
        try Sheet(
            json: """
                {"id": "a", "name": "A", "rows": [
                  {"id": "round", "label": "Round", "kind": "rounds"\(row)}
                ]\(more)}
                """
        )
    }

    private func told(_ sheet: Sheet, _ table: Table) -> [String] {
        let standings = sheet.rules.standings(of: table.book)
        return [standings.isFinished ? "over" : "open"] + standings.notes.map(\.description)
    }

    @Test("a target ends the game at once where the sheet says so, and a correction takes it back")
    func once() throws {
        let sheet = try sheet(#", "target": 10, "ends": "at-once""#)
        var table = Table("Ann", "Bob", "Cy")
        table.rounds(1, 4, 4)
        table.rounds(2, 3)
        #expect(told(sheet, table) == ["open"])
        table.write(2, "round", 2, to: .integer(7))
        #expect(told(sheet, table) == ["over", "Bob reached 10"])
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 8 2", "Bob 10 1", "Cy 0 -"])
        table.write(2, "round", 2, to: .integer(6))
        #expect(told(sheet, table) == ["open"])
        #expect(try Sheet(json: sheet.json) == sheet)
    }

    @Test("what ends nothing is refused")
    func alone() throws {
        let refusal = try #require(throws: SheetError.self) { try sheet(#", "ends": "at-once""#) }
        #expect(refusal == .unreadable(path: "ends", reason: "only a target ends a game"))
    }
}
