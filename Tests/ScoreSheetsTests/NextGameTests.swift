import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// The settings that the next game of the same people inherits.
struct NextGameTests {
    @Test("Choices hold for the next game, and what moves recorded does not")
    func choices() throws {
        let choices = SheetLibrary.builtIn.sheets.reduce(into: [String: [String]]()) {
            $0[$1.id.description] = $1.options.map(\.name).filter($1.rules.isChoice)
                .map(\.description)
        }
        let points = try builtIn("points").options.map(\.name.description)
        #expect(choices["points"] == points)
        #expect(choices["darts"] == ["start", "out", "in", "legs", "sets", "all-legs"])
        #expect(choices["ghost"] == ["language", "list", "minimum", "variant"])
        #expect(choices["reversi"] == [])
        #expect(choices["smash-up"] == ["target"])
        for sheet in SheetLibrary.builtIn.sheets {
            #expect(!sheet.rules.isChoice(Symbol(known: "stranger")), "\(sheet.id)")
        }
    }

    @Test("A replay of Smash Up has the same factions for the same players, and no points")
    func smashUp() throws {
        var table = Table("Ann", "Bob")
        let rules = try builtIn("smash-up").rules
        #expect(rules.carriedOver(from: table.book) == Played(by: nil, writes: []))
        try play(["use", "monster-smash"], rules, &table)
        try play(["deal"], rules, &table)
        let dealt = rules.carriedOver(from: table.book)
        #expect(dealt.writes.map(\.cell.row.description) == ["deal"])
        try play(["reveal"], rules, &table)
        try play(["Ann", "+3"], rules, &table)
        let carried = rules.carriedOver(from: table.book)
        #expect(carried.writes.map(\.cell.row.description) == ["deal", "reveal"])
        #expect(carried.writes.first == dealt.writes.first)
        // The next game has them, its options, and nothing that does not count.
        var next = Table("Ann", "Bob")
        next.options = table.options.filter { rules.isChoice($0.key) }
        #expect(next.options == table.options)
        for score in carried.writes { next.write(score.cell, to: score.value) }
        let standings = rules.standings(of: next.book)
        #expect(standings.flags == [])
        #expect(standings.players.map(\.total) == [0, 0])
        #expect(rules.carriedOver(from: next.book) == carried)
        #expect(throws: RuleViolation.self) { try play(["deal"], rules, &next) }
    }

    @Test("A replay after a player left keeps the factions of the others, as shown before")
    func smashUpWithoutBob() throws {
        var table = Table("Ann", "Bob", "Cid")
        let rules = try builtIn("smash-up").rules
        try play(["deal"], rules, &table)
        try play(["reveal"], rules, &table)
        let hands = rules.carriedOver(from: table.book).writes.compactMap(\.value.string)
            .map { $0.split(separator: " ") }
        table.remove(2)
        let carried = rules.carriedOver(from: table.book)
        let stay = try #require(hands.first).filter { !$0.hasPrefix("\(player(2))") }
        let deal = Value.text(stay.joined(separator: " "))
        #expect(carried.writes.map(\.value) == [deal, deal])
        var next = Table("Ann", "Cid")
        next.players[1] = Player(id: player(3), name: "Cid")
        for score in carried.writes { next.write(score.cell, to: score.value) }
        #expect(rules.standings(of: next.book).flags == [])
        #expect(rules.standings(of: next.book).told == [])
        // Of those who all left nothing is carried over.
        for number in [UInt64(1), 3] { table.remove(number) }
        table.players.append(Player(id: player(4), name: "Dan"))
        #expect(rules.carriedOver(from: table.book) == Played(by: nil, writes: []))
    }

    @Test("Darts and matches of two sides count matches, darts legs too, and other games games")
    func words() throws {
        let others = SheetLibrary.builtIn.sheets.map(\.rules).filter {
            $0.outcomeName != "game" || $0.partName != nil
        }
        let sports = KnownSport.allCases.map(\.rawValue)
        #expect(others.map(\.sheet.id.description).sorted() == (sports + ["darts"]).sorted())
        #expect(others.allSatisfy { $0.outcomeName == "match" })
        #expect(others.compactMap(\.partName) == ["leg"])
    }

    private func play(_ words: [String], _ rules: any GameRules, _ table: inout Table) throws {
        var aids = MoveContext(random: SeededGenerator(seed: 5))
        let played = try rules.play(Move(words), in: table.book, with: &aids)
        for score in played.writes { table.write(score.cell, to: score.value) }
        table.options.merge(played.options) { $1 }
    }
}
