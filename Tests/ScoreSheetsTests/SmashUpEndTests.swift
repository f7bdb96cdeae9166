import ScoreSheets
import SessionCRDT
import Testing

@Suite("Smash Up: a won game stays won, regardless of later changes")
struct SmashUpEndTests {
    private let target = Symbol(known: "target")

    /// Ann has won in the first turn, in which Bob did nothing.
    private func won() throws -> SmashUpEvening {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "Ann +15", "end")
        return evening
    }

    private func results(_ evening: SmashUpEvening) -> [[String]] {
        evening.standings.outcomes.map { outcome in
            outcome.players.map { "\($0.name) \($0.total)\($0.isWinner ? " won" : "")" }
        }
    }

    @Test("another target revokes no win, neither of the last game nor of earlier ones")
    func higherTarget() throws {
        var evening = try won()
        evening.table.options[target] = .integer(20)
        #expect(results(evening) == [["Ann 15 won", "Bob 0"]])
        #expect(evening.standings.winners == [player(1)])
        evening.table.options[target] = nil
        try evening.play("replay")
        evening.table.options[target] = .integer(20)
        #expect(results(evening) == [["Ann 15 won", "Bob 0"]])
        // The game that is on goes by it.
        try evening.play(lines: "Bob +15", "end")
        #expect(!evening.standings.isFinished)
        try evening.play(lines: "Bob +5", "end")
        #expect(results(evening).last == ["Ann 0", "Bob 20 won"])
    }

    @Test("a lower target creates no win in hindsight")
    func lowerTarget() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play(lines: "Ann +14", "end", "Bob +3", "end")
        evening.table.options[target] = .integer(10)
        #expect(!evening.standings.isFinished && evening.standings.flags.isEmpty)
        #expect(try evening.play("end").first?.hasPrefix("Ann ends the game") == true)
    }

    @Test("a target that another laptop chose while apart changes no finished turn")
    func apart() throws {
        var ann = try SmashUpEvening(["Ann", "Bob"])
        let base = ann.table
        var bob = try ann.copy(actor: 2)
        bob.table.options[target] = .integer(20)
        try ann.play(lines: "Ann +15", "end")
        ann.merge(bob, since: base)
        #expect(ann.table.options[target] == .integer(20))
        #expect(results(ann) == [["Ann 15 won", "Bob 0"]])
    }

    @Test("a player without points who left after the end still lost that game")
    func left() throws {
        for number in [UInt64(1), 2] {
            var evening = try won()
            evening.table.remove(number)
            #expect(results(evening) == [["Ann 15 won", "Bob 0"]])
            #expect(evening.standings.flags.isEmpty)
        }
    }

    @Test("a player who joins after the end has no part in the game")
    func newcomer() throws {
        var evening = try won()
        evening.table.players.append(Player(id: player(3), name: "Cid"))
        #expect(results(evening) == [["Ann 15 won", "Bob 0"]])
        #expect(lines(evening.standings) == ["Ann 15 1", "Bob 0 2", "Cid 0 -"])
        try evening.play(lines: "replay", "Cid +15", "end")
        #expect(results(evening).last == ["Ann 0", "Bob 0", "Cid 15 won"])
    }

    @Test("an end records its players and target; one of the first versions uses the current ones")
    func marks() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        let end = evening.table.cell(1, "turn", 1)
        try evening.play(lines: "Ann +15", "end")
        let text = "end at 15 with \(player(1)) \(player(2))"
        #expect(evening.table.cells[end]?.winner.value == .text(text))
        let words = evening.sheet.rules.words(in: evening.table.book)
        #expect(words.value(Score(end, .text(text)))?.shown == "end, 15 to win")
        evening.write(Score(end, .text("end")))
        #expect(evening.standings.isFinished)
        evening.table.options[target] = .integer(20)
        #expect(!evening.standings.isFinished)
    }

    @Test("an end is shown in few words, with its players if they differ from the current ones")
    func wordsOfEnd() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        try evening.play(lines: "end")
        let end = evening.table.cell(1, "turn", 1)
        let mark = try #require(evening.table.cells[end]?.winner.value)
        func words() -> String? {
            evening.sheet.rules.words(in: evening.table.book).value(Score(end, mark))?.shown
        }
        #expect(words() == "end, 15 to win")
        evening.table.remove(2)
        #expect(words() == "end, 15 to win, with Ann, Bob, Cid")
    }
}
