import ScoreSheets
import SessionCRDT
import Testing

@Suite("Corrected points, and concurrent ones")
struct SportCorrectionTests {
    private let order = Symbol(known: "order")

    @Test("only the first point records the players and options of the match")
    func recorded() throws {
        var match = try SportTable()
        try match.play("Bob")
        let mode =
            "best=5 points=11 lead=2 cap=0 last=0 games=0 tie-break=0 final=same most=1"
        let recorded = Value.text("\(mode);1 \(player(1)) \(player(2))")
        #expect(match.table.options == [order: recorded])
        try match.play("Bob")
        #expect(match.table.options == [order: recorded])
        // New players and new seats change no point.
        match.table.players.reverse()
        match.table.players.insert(Player(id: player(3), name: "Cid"), at: 0)
        #expect(lines(match.standings) == ["Cid 0 -", "Bob 0 -", "Ann 0 -"])
        #expect(match.shown.suffix(2) == ["  Ann 0 0", "> Bob 0 2"])
        #expect(match.flags == [])
    }

    @Test("options that decide how points count are fixed by the first point")
    func fixed() throws {
        var match = try SportTable()
        #expect(match.refusal(ofOption: "points") == nil)
        try match.play("Ann")
        #expect(
            match.refusal(ofOption: "points")
                == "points count already, so points stays as it is; a new match can have another, "
                + "but the match in progress is lost; to begin one: scorectl session new --again "
                + "--option points=…"
        )
        #expect(match.refusal(ofOption: "order")?.contains("recorded by the first point") == true)
        // Set all the same, by a device that was apart.
        match.table.options[Symbol(known: "points")] = .integer(3)
        try match.playPoints("2a")
        #expect(match.shown[0] == "Best of 5 games to 11")
        #expect(
            match.flags == [
                "option points: this match has 11, as its first point recorded; 3 holds from the "
                    + "next match on"
            ]
        )
    }

    @Test("of two entries for one point the later one counts, and the other is flagged")
    func twice() throws {
        var match = try SportTable()
        try match.playPoints("3a")
        // Another laptop saw it otherwise, and wrote later.
        match.table.write(2, "point", 2, to: .text("1"))
        #expect(match.shown.suffix(2) == ["  Ann 0 2", "> Bob 0 1"])
        #expect(match.flags == ["Ann, point.2: a later entry says that point 2 was Bob's"])
        match.table.write(1, "point", 2, to: .text("1"))
        #expect(match.shown.suffix(2) == ["  Ann 0 3", "> Bob 0 0"])
        #expect(match.flags == ["Bob, point.2: a later entry says that point 2 was Ann's"])
    }

    @Test("a past point is given to the other side by a score, and removed by a clear")
    func corrected() throws {
        var match = try SportTable()
        try match.playPoints("a b a")
        try match.correct(2, 1, to: .text("1"))
        #expect(match.shown.suffix(2) == ["  Ann 0 1", "> Bob 0 2"])
        try match.correct(1, 1, to: .null)
        #expect(match.flags == [])
        try match.correct(2, 1, to: .null)
        #expect(match.flags.count == 2)
        #expect(match.flags[0] == "Ann, point.3: point 1 comes first and nothing counts there")
        try match.play("Ann")
        #expect(match.flags == [])
        #expect(match.shown.suffix(2) == ["  Ann 0 2", "> Bob 0 1"])
    }

    @Test("a score is rejected after the open point, with other values, and after the end")
    func refused() throws {
        var match = try SportTable(.tableTennis, ["best": .integer(1)])
        try match.play("Ann")
        func refusal(_ number: UInt64, _ point: UInt32, _ text: String) -> String? {
            var copy = match
            do throws(RuleViolation) {
                try copy.correct(number, point, to: .text(text))
            } catch { return error.description }
            return nil
        }
        #expect(refusal(1, 2, "1") == nil)
        #expect(refusal(1, 3, "1") == "point 2 comes first and nothing counts there")
        #expect(refusal(1, 2, "2") == "a point counts 1, not 2; enter one at a time")
        #expect(refusal(1, 2, "01")?.contains("is not a number of points") == true)
        try match.playPoints("10a")
        #expect(refusal(2, 12, "1")?.contains("Ann has won the match") == true)
        // The winning point can still be corrected: then the match goes on.
        #expect(refusal(2, 11, "1") == nil)
    }

    @Test("a reset undoes the game in progress, after a question")
    func reset() throws {
        var match = try SportTable()
        func reset() -> Result<Reset, RuleViolation> {
            Result { () throws(RuleViolation) in try match.rules.reset(of: match.table.book) }
        }
        #expect(throws: RuleViolation.self) { try reset().get() }
        try match.playPoints("11a 3b")
        let found = try reset().get()
        #expect(found.question == "Take back game 2, which loses 3 points?")
        #expect(found.writes.map(\.cell.round) == [12, 13, 14])
        match.table.write(1, "point", 11, to: .null)
        #expect(try reset().get().question == "Take back game 1, which loses 13 points?")
    }

    @Test("a removed side keeps its points, and an undone match can have other options")
    func removed() throws {
        var match = try SportTable()
        try match.playPoints("a")
        match.table.remove(1)
        #expect(match.refusal(of: "Ann") == "Ann was removed; restore the player first")
        #expect(match.shown.suffix(2) == ["> Ann 0 1", "  Bob 0 0"])
        match.table.restore(1)
        match.table.write(1, "point", 1, to: .null)
        match.table.players.reverse()
        match.table.options[Symbol(known: "points")] = .integer(21)
        #expect(match.shown == ["Best of 5 games to 21", "Games Points", "> Bob 0 0", "  Ann 0 0"])
        try match.play("Bob")
        let text = match.table.options[order]?.string ?? ""
        #expect(text.contains("points=21") && text.hasSuffix("\(player(2)) \(player(1))"))
    }
}
