import ScoreSheets
import SessionCRDT
import Testing

@Suite("Ends of games")
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

    private func notes(_ sheet: Sheet, _ table: Table) -> [String] {
        let standings = sheet.rules.standings(of: table.book)
        return [standings.isFinished ? "over" : "open"] + standings.notes.map(\.description)
    }

    @Test("a target ends the game at once where the sheet says so, and a correction takes it back")
    func once() throws {
        let sheet = try sheet(#", "target": 10, "ends": "at-once""#)
        var table = Table("Ann", "Bob", "Cy")
        table.rounds(1, 4, 4)
        table.rounds(2, 3)
        #expect(notes(sheet, table) == ["open"])
        table.write(2, "round", 2, to: .integer(7))
        #expect(notes(sheet, table) == ["over", "Bob reached 10"])
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 8 2", "Bob 10 1", "Cy 0 -"])
        table.write(2, "round", 2, to: .integer(6))
        #expect(notes(sheet, table) == ["open"])
        #expect(try Sheet(json: sheet.json) == sheet)
    }

    @Test("a target is reached from above in a game that counts down", arguments: [false, true])
    func down(isAtOnce: Bool) throws {
        let more = #", "wins": "lowest", "target": 0, "counts": "down""#
        let sheet = try sheet(
            more + (isAtOnce ? #", "ends": "at-once""# : ""),
            row: #", "running": "if(round = 1, 101, before) - entered""#
        )
        var table = Table("Ann", "Bob")
        table.write(1, "round", 1, to: .integer(60))
        // Before the first round is complete nobody has come down from anything.
        #expect(notes(sheet, table) == ["open"])
        table.write(2, "round", 1, to: .integer(57))
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 41 1", "Bob 44 2"])
        #expect(notes(sheet, table) == ["open"])
        table.write(1, "round", 2, to: .integer(41))
        let waits = "Ann reached 0: the game ends when round 2 is complete (Bob)"
        #expect(notes(sheet, table) == (isAtOnce ? ["over", "Ann reached 0"] : ["open", waits]))
        table.write(2, "round", 2, to: .integer(40))
        #expect(notes(sheet, table) == ["over", "Ann reached 0"])
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 0 1", "Bob 4 2"])
        #expect(try Sheet(json: sheet.json) == sheet)
        let when = isAtOnce ? "as soon as" : "when a round is complete and"
        #expect(sheet.ruleSummary[1] == "The game ends \(when) a player is down to 0.")
    }

    @Test(
        "invalid targets are rejected",
        arguments: [
            (#", "ends": "at-once""#, "ends", "only with a target"),
            (#", "counts": "down""#, "counts", "only with a target"),
        ]
    )
    func alone(more: String, path: String, reason: String) throws {
        let refusal = try #require(throws: SheetError.self) { try sheet(more) }
        #expect(refusal == .unreadable(path: path, reason: reason))
    }
}
