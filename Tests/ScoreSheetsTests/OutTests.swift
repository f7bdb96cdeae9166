import ScoreSheets
import SessionCRDT
import Testing

@Suite("Players who are out, and the end at a target")
struct OutTests {
    private func table(_ throws: [Int64]...) -> Table {
        var table = Table("Ann", "Bob", "Cem")
        for (index, values) in `throws`.enumerated() {
            for (round, value) in values.enumerated() {
                table.write(UInt64(index + 1), "throw", UInt32(round + 1), to: .integer(value))
            }
        }
        return table
    }

    @Test("three misses put a player out, behind all who are in, without further throws")
    func out() throws {
        let rules = try builtIn("molkky").rules
        let table = table([12, 0, 0, 0], [1, 1, 1], [2, 0, 0, 3])
        let standings = rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 12 3", "Bob 3 2", "Cem 5 1"])
        #expect(!standings.isFinished)
        let game = rules.game(of: table.book)
        let next = Score(table.cell(1, "throw", 5), .integer(1))
        #expect(throws: RuleViolation.self) { try game.check(next, in: table.book) }
        let correction = Score(table.cell(1, "throw", 4), .integer(1))
        #expect(throws: Never.self) { try game.check(correction, in: table.book) }
    }

    @Test("the last one in has won, and nobody waits for those who are out")
    func last() throws {
        let rules = try builtIn("molkky").rules
        let standings = rules.standings(of: table([12, 0, 0, 0], [1, 0, 0, 0], [2]).book)
        #expect(standings.isFinished)
        #expect(standings.winners == [player(3)])
        // Somebody who has not thrown yet is in.
        let other = rules.standings(of: table([12, 0, 0, 0], [1, 0, 0, 0]).book)
        #expect(other.isFinished)
        #expect(!rules.standings(of: table([12, 0, 0, 0], [1]).book).isFinished)
    }

    @Test("a player who was removed stays in the result, without a place")
    func removed() throws {
        var table = Table("Ann", "Bob", "Cem")
        for number in 1...UInt64(2) { table.rounds(number, Int64(number)) }
        table.remove(2)
        table.remove(3)
        table.isFinished = true
        let outcome = try #require(
            try builtIn("rounds").rules.standings(of: table.book).outcomes.first
        )
        #expect(outcome.players.map(\.name) == ["Ann", "Bob"])
        #expect(outcome.players.map(\.rank) == [1, nil])
    }

    private func legs(
        _ options: KeyValuePairs<StaticString, Value>,
        _ winners: [UInt64]
    ) throws -> Standings {
        var table = Table("Ann", "Bob")
        table.options[Symbol(known: "start")] = .integer(2)
        for (name, value) in options { table.options[Symbol(known: name)] = value }
        let rules = try builtIn("darts").rules
        for winner in winners {
            while rules.standings(of: table.book).turn != player(winner) {
                try table.play("0", by: rules)
            }
            try table.play("D1", by: rules)
        }
        return rules.standings(of: table.book)
    }

    @Test("an even number of legs may end in a draw")
    func draw() throws {
        let drawn = try legs(["legs": .integer(2)], [1, 2])
        #expect(drawn.winners == [player(1), player(2)])
        #expect(try legs(["legs": .integer(4)], [1, 1, 1]).winners == [player(1)])
        #expect(try !legs(["legs": .integer(4)], [1, 1, 2]).isFinished)
    }

    @Test("all legs are played if the option says so")
    func allLegs() throws {
        let options: KeyValuePairs<StaticString, Value> = [
            "legs": .integer(3), "all-legs": .boolean(true),
        ]
        #expect(try !legs(options, [1, 1]).isFinished)
        let end = try legs(options, [1, 1, 2])
        #expect(end.winners == [player(1)])
        #expect(lines(end) == ["Ann 2 1", "Bob 1 2"])
    }

    @Test("a check of a whole sheet reports the column or the table that fails it")
    func sheetChecks() throws {
        let sheet = try Sheet(
            json: """
                {"id": "trains", "name": "Trains", "checks": [
                 {"formula": "one + 2 * two <= 5", "each": true, "help": "Five trains each."},
                 {"formula": "total(one) <= 6", "help": "Six short routes."}], "rows": [
                 {"id": "one", "label": "One", "kind": "number"},
                 {"id": "two", "label": "Two", "kind": "number"}]}
                """
        )
        #expect(try Sheet(json: sheet.json) == sheet)
        var table = Table("Ann", "Bob")
        table.write(1, "one", to: .integer(3))
        table.write(1, "two", to: .integer(1))
        #expect(sheet.rules.standings(of: table.book).flags.isEmpty)
        table.write(2, "one", to: .integer(4))
        table.write(2, "two", to: .integer(1))
        let flags = sheet.rules.standings(of: table.book).flags.map(\.reason.message)
        #expect(
            flags == ["Bob: Five trains each", "Six short routes; all players’ one together: 7"]
        )
    }

    private func farkle(_ rounds: [Int64]...) throws -> Standings {
        var table = Table("Ann", "Bob", "Cem")
        table.options[Symbol(known: "target")] = .integer(1000)
        for (index, values) in rounds.enumerated() {
            for (round, value) in values.enumerated() {
                table.write(UInt64(index + 1), "round", UInt32(round + 1), to: .integer(value))
            }
        }
        return try builtIn("farkle").rules.standings(of: table.book)
    }

    @Test("after the target everybody else has one more turn")
    func oneMore() throws {
        // Bob has it in round 2: Cem throws in that round, and Ann in the next one.
        #expect(try !farkle([500, 100], [500, 500], [500]).isFinished)
        #expect(try !farkle([500, 100], [500, 500], [500, 50]).isFinished)
        #expect(try farkle([500, 100, 0], [500, 500], [500, 50]).isFinished)
        // Somebody who has not begun is waited for.
        #expect(try !farkle([500, 500], [500, 50], []).isFinished)
    }

    @Test("a penalty after the opening leaves it open")
    func penalty() throws {
        #expect(try farkle([500, -500, 300])[player(1)]?.total == 300)
        #expect(try farkle([300, 450, 500, 50])[player(1)]?.total == 550)
    }

    @Test("two sides that share the first place at the target play on, if the sheet says so")
    func tie() throws {
        func standings(_ tie: String, _ more: Int64?) throws -> Standings {
            let sheet = try Sheet(
                json: """
                    {"id": "tie", "name": "Tie", "target": 50, "tie": "\(tie)", "rows": [
                     {"id": "round", "label": "Round", "kind": "rounds"}]}
                    """
            )
            var table = Table("Ann", "Bob")
            table.rounds(1, 60)
            table.rounds(2, 60)
            if let more {
                table.rounds(1, 60, more)
                table.rounds(2, 60, 1)
            }
            return sheet.rules.standings(of: table.book)
        }
        #expect(try standings("share", nil).isFinished)
        #expect(try !standings("play-on", nil).isFinished)
        #expect(try standings("play-on", 5).winners == [player(1)])
    }
}
