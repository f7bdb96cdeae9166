import ScoreSheets
import SessionCRDT
import Testing

@Suite("Matches in which only the server scores, and games that one point decides")
struct SideOutTests {
    @Test("a rally that the receiver wins brings the serve and no point")
    func sideOut() throws {
        var match = try SportTable(.pickleball)
        #expect(match.notes == ["Ann to serve"])
        #expect(try match.play("Bob") == ["Ann 0–0 Bob", "Bob to serve"])
        #expect(try match.play("Bob") == ["Ann 0–1 Bob", "Bob to serve"])
        #expect(try match.play("Ann") == ["Ann 0–1 Bob", "Ann to serve"])
        #expect(
            match.shown == ["Best of 3 games to 11", "Games Points", "> Ann 0 0", "  Bob 0 1"]
        )
        #expect(match.latest.suffix(3) == ["1 Bob 0–0", "2 Bob 0–1", "3 Ann 0–1"])
        #expect(match.standings.players.map { $0.cells.map(\.points) } == [[0], [0, 1]])
        try match.playPoints("10a")
        // Bob could not win a point with the next rally.
        #expect(match.notes == ["game point Ann", "Ann to serve"])
        try match.playPoints("b")
        #expect(match.notes == ["Bob to serve"])
        #expect(try match.play("Ann").last == "Ann to serve")
        #expect(try match.play("Ann").first == "Ann won game 1, 11–1")
        // The game that begins is not the one that ended.
        try match.playPoints("a")
        #expect(match.notes == ["Ann to serve"])
        #expect(match.latest.last == "17 Ann 0–0")
    }

    @Test("in doubles both of a side serve, but for the side that begins a game")
    func servers() throws {
        var match = try SportTable(.pickleball, ["servers": .integer(2)])
        #expect(match.notes == ["Ann to serve, server 2"])
        try match.play("Bob")
        #expect(match.notes == ["Bob to serve, server 1"])
        try match.play("Ann")
        #expect(match.notes == ["Bob to serve, server 2"])
        try match.playPoints("b a")
        #expect(match.notes == ["Ann to serve, server 1"])
        try match.playPoints("11a")
        #expect(match.notes.suffix(2) == ["change ends", "Bob to serve, server 2"])
    }

    @Test("the serving order is recorded and fixed where it decides who scores, and only there")
    func recorded() throws {
        var match = try SportTable(.squashNine, ["server": .text("second")])
        #expect(match.refusal(ofOption: "server") == nil)
        try match.play("Bob")
        #expect(match.shown.suffix(2) == ["  Ann 0 0", "> Bob 0 1"])
        #expect(match.refusal(ofOption: "server")?.contains("so server stays as it is") == true)
        // Set all the same, by a device that was apart.
        match.table.options[Symbol(known: "server")] = .text("first")
        #expect(match.shown.suffix(2) == ["  Ann 0 0", "> Bob 0 1"])
        #expect(
            match.flags == [
                "option server: this match has second, as its first point recorded; first holds "
                    + "from the next match on"
            ]
        )
        var rally = try SportTable(.squash)
        try rally.play("Bob")
        #expect(rally.refusal(ofOption: "server") == nil)
    }

    @Test("an order whose options are not in the one form is no order")
    func form() throws {
        let usual = "best=5 points=9 lead=1 cap=0 last=0 games=0 tie-break=0 final=same most=1 "
        for (text, isOrder) in [
            ("set-to=10 scores=server opens=winner", true), ("scores=server opens=winner", true),
            ("set-to=10 scores=both", false), ("server=second", false),
            ("set-to=0 scores=server", false), ("scores=server servers=2", false),
            ("servers=2 scores=server", true), ("scores=server set-by=receiver", true),
            ("set-by=receiver scores=server", false), ("set-by=nobody", false),
        ] {
            var match = try SportTable(.squashNine)
            match.table.write(1, "point", 1, to: .text("1"))
            let order = "\(usual)\(text);1 \(player(1)) \(player(2))"
            match.table.options[Symbol(known: "order")] = .text(order)
            #expect(match.flags.contains { $0.contains("not a") } == !isOrder, "\(text)")
        }
    }

    @Test("squash to nine: at 8–8 to ten, or to nine; the winner of a game serves first")
    func setting() {
        #expect(SportMatch(.squashNine, "8a b 7b a a").partScores == ["9–7"])
        var two = SportMatch(.squashNine, "8a b 8b")
        #expect(two.chooser == .first)
        #expect(two.stake == nil)
        two.choose(.two)
        two.play("b a a")
        #expect(two.score == .points("9", "9"))
        #expect(two.chooser == nil)
        two.play("a")
        #expect(two.partScores == ["10–9"])
        #expect(two.server == .first)
        // The next game is set again.
        two.play("8a b 8b")
        #expect(two.chooser == .first)
        let one = SportMatch(.squashNine, "8a b 8b b") { options, _ in options.setTo = 9 }
        #expect(one.partScores == ["8–9"])
    }

    @Test("at 8–8 the receiver chooses set one or set two before the next rally")
    func choice() throws {
        var match = try SportTable(.squashNine)
        #expect(match.refusal(of: "set two")?.contains("is chosen at 8–8, once in a game") == true)
        try match.playPoints("8a b 8b")
        let due = "8–8: Ann chooses set one (to 9) or set two (to 10)"
        #expect(match.notes == [due, "Bob to serve"])
        #expect(match.standings.moveInput?.words == ["set one", "set two"])
        #expect(match.standings.moveInput?.title == "Ann chooses")
        #expect(match.refusal(of: "Bob")?.hasPrefix(due) == true)
        #expect(match.refusal(of: "Bob set two")?.hasPrefix(due) == true)
        let score = Score(match.table.cell(2, "point", 18), .text("1"))
        #expect(throws: RuleViolation.self) { try match.rules.check(score, in: match.table.book) }
        #expect(try match.play("Set-Two", by: 2).first == "Ann 8–8 Bob")
        #expect(match.notes == ["set two, to 10", "Bob to serve"])
        #expect(match.latest.last == "18 Ann set two")
        #expect(match.refusal(of: "set one")?.contains("once in a game") == true)
        #expect(match.standings.moveInput?.words == ["Ann", "Bob"])
        try match.playPoints("b a 2a")
        #expect(match.standings.players.map(\.total) == [1, 0])
        #expect(match.flags == [])
        var agreed = try SportTable(.squashNine, ["set-to": .integer(10)])
        try agreed.playPoints("8a b 8b b")
        #expect(agreed.refusal(of: "set one")?.contains("nobody chooses") == true)
    }

    @Test("a choice holds for its game also where a correction moves 8–8")
    func correctedChoice() throws {
        var match = try SportTable(.squashNine)
        try match.playPoints("8a b 8b")
        try match.play("set two")
        try match.playPoints("b")
        // Rally 8 was Bob's: 7–9 is the end before the choice, which is not one of the next game.
        try match.correct(2, 8, to: .text("1"))
        #expect(match.shown.suffix(2) == ["  Ann 0 7 0", "> Bob 1 9 1"])
        try match.playPoints("7b 9a")
        #expect(match.notes.first?.hasPrefix("8–8: Bob chooses") == true)
        for cell in match.table.cells.keys where cell.round ?? 0 > 19 {
            match.table.write(cell, to: .null)
        }
        try match.correct(1, 8, to: .text("1"))
        #expect(match.shown.suffix(2) == ["  Ann 0 8", "> Bob 0 9"])
        // The choice was one of set one.
        try match.correct(1, 18, to: .text("set one"))
        #expect(match.shown.suffix(2) == ["  Ann 0 8 0", "> Bob 1 9 0"])
        #expect(throws: RuleViolation.self) { try match.correct(1, 18, to: .text("Set one")) }
    }

    @Test("padel: advantage, the golden point, or the star point after two lost advantages")
    func padel() throws {
        var star = try SportTable(.padel, ["cap": .integer(6)])
        try star.playPoints("3a 3b")
        #expect(star.notes == ["deuce", "Ann to serve"])
        try star.playPoints("a b b")
        #expect(star.notes == ["advantage Bob", "Ann to serve"])
        try star.playPoints("a")
        #expect(star.notes == ["deuce, the next point decides", "Ann to serve"])
        #expect(try star.play("Bob").first == "game Bob: Ann 0–1 Bob")
        var golden = try SportTable(.padel, ["cap": .integer(4)])
        try golden.playPoints("3a 3b")
        #expect(golden.notes == ["deuce, the next point decides", "Ann to serve"])
        var advantage = try SportTable(.padel)
        try advantage.playPoints("3a 3b ab ab ab")
        #expect(advantage.notes == ["deuce", "Ann to serve"])
    }

    @Test("Fast4: at 3–3 a tie-break to five, two serves each and three at the end")
    func fast4() {
        var match = SportMatch(.fast4)
        match.playGames("3a 3b")
        #expect(match.phase == .tieBreak)
        #expect(match.servers(of: "abababab") == "aabbaabbb")
        #expect(match.endChanges(of: "abababab") == [4, 8])
        match.play("4a 4b b")
        #expect(match.partScores == ["3–4(4)"])
        #expect(match.server == .second)
        match.playGames("4a")
        #expect(match.servers(of: "ab") == "baa")
        #expect(match.endChanges(of: "3a 3b") == [6])
        match.play("9a 9b a")
        #expect(match.partScores == ["3–4(4)", "4–0", "10–9"])
        #expect(match.winner == .first)
    }
}
