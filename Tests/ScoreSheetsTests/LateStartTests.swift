import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Players who join late")
struct LateStartTests {
    private static let ofRounds = SheetLibrary.builtIn.sheets
        .filter { sheet in !sheet.hasMoves && sheet.rows.contains { $0.kind == .rounds } }
        .map(\.id.description)
        // With three people it has another way to lose than with four.
        .filter { $0 != "five-hundred" }

    /// A table of three, and the same with a fourth who joins in round 3.
    private func tables(start: Points = 0) -> (three: Table, four: Table) {
        let three = Table("Ann", "Bob", "Cem")
        var four = Table("Ann", "Bob", "Cem")
        four.players.append(Player(id: player(4), name: "Dee", since: 3, start: start))
        return (three, four)
    }

    @Test(
        "nothing that was played before depends on them, in any game with rounds",
        arguments: ofRounds,
        0..<3
    )
    func independent(game: String, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sheet = try SheetLibrary.builtIn.sheet(named: game)
        guard sheet.players.contains(4) else { return }
        var (three, four) = tables(start: 7)
        for number in 1...UInt64(3) {
            for row in sheet.rows where row.lastRound != nil && !row.isComputed {
                for round in 1...UInt32(2) where round <= row.lastRound ?? 0 {
                    guard let value = value(of: row, using: &generator) else { continue }
                    let cell = Cell(player: player(number), row: row.id, round: round)
                    three.write(cell, to: value)
                    four.write(cell, to: value)
                }
            }
        }
        let before = sheet.rules.standings(of: three.book)
        let after = sheet.rules.standings(of: four.book)
        for number in 1...UInt64(3) {
            #expect(before[player(number)]?.total == after[player(number)]?.total)
            #expect(before[player(number)]?.rank == after[player(number)]?.rank)
        }
        #expect(after[player(4)]?.total == 7)
        #expect(after[player(4)]?.rank == nil)
        #expect(before.flags.map(\.reason) == after.flags.map(\.reason))
        #expect(before.isFinished == after.isFinished)
    }

    private func value(of row: Row, using generator: inout SeededGenerator) -> Value? {
        switch row.content {
        case .flag: .boolean(Bool.random(using: &generator))
        case .choice(let choices):
            choices.randomElement(using: &generator).map { .text($0.word.description) }
        case .number, .rounds:
            .integer(
                min(max(Int64.random(in: 0...13, using: &generator), row.range.from), row.range.to)
            )
        case .tokens, .order, .text, .moves, .computed: nil
        }
    }

    @Test("their first round is the one in which they joined")
    func firstRound() throws {
        let sheet = try builtIn("rounds")
        var (_, table) = tables(start: 20)
        for number in 1...UInt64(3) { table.rounds(number, 5, 5) }
        let game = sheet.rules.game(of: table.book)
        #expect(game.openRound(in: table.book) == 3)
        let scores = try ScoreParser(sheet).scores(["4"], for: player(4), in: table.book)
        #expect(scores == [Score(table.cell(4, "round", 3), .integer(4))])
        try game.check(scores, in: table.book)
        let early = Score(table.cell(4, "round", 2), .integer(4))
        // Somebody who was only forgotten may have earlier rounds entered, one by one.
        #expect(throws: Never.self) { try game.check(early, in: table.book) }
        table.write(4, "round", 3, to: .integer(4))
        #expect(sheet.rules.standings(of: table.book)[player(4)]?.total == 24)
    }

    @Test("fields that are typed without a round belong to it, too")
    func fields() throws {
        let (_, table) = tables()
        let parser = ScoreParser(try builtIn("wizard"))
        let scores = try parser.scores(["bid=1", "tricks=1"], for: player(4), in: table.book)
        #expect(scores.map(\.cell.round) == [3, 3])
    }

    @Test("a running total begins with their points")
    func running() throws {
        var (_, table) = tables(start: 45)
        table.write(4, "throw", 3, to: .integer(8))
        let standings = try builtIn("molkky").rules.standings(of: table.book)
        // 53 is too much: back to 25.
        #expect(standings[player(4)]?.total == 25)
    }

    @Test("the end waits for them only once they have entered something")
    func target() throws {
        let rules = try builtIn("rounds").rules
        var (_, table) = tables()
        table.options[Symbol(known: "target")] = .integer(50)
        table.rounds(1, 20, 20, 20)
        table.rounds(2, 5, 5, 5)
        table.rounds(3, 5, 5)
        #expect(!rules.standings(of: table.book).isFinished)
        table.rounds(3, 5, 5, 5)
        #expect(rules.standings(of: table.book).isFinished)
        table.write(1, "round", 4, to: .integer(1))
        table.write(4, "round", 3, to: .integer(1))
        #expect(rules.standings(of: table.book).isFinished)
    }

    @Test("partners who joined late and enter by turns complete their rounds")
    func partnersByTurns() throws {
        let rules = try builtIn("rounds").rules
        let (first, last) = (UInt32(100), UInt32(180))
        var table = Table("Ann", "Bob", "Cem")
        table.players = table.players.map { seated in
            let isLate = seated.id != player(2)
            return Player(
                id: seated.id,
                name: seated.name,
                team: isLate ? "late" : nil,
                since: isLate ? first : 1
            )
        }
        table.options[Symbol(known: "target")] = .integer(50)
        for round in 1...last { table.write(2, "round", round, to: .integer(0)) }
        for round in first...last {
            let number: UInt64 = round.isMultiple(of: 2) ? 1 : 3
            table.write(number, "round", round, to: .integer(round == last ? 50 : 0))
        }
        #expect(rules.standings(of: table.book).isFinished)
        table.write(2, "round", last, to: .null)
        #expect(!rules.standings(of: table.book).isFinished)
    }

    @Test("a formula counts the people who play the round")
    func players() throws {
        let sheet = try Sheet(
            json: """
                {"id": "count", "name": "Count", "rows": [
                 {"id": "round", "label": "Round", "kind": "rounds", "formula": "entered * players"}]}
                """
        )
        var (_, table) = tables()
        table.rounds(1, 1, 1, 1)
        // Three people, three, and four.
        #expect(sheet.rules.standings(of: table.book)[player(1)]?.total == 10)
    }

    @Test("darts are counted down from a player's own start, in every leg")
    func ownStart() throws {
        var table = Table("Ann")
        table.players.append(Player(id: player(2), name: "Bob", start: 32))
        table.options[Symbol(known: "start")] = .integer(101)
        table.options[Symbol(known: "legs")] = .integer(3)
        let rules = try builtIn("darts").rules
        try table.play("60", by: rules)
        try table.play("D16", by: rules)
        #expect(rules.standings(of: table.book).outcomes[0].players.map(\.rank) == [2, 1])
        try table.play("D16", by: rules)
        #expect(rules.standings(of: table.book).winners == [player(2)])
        #expect(throws: RuleViolation.self) { try rules.check(start: 40, in: table.book) }
        #expect(throws: RuleViolation.self) { try rules.check(start: 1, in: Table("Ann").book) }
    }

    @Test("pins of a handicap are part of the total")
    func pins() throws {
        var table = Table("Ann")
        table.players.append(Player(id: player(2), name: "Bob", start: 20))
        let rules = try builtIn("bowling").rules
        try table.play("72", by: rules)
        try table.play("54", by: rules)
        #expect(lines(rules.standings(of: table.book)) == ["Ann 9 2", "Bob 29 1"])
    }

    @Test(
        "the last round ends the game, also for them",
        arguments: zip(["count-up", "shanghai", "halve-it"], ["visit", "marks", "visit"])
    )
    func lastRound(game: String, row: String) throws {
        let sheet = try SheetLibrary.builtIn.sheet(named: game)
        var table = tables().four
        table.options[Symbol(known: "rounds")] = .integer(4)
        let row = try #require(Symbol(row))
        for number in 1...UInt64(4) {
            for round in UInt32(number == 4 ? 3 : 1)...4 {
                #expect(!sheet.rules.standings(of: table.book).isFinished)
                table.write(Cell(player: player(number), row: row, round: round), to: .integer(6))
            }
        }
        #expect(sheet.rules.standings(of: table.book).isFinished)
    }
}
