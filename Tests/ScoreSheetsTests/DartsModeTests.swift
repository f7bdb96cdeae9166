import ScoreSheets
import SessionCRDT
import Testing

@Suite("Options of a darts match, and when they are fixed")
struct DartsModeTests {
    private let order = Symbol(known: "order")

    @Test("another start after the first visit is flagged, and no visit changes")
    func late() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play(all: "180", "180", "180")
        game.set("start", .integer(301))
        game.set("out", .text("straight"))
        #expect(game.left == ["141", "321"])
        #expect(game.title == "Leg 1, 501 double out")
        #expect(
            game.flags == [
                "option start: this match has 501, as its first visit recorded; 301 holds from "
                    + "the next match on",
                "option out: this match has double, as its first visit recorded; straight holds "
                    + "from the next match on",
            ]
        )
        try game.play(all: "180", "141")
        #expect(game.standings.winners == [player(1)])
    }

    @Test("late changes of legs and sets neither prevent nor create a win")
    func lateLength() throws {
        var game = try DartsTable("Ann", "Bob", start: 2)
        try game.play(all: "2")
        for (option, length) in [("legs", 5), ("sets", 3), ("legs", 1)] as [(StaticString, Int64)] {
            game.set(option, .integer(length))
            #expect(game.standings.winners == [player(1)])
            #expect(game.standings.totalLabel == "Legs")
        }
    }

    @Test("of two laptops that began apart, order and mode of the one that counts go together")
    func apart() throws {
        let base = try DartsTable("Ann", "Bob")
        var (ann, bob) = (base, base)
        try ann.play(all: "180", "100")
        bob.set("start", .integer(301))
        bob.table.players.reverse()
        try bob.play("60")
        // One register, so one of the two as a whole; the option is Bob's either way.
        for (winner, left) in [(ann, ["321", "401"]), (bob, ["301", "241"])] {
            var merged = ann
            merged.table.cells.merge(bob.table.cells) { mine, _ in mine }
            merged.table.options = bob.table.options
            merged.table.options[order] = winner.table.options[order]
            #expect(merged.left == left)
            #expect(merged.flags.contains { $0.hasPrefix("option start") } == (left[0] == "321"))
        }
    }

    @Test("a match restarted from its first visit uses the options chosen since")
    func begunAgain() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play("60")
        game.set("start", .integer(301))
        _ = try game.reset()
        #expect(game.left == ["301", "301"])
        #expect(game.flags == [])
        #expect(game.refusal(ofOption: "start") == nil)
        try game.play("60")
        #expect(game.left == ["241", "301"])
        game.set("start", .integer(501))
        #expect(game.left == ["241", "301"])
        #expect(game.refusal(ofOption: "start") != nil)
    }

    @Test("a correction of the first visit keeps the mode, regardless of options chosen since")
    func corrected() throws {
        var game = try DartsTable("Ann", "Bob")
        try game.play(all: "180", "60", "180")
        game.set("start", .integer(301))
        try game.correct(1, 1, to: .null)
        #expect(game.refusal(ofOption: "start") != nil)
        try game.play("100")
        #expect(game.left == ["221", "441"])
    }

    @Test("a match with an order and no mode is set by the options, until the next visit")
    func orderOnly() throws {
        var game = try DartsTable("Ann", "Bob", start: 301)
        game.set("order", .text("1 \(player(2)) \(player(1))"))
        try game.correct(2, 1, to: .text("60"))
        #expect(game.left == ["301", "241"])
        game.set("start", .integer(401))
        #expect(game.left == ["401", "341"])
        try game.play("60")
        #expect(
            game.table.options[order]
                == .text(
                    "start=401 out=double in=straight legs=1 sets=1;1 \(player(2)) \(player(1))"
                )
        )
        game.set("start", .integer(301))
        #expect(game.left == ["341", "341"])
    }

    @Test(
        "invalid recorded options are ignored",
        arguments: [
            "start=501", "start=1 out=double in=straight legs=1 sets=1",
            "start=501 out=no in=straight legs=1 sets=1",
            "start=501 out=double in=master legs=1 sets=1",
            "start=501 out=double in=straight legs=0 sets=1",
            "start=+501 out=double in=straight legs=1 sets=1",
            "out=double start=501 in=straight legs=1 sets=1",
            "start=501 out=double in=straight legs=1 sets=1 ",
        ]
    )
    func wrongMode(text: String) throws {
        var game = try DartsTable("Ann")
        game.set("order", .text("\(text);1 \(player(1))"))
        #expect(game.flags.map { $0.prefix(40) } == ["option order: this is not a throwing ord"])
    }
}
