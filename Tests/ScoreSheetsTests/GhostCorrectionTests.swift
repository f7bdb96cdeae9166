import ScoreSheets
import SessionCRDT
import Testing

@Suite("Ghost: corrections, merges and entries against the rules")
struct GhostCorrectionTests {
    @Test("a game under way needs the same list on the device that enters the next letter")
    func otherList() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("d")
        ghost.list(GhostTable.published + ["dawn"], fingerprint: "f2")
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("o") }
                == "this game is played with a word list “english” that differs from the one here "
                + "(SHA-256 f1 there, f2 here): install the same version of it, or let another "
                + "device enter the letter"
        )
        // The word list of the first letter stays, regardless of the option.
        ghost.list(["dag"], as: "dutch", fingerprint: "f3")
        ghost.set("language", .text("dutch"))
        ghost.list(GhostTable.published)
        #expect(try ghost.move("o").writes.map(\.value) == [.text("do open")])
        ghost.lists = [:]
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("o") }
                == "there is no word list “english” here"
        )
        #expect(ghost.mover == "Bob")
    }

    @Test("the word list follows the options, and a path precedes the language")
    func chosenList() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        #expect(
            refusal { () throws(RuleViolation) in
                var other = ghost
                other.set("language", .text("dutch"))
                try other.play("d")
            } == "there is no word list “dutch” here"
        )
        ghost.list(["dagen"], as: "/my words", fingerprint: "f4")
        ghost.set("language", .text("dutch"))
        ghost.set("list", .text("/my words"))
        // The record of another game binds no one before the first letter.
        ghost.set("words", .text("english f1"))
        ghost.set("circle", .text("\(player(2)) \(player(1))"))
        #expect(ghost.mover == "Ann")
        try ghost.play("d")
        #expect(ghost.table.options[Symbol(known: "words")] == .text("/my words f4"))
        #expect(try ghost.move("x").writes.map(\.value) == [.text("dx impossible")])
    }

    @Test("options can change until the first letter, and again once it is undone")
    func options() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        let minimum = Symbol(known: "minimum")
        try ghost.rules.check(option: minimum, in: ghost.table.book)
        try ghost.play("d")
        #expect(
            refusal { () throws(RuleViolation) in
                try ghost.rules.check(option: minimum, in: ghost.table.book)
            } == "the game has begun, and minimum stays as it is; a new session can have another"
        )
        try ghost.reset()
        try ghost.rules.check(option: minimum, in: ghost.table.book)
        #expect(
            refusal { () throws(RuleViolation) in
                try ghost.rules.check(option: Symbol(known: "words"), in: ghost.table.book)
            }
                == "words is recorded by the first letter; choose a word list with language or list"
        )
        let rules = GhostRules(sheet: ghost.rules.sheet)
        #expect(
            rules.sheet.options.map(\.name).filter(rules.isChoice).map(\.description)
                == ["language", "list", "minimum", "variant"]
        )
    }

    @Test("a reset undoes the letters of the current round only")
    func reset() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        ghost.set("variant", .text("table"))
        #expect(
            refusal { () throws(RuleViolation) in
                _ = try ghost.rules.reset(of: ghost.table.book)
            } == "no letter of this round was entered yet; undo takes back what was before"
        )
        try ghost.play("dx")
        let before = ghost.standings
        #expect(
            refusal { () throws(RuleViolation) in
                _ = try ghost.rules.reset(of: ghost.table.book)
            } != nil
        )
        try ghost.play("do")
        ghost.write(2, 40, "dog open")
        #expect(
            try ghost.rules.reset(of: ghost.table.book).question == "Begin this round (DO) again?"
        )
        try ghost.reset()
        #expect(ghost.standings == before)
    }

    @Test("a reset after the end starts the last round again")
    func resetOfTheEnd() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("donut")
        try ghost.reset()
        #expect(ghost.mover == "Ann")
        #expect(lines(ghost.standings) == ["Ann 1 -", "Bob 1 -"])
    }

    @Test("undoing a letter stops the game there, and later letters are judged again")
    func correction() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("donut")
        ghost.table.write(2, "letter", 2, to: .null)
        #expect(ghost.mover == "Bob")
        #expect(ghost.shown == ["D"])
        #expect(ghost.flags.count == 3)
        #expect(
            ghost.flags.first
                == "Ann, letter.3: letter 2, which is Bob's, comes first and nothing counts there"
        )
        try ghost.play("a")
        #expect(ghost.mover == "Ann")
        #expect(
            ghost.flags == [
                "Ann, letter.3: it made DON, but the beginning is DA now; enter the letter again "
                    + "with play",
                "Ann, letter.5: letter 3, which is Ann's, comes first and nothing counts there",
                "Bob, letter.4: letter 3, which is Ann's, comes first and nothing counts there",
            ]
        )
        try ghost.play("rk")
        #expect(ghost.standings.told == ["Bob completed DARK"])
        #expect(ghost.flags == ["Ann, letter.5: Ann has won the game"])
    }

    @Test("the same letter again restores the letters after it")
    func restored() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("donu")
        ghost.table.write(2, "letter", 2, to: .null)
        try ghost.play("o")
        #expect(ghost.shown == ["DONU"])
        #expect(ghost.flags == [])
    }

    @Test("two letters for one turn meet in one cell: the last one counts")
    func conflict() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("do")
        ghost.table.conflict(1, "letter", 3, to: .text("dog complete"), .text("don open"))
        #expect(ghost.shown == ["DON"])
        #expect(ghost.mover == "Bob")
        let cell = ghost.standings[player(1)].flatMap { Array($0.cells).last }
        #expect(cell?.bookCell.live.isConflicting == true)
        #expect(cell?.points == 0)
        ghost.table.conflict(1, "letter", 3, to: .text("don open"), .null)
        #expect(ghost.mover == "Ann")
        #expect(ghost.standings[player(1)].flatMap { Array($0.cells).last }?.points == nil)
    }

    @Test("a raw write must be a letter with its verdict, of the turn and its player")
    func raw() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("do")
        let unjudged =
            "letters are entered with play, as in “play d”, so that the word list can judge them"
        for text in [
            "n", "don", "don ", "don  open", "Don open", "don open ", "don closed", " open",
            "dón open", "don\u{0} open", "don opén",
        ] {
            #expect(ghost.refusal(1, 3, .text(text)) == unjudged, "\(text)")
            var written = ghost
            written.write(1, 3, text)
            #expect(written.flags == ["Ann, letter.3: \(unjudged)"])
            #expect(written.mover == "Ann")
        }
        #expect(ghost.refusal(1, 3, .integer(4)) == unjudged)
        #expect(ghost.refusal(1, 3, .boolean(true)) != nil)
        // A text that looks like a letter with a verdict is no better: it was never judged.
        for text in ["don open", "don complete", "don impossible", "da impossible"] {
            for (number, turn) in [(1, 3), (2, 2), (2, 3), (2, 4)] {
                #expect(ghost.refusal(UInt64(number), UInt32(turn), .text(text)) == unjudged)
            }
        }
        #expect(ghost.refusal(1, 3, .null) == nil)
        let long = String(repeating: "d", count: 101)
        #expect(ghost.refusal(1, 3, .text("\(long) open")) == unjudged)
    }

    @Test("a verdict counts as it is recorded, and nothing after a lost round does")
    func forged() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        ghost.write(1, 1, "d impossible")
        ghost.write(2, 2, "do open")
        #expect(
            ghost.standings.told == ["no word of 4 letters or more begins with D, which Ann made"]
        )
        #expect(ghost.standings.winners == [player(2)])
        #expect(ghost.flags == ["Bob, letter.2: Bob has won the game"])
        #expect(
            ghost.refusal(2, 2, .text("do open"))
                == "Bob has won the game; undo a letter, or begin another with: scorectl session new --again"
        )
    }

    @Test("a word that is complete below the minimum does not count, and the turn waits")
    func tooShort() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("do")
        ghost.write(1, 3, "don complete")
        let flag =
            "DON is shorter than the 4 letters that a word needs here; enter the letter again "
            + "with play"
        #expect(ghost.flags == ["Ann, letter.3: \(flag)"])
        #expect(!ghost.standings.isFinished && ghost.standings.outcomes == [])
        #expect(ghost.mover == "Ann")
        #expect(ghost.refusal(1, 3, .text("don complete")) == flag)
        var shorter = ghost
        shorter.set("terms", .text("3 simple"))
        #expect(shorter.standings.told == ["Ann completed DON"])
        try ghost.play("n")
        #expect(ghost.shown == ["DON"])
        #expect(ghost.flags == [])
    }

    @Test("a conflict can be settled with any of its letters, and nothing else")
    func chosen() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("d")
        ghost.table.conflict(2, "letter", 2, to: .text("do open"), .text("da open"))
        for text in ["do open", "da open"] { #expect(ghost.refusal(2, 2, .text(text)) == nil) }
        #expect(ghost.refusal(2, 2, .text("du open")) != nil)
        #expect(ghost.refusal(2, 2, .text("do complete")) != nil)
    }

    @Test(
        "a letter is called by itself and what it made, and typed alone where that is clear",
        arguments: [
            ("d open", "d", "D (D…)"), ("da open", "a", "A (DA…)"),
            ("donut complete", "t", "T (DONUT, a word)"), ("dx impossible", "x", "X (DX, no word)"),
        ]
    )
    func words(text: String, typed: String, shown: String) throws {
        let ghost = try GhostTable(["Ann", "Bob"])
        let cell = ghost.table.cell(2, "letter", 2)
        let value = Value.text(text)
        let words = ghost.rules.words(in: ghost.table.book)
        #expect(words.value(Score(cell, value)) == ValueWords(typed: typed, shown: shown))
        for other in [Value.null, .integer(1), .text("q open"), .text(typed), value] {
            #expect(words.typed(value, among: [other, value], in: cell) == typed)
        }
        let twin = Value.text("\(typed) impossible")
        #expect(words.typed(value, among: [twin, value], in: cell) == nil)
        #expect(words.value(Score(cell, .text("dó open"))) == nil)
        #expect(words.value(Score(ghost.table.cell(2, "points"), value)) == nil)
    }

    @Test("an added player plays from the next game on, and seats can change during one")
    func added() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("do")
        ghost.table.players.insert(Player(id: player(3), name: "Cid"), at: 0)
        ghost.table.players.reverse()
        #expect(ghost.mover == "Ann")
        #expect(ghost.shown == ["DO"])
        try ghost.play("n")
        #expect(
            refusal { () throws(RuleViolation) in _ = try ghost.move("u", by: 3) }
                == "Cid was not there when the game began, and can play in the next one"
        )
        ghost.write(3, 4, "donu open")
        #expect(
            ghost.flags == [
                "Cid, letter.4: Cid was not there when the game began, and can play in the next one"
            ]
        )
        try ghost.play("ut")
        #expect(lines(ghost.standings) == ["Bob 1 1", "Ann 0 2", "Cid 0 -"])
    }

    @Test("a removed player is skipped, and their entries stay")
    func removed() throws {
        var ghost = try GhostTable(["Ann", "Bob", "Cid"])
        try ghost.play("do")
        ghost.table.remove(2)
        #expect(ghost.shown == ["DO"])
        #expect(ghost.mover == "Cid")
        try ghost.play("na")
        #expect(ghost.mover == "Cid")
        #expect(ghost.flags == [])
        ghost.table.remove(3)
        #expect(ghost.mover == nil)
        #expect(
            ghost.standings.told == [
                "fewer than two players are left: restore one to go on, or finish the session"
            ]
        )
        #expect(!ghost.standings.isFinished)
        #expect(refusal { () throws(RuleViolation) in _ = try ghost.move("t") } != nil)
    }

    @Test("a restored player was skipped, and the moves since then stay")
    func cameBack() throws {
        var ghost = try GhostTable(["Ann", "Bob", "Cid"], words: ["chirping"])
        try ghost.play("chi")
        ghost.table.remove(2)
        try ghost.play("rpi")
        #expect(ghost.shown == ["CHIRPI"])
        ghost.table.restore(2)
        #expect(ghost.shown == ["CHIRPI"])
        #expect(ghost.flags == [])
        #expect(ghost.mover == "Bob")
        // Entries made while Bob was away can be undone and redone.
        #expect(ghost.refusal(3, 5, .text("chirp open")) == nil)
        ghost.write(2, 5, "chirp open")
        #expect(ghost.refusal(3, 5, .text("chirp open")) == "letter 5 is Bob's")
        ghost.table.write(2, "letter", 5, to: .null)
        ghost.table.write(3, "letter", 5, to: .null)
        #expect(ghost.mover == "Bob")
    }

    @Test("of letters for one turn from laptops with different players, the later one counts")
    func apart() throws {
        for isBobLater in [true, false] {
            var ghost = try GhostTable(["Ann", "Bob", "Cid"])
            try ghost.play("d")
            let letters: [(UInt64, String)] = [(2, "do open"), (3, "da open")]
            for (number, text) in isBobLater ? letters.reversed() : letters {
                ghost.write(number, 2, text)
            }
            #expect(ghost.shown == [isBobLater ? "DO" : "DA"])
            #expect(ghost.mover == (isBobLater ? "Cid" : "Ann"))
            #expect(
                ghost.flags == [
                    isBobLater
                        ? "Cid, letter.2: letter 2 is Bob's"
                        : "Bob, letter.2: letter 2 is Cid's"
                ]
            )
        }
    }
}
