import ControlSocket
import LaptopKit
import SyncProtocol
import Testing

@Suite("A write for a state that was seen")
struct ExpectationTests {
    /// A laptop with a session of Ann and Bob, and their phones.
    private struct Table {
        let laptop: Laptop
        let client: ControlClient
        let ids: [String: String]

        init(_ words: String..., players: [String] = ["Ann", "Bob"]) throws {
            laptop = try Laptop("ann-laptop")
            try laptop.start("--no-discovery")
            let names = players.flatMap { ["--player", $0] }
            try laptop.run(["session", "new"] + words + names)
            client = try ControlClient(path: laptop.home + "/control.sock", client: "test")
            let players = try laptop.read(PlayersReply.self, "player", "list").items
            ids = Dictionary(uniqueKeysWithValues: players.map { ($0.name, $0.id) })
        }

        func id(_ number: Int) throws -> SubmissionID {
            let digits = String(number, radix: 16)
            let zeros = String(repeating: "0", count: 16 - digits.count)
            return try #require(SubmissionID(zeros + digits))
        }

        var sheet: ShowDocument { get throws { try laptop.read(ShowDocument.self, "show") } }

        func cells(of name: String) throws -> [String] {
            try sheet.players.filter { $0.name == name }.flatMap(\.cells).map { cell in
                "\(cell.row)\(cell.round.map { ".\($0)" } ?? "")=\(cell.value)"
            }
        }

        func revision(_ name: String, _ row: String, _ round: Int? = nil) throws -> String? {
            try sheet.players.first { $0.name == name }?.cells
                .first { $0.row == row && $0.round == round }?.revision
        }

        private func submission(
            _ number: Int,
            _ name: String,
            _ words: [String],
            _ expected: SyncProtocol.Expectation
        ) throws -> PhoneParameters {
            let player = try #require(ids[name])
            return PhoneParameters(player: player, id: try id(number), words: words).with {
                $0.expecting = expected
            }
        }

        /// Enters a score for a cell that was seen with a revision; nil for an empty one.
        @discardableResult
        func enter(
            _ number: Int,
            _ name: String,
            _ word: String,
            seeing cell: ExpectedCell,
            after earlier: [Int] = [],
            keepingBoth: Bool? = nil
        ) throws -> PhoneReply<WrittenReply> {
            var expected = SyncProtocol.Expectation()
            expected.keepsBoth = keepingBoth
            expected.cells = [cell]
            expected.after = try earlier.map(id)
            return try client.call(.phoneScore, submission(number, name, [word], expected))
        }

        /// Plays a move for a turn that was seen.
        @discardableResult
        func play(
            _ number: Int,
            _ name: String,
            _ words: String...,
            turn: Int,
            after earlier: [Int] = [],
            keepingBoth: Bool? = nil
        ) throws -> PhoneReply<PlayReply> {
            var expected = SyncProtocol.Expectation()
            expected.keepsBoth = keepingBoth
            expected.turn = turn
            expected.after = try earlier.map(id)
            return try client.call(.phonePlay, submission(number, name, words, expected))
        }
    }

    /// The conflict for which a call is refused.
    private func conflict(_ call: () throws -> Any) throws -> WriteConflict {
        do {
            _ = try call()
        } catch let error as ControlError {
            #expect(error.kind == .refused)
            return try #require(error.conflict, "\(error.message)")
        }
        throw Failure("the call was carried out")
    }

    // MARK: Cells

    @Test("for a cell is refused if another value is there, until that one was seen")
    func cell() throws {
        let table = try Table("rounds")
        let cell = ExpectedCell(row: "round", round: 1)
        try table.laptop.run("score", "Ann", "15")
        let found = try conflict { try table.enter(1, "Ann", "round.1=12", seeing: cell) }
        #expect(try table.cells(of: "Ann") == ["round.1=15"])
        #expect([found.player, found.row, found.label] == ["Ann", "round", "Round 1"])
        #expect(found.round == 1)
        #expect([found.value, found.typed] == [.integer(15), .integer(12)])
        #expect(found.by == "ann-laptop" && found.at != nil)
        #expect(found.words == ["round.1=12"])
        #expect(try found.revision == table.revision("Ann", "round", 1))
        // The same submission, for what is there now.
        let seen = ExpectedCell(row: "round", round: 1, revision: found.revision)
        #expect(try table.enter(1, "Ann", "round.1=12", seeing: seen).known == false)
        #expect(try table.cells(of: "Ann") == ["round.1=12"])
        // A repetition has been carried out, whatever is there by now.
        try table.laptop.run("score", "Ann", "round.1=9")
        #expect(try table.enter(1, "Ann", "round.1=12", seeing: seen).known)
        #expect(try table.cells(of: "Ann") == ["round.1=9"])
    }

    @Test("for a value is refused if the cell is empty now; for an empty one whoever emptied it")
    func cleared() throws {
        let table = try Table("rounds")
        try table.laptop.run("score", "Ann", "15")
        let seen = ExpectedCell(
            row: "round",
            round: 1,
            revision: try table.revision("Ann", "round", 1)
        )
        try table.laptop.run("clear", "Ann", "round.1")
        let found = try conflict { try table.enter(1, "Ann", "round.1=12", seeing: seen) }
        #expect(found.value == .null && found.revision == nil && found.words == ["round.1=12"])
        let empty = ExpectedCell(row: "round", round: 1)
        #expect(try table.enter(1, "Ann", "round.1=12", seeing: empty).known == false)
    }

    @Test("for a cell is written if the same value is there already")
    func same() throws {
        let table = try Table("rounds")
        try table.laptop.run("score", "Ann", "15")
        let cell = ExpectedCell(row: "round", round: 1)
        #expect(try table.enter(1, "Ann", "round.1=15", seeing: cell).known == false)
    }

    @Test("tells a cell from one with another laptop's value that it does not show")
    func hiddenValue() throws {
        let laptops = try Companions("ann", "bob")
        try laptops[0].run("daemon", "offline")
        try laptops[1].run("score", "ann", "round.1=1")
        try laptops[0].run("score", "ann", "round.1=2")
        let before = try laptops[0].read(ShowDocument.self, "show").players[0]
        let seen = try #require(before.cells.first)
        try laptops[0].run("daemon", "online")
        try laptops.settle()
        let after = try laptops[0].read(ShowDocument.self, "show").players[0]
        #expect(after.cells.first?.conflict.count == 1)
        #expect(after.cells.first?.revision != seen.revision)
    }

    @Test("for a cell counts the caller's own submissions as seen")
    func own() throws {
        let table = try Table("rounds")
        let cell = ExpectedCell(row: "round", round: 1)
        try table.enter(1, "Ann", "round.1=12", seeing: cell)
        try table.enter(2, "Ann", "round.1=13", seeing: cell, after: [1])
        let found = try conflict {
            try table.enter(3, "Ann", "round.1=14", seeing: cell, after: [1])
        }
        #expect(found.value == .integer(13))
        try table.enter(4, "Ann", "round.1=14", seeing: cell, after: [1, 2])
        try table.laptop.run("score", "Ann", "round.1=20")
        _ = try conflict { try table.enter(5, "Ann", "round.1=1", seeing: cell, after: [1, 2, 4]) }
        #expect(try table.cells(of: "Ann") == ["round.1=20"])
    }

    @Test("for a cell can keep both values, which everybody sees until one is chosen")
    func bothValues() throws {
        let table = try Table("rounds")
        let cell = ExpectedCell(row: "round", round: 1)
        func values() throws -> [Scalar] {
            let conflicts = try table.laptop.read(ConflictsReply.self, "conflicts").items
            return conflicts.flatMap { $0.values.map(\.value) }
        }
        try table.laptop.run("score", "Ann", "15")
        let written = try table.enter(1, "Ann", "round.1=12", seeing: cell, keepingBoth: true)
        #expect(written.known == false && written.reply?.cells.isEmpty == true)
        #expect(try table.cells(of: "Ann") == ["round.1=15"])
        #expect(try values() == [.integer(15), .integer(12)])
        #expect(
            try table.enter(1, "Ann", "round.1=12", seeing: cell, keepingBoth: true).known
        )
        // Undoing it settles the conflict; so does a choice.
        let ann = try #require(table.ids["Ann"])
        _ = try table.client.call(.phoneUndo, .init(player: ann, id: try table.id(2)))
        #expect(try table.cells(of: "Ann") == ["round.1=15"])
        #expect(try values().isEmpty)
        try table.enter(3, "Ann", "round.1=13", seeing: cell, keepingBoth: true)
        try table.laptop.run("resolve", "Ann", "round.1", "13")
        #expect(try table.cells(of: "Ann") == ["round.1=13"])
        #expect(try values().isEmpty)
        // What was undone before is undone still.
        try table.laptop.run("undo")
        #expect(try table.cells(of: "Ann") == ["round.1=15"])
    }

    @Test("Undo passes over a value that was not chosen, to what was written before it")
    func undoAfterChoice() throws {
        let table = try Table("rounds")
        try table.laptop.run("score", "Ann", "round.1=5")
        let cell = ExpectedCell(row: "round", round: 2)
        try table.enter(1, "Ann", "round.2=9", seeing: cell)
        try table.enter(2, "Ann", "round.2=7", seeing: cell, keepingBoth: true)
        try table.laptop.run("resolve", "Ann", "round.2", "7")
        #expect(try table.cells(of: "Ann") == ["round.1=5", "round.2=7"])
        for _ in 1...3 { try table.laptop.run("undo") }
        #expect(try table.cells(of: "Ann") == [])
    }

    @Test("A correction that goes bust says so")
    func bust() throws {
        let table = try Table("darts", "--option", "start=101")
        for score in ["60", "1"] { try table.laptop.run("play", score) }
        let written = try table.laptop.read(WrittenReply.self, "score", "Ann", "visit.1=100")
        #expect(written.notes == ["bust: Ann stays at 101"])
    }

    @Test("for a turn can keep both moves where both are allowed")
    func bothMoves() throws {
        let table = try Table("darts", "--option", "start=101")
        try table.laptop.run("play", "60")
        try table.play(1, "Ann", "20", turn: 1, keepingBoth: true)
        #expect(try table.cells(of: "Ann") == ["visit.1=60"])
        let conflict = try table.laptop.read(ConflictsReply.self, "conflicts").items.first
        #expect(conflict?.values.map(\.value) == [.text("60"), .text("20")])
        for score in ["1", "41"] { try table.laptop.run("play", score) }
        // The same value is there already, so nothing is to be chosen.
        _ = try self.conflict { try table.play(2, "Ann", "41", turn: 3, keepingBoth: true) }
    }

    @Test("for no cell of the sheet is an error of the caller")
    func wrongCell() throws {
        let table = try Table("rounds")
        for cell in [
            ExpectedCell(row: "", round: 1), ExpectedCell(row: "round", round: 0),
            ExpectedCell(row: "round", round: .max),
        ] {
            do {
                try table.enter(1, "Ann", "round.1=12", seeing: cell)
                Issue.record("written")
            } catch let error as ControlError { #expect(error.kind == .usage) }
        }
    }

    // MARK: Turns

    @Test("for a turn is refused if the player has had it, and can then correct it")
    func turn() throws {
        let table = try Table("darts")
        for score in ["60", "41", "85", "45"] { try table.laptop.run("play", score) }
        #expect(try table.sheet.turnNumber == 5)
        let found = try conflict { try table.play(1, "Ann", "100", turn: 3) }
        #expect(found.label == "Visit 3")
        #expect([found.value, found.typed] == [.text("85"), .text("100")])
        #expect(found.turn == 5)
        #expect(found.words == ["visit.3=100"])
        #expect(try table.cells(of: "Ann") == ["visit.1=60", "visit.3=85"])
        let words = try #require(found.words)
        let seen = ExpectedCell(row: found.row, round: found.round, revision: found.revision)
        #expect(try table.enter(1, "Ann", words[0], seeing: seen).known == false)
        #expect(try table.cells(of: "Ann") == ["visit.1=60", "visit.3=100"])
        #expect(try table.play(1, "Ann", "100", turn: 3).known)
    }

    @Test("for a turn is refused as taken even if another player moves next, or nobody does")
    func otherTurn() throws {
        let table = try Table("darts", "--option", "start=101")
        try table.laptop.run("play", "60")
        let found = try conflict { try table.play(1, "Ann", "20", turn: 1) }
        #expect(found.value == .text("60") && found.typed == .text("20") && found.turn == 2)
        for score in ["1", "41"] { try table.laptop.run("play", score) }
        let last = try conflict { try table.play(2, "Ann", "41", turn: 3) }
        #expect(last.value == .text("41") && last.words == nil && last.turn == nil)
        #expect(try table.cells(of: "Ann") == ["visit.1=60", "visit.3=41"])
    }

    @Test("typed before the player's turn is for their next one")
    func ahead() throws {
        let table = try Table("darts")
        try table.laptop.run("play", "60")
        try table.laptop.run("play", "41")
        try table.laptop.run("play", "85")
        #expect(try table.play(1, "Bob", "26", turn: 3).known == false)
        let found = try conflict { try table.play(2, "Bob", "26", turn: 3) }
        #expect(found.round == 4)
    }

    @Test("for a frame is for the player's next one, in any seat")
    func frames() throws {
        let table = try Table("bowling")
        for frame in ["X", "9-", "8-"] { try table.laptop.run("play", frame) }
        // It is Bob's turn, and Ann has bowled this frame.
        let shown = try #require(try table.sheet.turnNumber)
        try table.laptop.run("play", "72")
        #expect(try table.play(1, "Ann", "7-", turn: shown).known == false)
        let found = try conflict { try table.play(2, "Ann", "5-", turn: shown) }
        #expect([found.value, found.typed] == [.text("7-"), .text("5-")])
        #expect(found.label == "Frame 3")
    }

    @Test("for a turn counts the caller's own moves and undos as seen")
    func ownMoves() throws {
        let table = try Table("tennis")
        let ann = try #require(table.ids["Ann"])
        try table.play(1, "Ann", "Ann", turn: 1)
        try table.play(2, "Ann", "Bob", turn: 1, after: [1])
        _ = try conflict { try table.play(3, "Ann", "Bob", turn: 1, after: [1]) }
        _ = try table.client.call(.phoneUndo, .init(player: ann, id: try table.id(4)))
        try table.play(5, "Ann", "Ann", turn: 3, after: [4])
        #expect(try table.cells(of: "Ann") == ["point.1=1", "point.2=1"])
    }

    @Test("for a point is refused whoever has entered it")
    func points() throws {
        let table = try Table("tennis")
        try table.laptop.run("play", "Bob")
        let found = try conflict { try table.play(1, "Ann", "Ann", turn: 1) }
        #expect(found.player == "Bob" && found.words == nil && found.turn == 2)
        #expect(try table.play(1, "Ann", "Ann", turn: 2).known == false)
    }

    @Test("for a turn is refused if turns before it were taken back")
    func takenBack() throws {
        let table = try Table("darts", players: ["Ann"])
        try table.laptop.run("play", "60")
        try table.laptop.run("undo")
        let found = try conflict { try table.play(1, "Ann", "41", turn: 2) }
        #expect(found.round == 1 && found.value == .null && found.turn == 1)
        #expect(try table.cells(of: "Ann") == [])
        #expect(try table.play(1, "Ann", "41", turn: 1).known == false)
    }

    @Test("applies to moves of the command line's caller, too")
    func plain() throws {
        let table = try Table("reversi")
        try table.laptop.run("play", "d3")
        var move = WordsParameters(words: ["c4"])
        move.player = "Ann"
        move.expecting = SyncProtocol.Expectation().with { $0.turn = 1 }
        let found = try conflict { try table.client.call(.play, move) }
        #expect([found.value, found.typed] == [.text("d3"), .text("c4")])
        #expect(found.words == ["move.1=c4"])
    }

    // MARK: The command line

    @Test("of scorectl is refused unless the cell shows the value")
    func commandLine() throws {
        let table = try Table("rounds")
        try table.laptop.run("score", "Ann", "round.1=12+3", "--if", "-")
        for value in ["15", "12+3", "+15"] {
            try table.laptop.run("score", "Ann", "round.1=12+3", "--if", value)
        }
        for value in ["12", "-", "x"] {
            let refused = try table.laptop.attempt("score", "Ann", "round.1=1", "--if", value)
            #expect(refused.status == 5)
            let expected = value == "-" ? "empty" : value
            #expect(
                refused.errors.contains("Round 1 of Ann is 12+3 (ann-laptop), not \(expected)"),
                "\(refused.errors)"
            )
        }
        #expect(try table.laptop.attempt("clear", "Ann", "round.1", "--if", "12").status == 5)
        #expect(try table.cells(of: "Ann") == ["round.1=12+3"])
        try table.laptop.run("clear", "Ann", "round.1", "--if", "15")
        #expect(try table.cells(of: "Ann") == [])
        let json = try table.laptop.attempt("--json", "score", "Ann", "round.1=1", "--if", "2")
        #expect(json.errors.contains(#""conflict":{"#))
    }
}
