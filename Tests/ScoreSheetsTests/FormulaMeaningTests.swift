import ScoreSheets
import SessionCRDT
import Testing

@Suite("Formulas: their input, and missing or wrong values")
struct FormulaMeaningTests {
    /// A replica that writes what is typed, by a sheet of these rows and options.
    private func replica(rows: String, more: String = "") throws -> Replica {
        let json = #"{"id": "a", "name": "A", "rows": [\#(rows)]\#(more)}"#
        var replica = Replica(1, try Sheet(json: json))
        for number in 1...3 as ClosedRange<UInt64> {
            replica.write(
                Mutation.add(player(number), name: ["Ann", "Bob", "Cy"][Int(number) - 1])
            )
        }
        return replica
    }

    /// Writes lines one after the other, and gives the totals back, which equal those from scratch.
    private func totals(
        _ replica: inout Replica,
        _ texts: (UInt64, String)...
    ) throws -> [Points] {
        for (number, text) in texts {
            let board = replica.board
            let words = text.split(separator: " ").map(String.init)
            let scores = try ScoreParser(try board.sheet.get())
                .scores(words, for: player(number), in: board.book)
            replica.write(scores.flatMap { Mutation.score($0.cell, $0.value) })
            #expect(replica.board.standings == replica.fromScratch.standings, "\(text)")
        }
        return replica.board.standings?.players.map(\.total) ?? []
    }

    private func flags(_ replica: Replica) -> [String] {
        replica.board.standings?.flags.map(\.reason.description) ?? []
    }

    @Test("a number reads the sum of all rounds of a row, its own and of all players")
    func numbers() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "scores": false},"#
                + #"{"id": "n", "label": "N", "kind": "number", "formula": "entered + r"},"#
                + #"{"id": "m", "label": "M", "kind": "number", "formula": "entered + total(r)"}"#
        )
        #expect(try totals(&one, (1, "n=1 m=1")) == [2, 0, 0])
        #expect(try totals(&one, (1, "r.1=5"), (1, "r.2=2"), (2, "r.1=10")) == [26, 0, 0])
    }

    @Test("an option keeps its meaning where a row below has its name")
    func shadowed() throws {
        let option = #", "options": [{"name": "x", "kind": "integer", "default": 3}]"#
        var one = try replica(
            rows: #"{"id": "a", "label": "A", "kind": "number"},"#
                + #"{"id": "y", "label": "Y", "kind": "formula", "formula": "a + x"},"#
                + #"{"id": "x", "label": "X", "kind": "formula", "formula": "y + 1"}"#,
            more: option
        )
        #expect(try totals(&one, (1, "a=1"), (1, "a=2")) == [2 + 5 + 6, 0, 0])
    }

    @Test("a round without a value in a formula counts as nothing, and nothing waits for it")
    func faults() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "formula": "10 / x","#
                + #""fields": [{"id": "x", "label": "X"}],"#
                + #""checks": [{"formula": "mod(total(x), round - 1) = 0"}]}"#
        )
        #expect(try totals(&one, (1, "x.1=0"), (2, "x.1=5"), (3, "x.1=2")) == [0, 2, 5])
        let faults = ["the formula of r.1 divides by zero", "the formula of r.1 divides by zero"]
        #expect(flags(one) == faults)
        #expect(try totals(&one, (1, "x.1=1")) == [10, 2, 5])
        #expect(flags(one) == [faults[0]])
    }

    @Test("errors of a round and of the running formula are independent")
    func runningFaults() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "formula": "10 / entered","#
                + #""running": "before + 12 / (entered - 5)"}"#
        )
        // Round 1 is worth 10, which adds 2; round 2 is worth 5, by which the running one divides.
        #expect(try totals(&one, (1, "r.1=1"), (1, "r.2=2"), (1, "r.3=0")) == [2 - 3, 0, 0])
        #expect(
            flags(one) == [
                "the formula of r.2 divides by zero", "the formula of r.3 divides by zero",
            ]
        )
        #expect(try totals(&one, (1, "r.2=3")) == [2 - 6 - 3, 0, 0])
        #expect(flags(one) == ["the formula of r.3 divides by zero"])
    }

    @Test("a no counts as a score in a round of fields")
    func noIsAScore() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "formula": "if(hit, 10, -5)","#
                + #""fields": [{"id": "hit", "label": "Hit", "kind": "flag"}]}"#
        )
        #expect(try totals(&one, (1, "hit.1=no"), (2, "hit.1=yes")) == [-5, 10, 0])
        #expect(one.board.standings?.players.map(\.rank) == [2, 1, nil])
    }

    @Test("an optional empty field counts for its player and for all, once a round is started")
    func empties() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds","#
                + #""formula": "100 * least(b) + 10 * count(b) + rank(b)","#
                + #""fields": [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "empty": 2}]}"#
        )
        #expect(try totals(&one, (1, "a.1=1")) == [211, 0, 0])
        #expect(try totals(&one, (2, "a.1=1 b.1=7")) == [222, 221, 0])
        #expect(try totals(&one, (2, "b.1=1")) == [121, 122, 0])
        let cell = Cell(player: player(1), row: Symbol(known: "a"), round: 1)
        one.write(Mutation.score(cell, .null))
        #expect(one.board.standings == one.fromScratch.standings)
        #expect(one.board.standings?.players.map(\.total) == [0, 111, 0])
    }

    @Test("the highest and the lowest of a player's own rounds")
    func extremes() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "scores": false},"#
                + #"{"id": "f", "label": "F", "kind": "formula","#
                + #""formula": "100 * highest(r) + lowest(r)"}"#
        )
        #expect(try totals(&one, (1, "r=4 r=9 r=3"), (2, "r=1")) == [903, 101, 0])
        #expect(try totals(&one, (1, "r.2=2")) == [402, 101, 0])
    }

    @Test("of a field only complete rounds count for the highest")
    func wholeExtremes() throws {
        var one = try replica(
            rows: #"{"id": "p", "label": "P", "kind": "rounds", "formula": "0","#
                + #""fields": [{"id": "squares", "label": "S"}, {"id": "crowns", "label": "C"}]},"#
                + #"{"id": "f", "label": "F", "kind": "formula", "formula": "highest(squares)"}"#
        )
        #expect(try totals(&one, (1, "squares=5 crowns=1"), (1, "squares=9")) == [5, 0, 0])
        #expect(try totals(&one, (1, "crowns=0")) == [9, 0, 0])
        one.write(
            Mutation.score(Cell(player: player(1), row: Symbol(known: "crowns"), round: 2), .null)
        )
        #expect(try totals(&one, (2, "squares=1")) == [5, 0, 0])
    }

    @Test("a running row is read as its current value")
    func running() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "scores": false,"#
                + #""running": "max(before, entered)"},"#
                + #"{"id": "f", "label": "F", "kind": "formula", "formula": "r * 10"}"#
        )
        #expect(try totals(&one, (1, "r=4 r=9 r=3")) == [90, 0, 0])
    }

    @Test("a check with each reads the entries of one player only")
    func eachCheck() throws {
        var one = try replica(
            rows: #"{"id": "r", "label": "Deal", "kind": "rounds", "formula": "x","#
                + #""fields": [{"id": "x", "label": "X"},"#
                + #"{"id": "y", "label": "Y", "kind": "flag"}],"#
                + #""checks": [{"formula": "x < 5 or not y", "each": true, "help": "Too much."},"#
                + #"{"formula": "count(x) = 1", "each": true, "help": "One plays."}]}"#
        )
        _ = try totals(&one, (1, "x.1=7"), (1, "y.1=yes"))
        #expect(flags(one) == ["Ann, Deal 1: Too much"])
        _ = try totals(&one, (2, "x.1=3"))
        let both = "One plays; how often x is entered: 2"
        #expect(
            flags(one) == ["Ann, Deal 1: Too much", "Ann, Deal 1: \(both)", "Bob, Deal 1: \(both)"]
        )
        one.write(Mutation.score(Cell(player: player(2), row: Symbol(known: "x"), round: 1), .null))
        _ = try totals(&one, (1, "x.1=4"))
        #expect(flags(one) == [])
    }

    @Test("players who share a place divide the points of that place only")
    func split() throws {
        var one = try replica(
            rows: #"{"id": "m", "label": "M", "kind": "number", "places": [6, 3], "ties": "split"}"#
        )
        #expect(try totals(&one, (1, "m=5"), (2, "m=5"), (3, "m=1")) == [3, 3, 0])
        #expect(try totals(&one, (2, "m=1")) == [6, 1, 1])
    }

    @Test("a game that counts down is not over while a first round is missing")
    func comingDown() throws {
        let down = #", "wins": "lowest", "target": 0, "counts": "down", "ends": "at-once""#
        let running = "if(round = 1, 301, before) - entered"
        var one = try replica(
            rows: #"{"id": "r", "label": "R", "kind": "rounds", "running": "\#(running)"}"#,
            more: down
        )
        _ = try totals(&one, (1, "r.2=60"))
        #expect(one.board.standings?.isFinished == false)
        #expect(try totals(&one, (1, "r.1=100"), (1, "r.3=141")) == [0, 0, 0])
        #expect(one.board.standings?.isFinished == true)
    }

    @Test(
        "meaningless formulas are rejected at their position",
        arguments: [
            (
                #""kind": "rounds", "places": [5, 2], "running": "before + entered""#,
                "rows[1].running"
            ),
            (#""kind": "number", "empty": 0, "formula": "entered""#, "rows[1].empty"),
            (#""kind": "formula", "formula": "not (a) * 10""#, "rows[1].formula"),
            (#""kind": "formula", "formula": "not (a = 1) = 1""#, "rows[1].formula"),
            (#""kind": "formula", "formula": "highest(a)""#, "rows[1].formula"),
            (#""kind": "formula", "formula": "max(a)""#, "rows[1].formula"),
            (#""kind": "formula", "formula": "if(w = 'x', 1, 0)""#, "rows[1].formula"),
        ]
    )
    func refused(row: String, path: String) {
        let fields =
            #"{"id": "v", "label": "V", "kind": "rounds", "formula": "1", "fields": ["#
            + #"{"id": "w", "label": "W", "kind": "choice", "choices": [{"word": "x"}]}]}"#
        let first = row.contains("'x'") ? fields : #"{"id": "a", "label": "A", "kind": "number"}"#
        let json = """
            {"id": "a", "name": "A", "rows": [\(first), {"id": "b", "label": "B", \(row)}]}
            """
        #expect(SheetCheck.problems(in: json).map(\.path) == [path])
    }

    @Test(
        "calls of not stand where they mean one thing",
        arguments: ["not (a) and a", "(not (a)) * 2"]
    )
    func notCalls(formula: String) throws {
        _ = try Formula(formula)
    }

    @Test("templates that exceed the limits of a sheet are rejected before they are expanded")
    func templates() {
        let rows = Array(repeating: "{}", count: 2_000).joined(separator: ",")
        let names = (0..<2_000).map { #""a\#($0)": 0"# }.joined(separator: ",")
        let long = String(repeating: "x", count: 4_000)
        for (common, rows) in [
            (names, rows),
            (#""help": "\#(long)""#, Array(repeating: "{}", count: 90).joined(separator: ",")),
        ] {
            let json =
                #"{"id": "a", "name": "A", "rows": [{"repeat": {\#(common)}, "rows": [\#(rows)]}]}"#
            #expect(throws: SheetError.self) { try Sheet(json: json) }
        }
    }
}
