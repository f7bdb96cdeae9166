import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Teams that are one scorer")
struct TogetherTests {
    private static let ofRows = [
        "spades", "canasta", "molkky", "euchre", "belote", "coinche", "pinochle", "five-hundred",
        "bridge", "tichu", "killer", "shanghai", "around-the-clock", "halve-it", "count-up",
    ]

    private static let ofTurns = [
        "darts", "cricket", "tactics", "bowling", "tennis", "volleyball", "rubber-bridge",
    ]

    private func table() -> Table {
        var table = Table("Ann", "Bob", "Cem", "Dan")
        table.teams("reds", "blues", "reds", "blues")
        return table
    }

    @Test("partners who enter their own bids and tricks have them added")
    func added() throws {
        var table = table()
        table.write(1, "bid", 1, to: .integer(3))
        table.write(1, "tricks", 1, to: .integer(2))
        table.write(3, "bid", 1, to: .integer(2))
        table.write(3, "tricks", 1, to: .text("3+1"))
        let standings = try builtIn("spades").rules.standings(of: table.book)
        #expect(lines(standings).filter { $0.hasSuffix("1") } == ["Ann 51 1", "Cem 51 1"])
        #expect(standings.teams.map(\.total) == [51])
    }

    @Test("bags belong to the side, whoever enters")
    func bags() throws {
        var table = table()
        for (number, round, bid, tricks) in [(1, 1, 5, 9), (3, 2, 4, 10)]
            as [(UInt64, UInt32, Int64, Int64)]
        {
            table.write(number, "bid", round, to: .integer(bid))
            table.write(number, "tricks", round, to: .integer(tricks))
        }
        let standings = try builtIn("spades").rules.standings(of: table.book)
        // 50 + 4, then 40 + 6 with the tenth bag.
        #expect(standings.teams.map(\.total) == [0])
    }

    @Test(
        "where two partners entered the same throw, the later one counts and the other is flagged"
    )
    func overruled() throws {
        var table = table()
        table.write(1, "throw", 1, to: .integer(5))
        table.write(3, "throw", 1, to: .integer(7))
        let standings = try builtIn("molkky").rules.standings(of: table.book)
        #expect(standings.teams.map(\.total) == [7])
        #expect(standings.flags.map(\.subject) == [.cell(table.cell(1, "throw", 1))])
        #expect(standings[player(1)]?.cells.first?.points == nil)
        #expect(standings[player(3)]?.cells.first?.points == 7)
    }

    @Test("a partner's entry is not entered again, and the next round is the team's")
    func refused() throws {
        var table = table()
        table.write(1, "throw", 1, to: .integer(5))
        let sheet = try builtIn("molkky")
        let game = sheet.rules.game(of: table.book)
        let score = Score(table.cell(3, "throw", 1), .integer(7))
        #expect(
            refusal { () throws(RuleViolation) in try game.check(score, in: table.book) } != nil
        )
        let parser = ScoreParser(sheet, sides: game.sideBook)
        let next = try parser.scores(["7"], for: player(3), in: table.book)
        #expect(next == [Score(table.cell(3, "throw", 2), .integer(7))])
    }

    @Test("somebody whose partner has entered a whole round says which round is meant")
    func ambiguous() throws {
        var table = table()
        let sheet = try builtIn("spades")
        func next(_ texts: String...) throws -> [UInt32?] {
            let game = sheet.rules.game(of: table.book)
            return try ScoreParser(sheet, sides: game.sideBook)
                .scores(texts, for: player(3), in: table.book).map(\.cell.round)
        }
        table.write(1, "bid", 1, to: .integer(5))
        #expect(try next("bid=2") == [1])
        table.write(1, "tricks", 1, to: .integer(6))
        #expect(throws: RuleViolation.self) { try next("bid=2", "tricks=2") }
        #expect(try next("bid.2=2", "tricks=2") == [2, 2])
        table.write(3, "bid", 1, to: .integer(2))
        #expect(try next("tricks=2") == [1])
    }

    @Test("members throw in turn, and their statistics are their own")
    func turns() throws {
        var table = table()
        table.options[Symbol(known: "start")] = .integer(101)
        let rules = try builtIn("darts").rules
        for (number, words) in [(1, "60"), (2, "20"), (3, "9"), (4, "20"), (1, "D16")]
            as [(UInt64, String)]
        {
            let standings = rules.standings(of: table.book)
            #expect(standings.turn == player(number))
            try table.play(words, by: rules)
        }
        let outcome = try #require(rules.standings(of: table.book).outcomes.first)
        let darts = outcome.players.map { $0.tally[Symbol(known: "darts")] }
        #expect(darts == [4, 3, 3, 3])
        #expect(outcome.players.map(\.isWinner) == [true, false, true, false])
        #expect(outcome.players.map(\.team) == ["reds", "blues", "reds", "blues"])
    }

    @Test("another member than the next one is refused")
    func otherMember() throws {
        var table = table()
        let rules = try builtIn("bowling").rules
        try table.play("X", by: rules)
        try table.play("X", by: rules)
        var context = MoveContext(random: SeededGenerator(seed: 1))
        #expect(throws: RuleViolation.self) {
            try rules.play(Move(["X"], by: player(1)), in: table.book, with: &context)
        }
        let played = try rules.play(Move(["X"], by: player(3)), in: table.book, with: &context)
        #expect(played.player == player(3))
    }

    @Test("in a formula players are people, and a team that is one scorer is one of the sides")
    func sides() throws {
        let sheet = try Sheet(
            json: """
                {"id": "s", "name": "S", "teams": "together",
                 "rows": [{"id": "n", "label": "N", "kind": "rounds",
                           "formula": "entered + 10 * sides + 100 * players"},
                          {"id": "all", "label": "All", "kind": "formula",
                           "formula": "1000 * sides + 0 * n"}]}
                """
        )
        var table = Table("Ann", "Bob", "Cem", "Dan")
        table.teams("reds", "blues", "reds", "")
        table.write(3, "n", 1, to: .integer(1))
        #expect(sheet.rules.standings(of: table.book)[player(1)]?.total == 3431)
    }

    @Test("members in any order on three laptops are one scorer's sheet", arguments: ofRows, 0..<4)
    func oneSheet(game: String, seed: UInt64) throws {
        var pairs = try Pairs(seed: seed, game)
        for _ in 0..<40 { pairs.score() }
        pairs.expectEqual("seed \(seed)")
    }

    @Test("members who play in turn on three laptops are one player", arguments: ofTurns, 0..<4)
    func onePlayer(game: String, seed: UInt64) throws {
        var pairs = try Pairs(seed: seed, game)
        for _ in 0..<40 { pairs.play() }
        pairs.expectEqual("seed \(seed)")
    }
}

/// Two teams of two on three laptops, and beside them the same game of two single players.
private struct Pairs {
    private var laptops: [Replica]
    private var single: Replica
    private let sheet: Sheet
    private var generator: SeededGenerator
    /// What was entered for each side.
    private var entered: Set<Cell> = []

    private static let reds = [player(1), player(3)]
    private static let blues = [player(2), player(4)]

    init(seed: UInt64, _ game: String) throws {
        generator = SeededGenerator(seed: seed)
        let sheet = try SheetLibrary.builtIn.sheet(named: game)
        self.sheet = sheet
        laptops = (1...3).map { Replica($0, sheet) }
        single = Replica(1, sheet)
        let members: [(UInt64, String, String)] = [
            (1, "Ann", "reds"), (2, "Bob", "blues"), (3, "Cem", "Reds"), (4, "Dan", "blues"),
        ]
        for (number, name, team) in members {
            let added = Mutation.add(player(number), name: name)
            laptops[0].write(added + [.team(of: player(number), team)])
        }
        for (number, name) in [(1, "reds"), (2, "blues")] as [(UInt64, String)] {
            single.write(Mutation.add(player(number), name: name))
        }
        merge()
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    /// Lets everybody have everything.
    private mutating func merge() {
        for one in laptops.indices {
            for other in laptops.indices where other != one {
                laptops[one].merge(laptops[other], using: &generator)
            }
        }
    }

    /// Enters a number in a cell that is empty: one member, or each a part of it.
    mutating func score() {
        let rows = sheet.rows.filter { !$0.isComputed && $0.kind != .moves }
        let row = rows[below(rows.count)]
        let side = below(2)
        let round: UInt32? = row.lastRound == nil ? nil : UInt32(1 + below(6))
        let cell = Cell(player: player(UInt64(side + 1)), row: row.id, round: round)
        guard entered.insert(cell).inserted, let value = value(of: row) else { return }
        single.write(Mutation.score(cell, value))
        let members = side == 0 ? Pairs.reds : Pairs.blues
        func write(_ value: Value, by member: PlayerID) {
            let cell = Cell(player: member, row: row.id, round: round)
            laptops[below(3)].write(Mutation.score(cell, value))
        }
        if row.partners == .add, let number = value.integer, below(3) > 0 {
            let part = Int64(below(4))
            write(.integer(part), by: members[0])
            write(.integer(number - part), by: members[1])
        } else {
            write(value, by: members[below(2)])
        }
        if below(4) == 0 { merge() }
    }

    private mutating func value(of row: Row) -> Value? {
        switch row.content {
        case .flag: .boolean(below(2) == 0)
        case .choice(let choices): .text(choices[below(choices.count)].word.description)
        case .number, .rounds:
            .integer(min(max(Int64(below(14)), row.range.from), row.range.to))
        case .tokens, .order, .text, .moves, .computed: nil
        }
    }

    /// Plays a turn on a laptop that knows the game, and the same one in the game of two.
    mutating func play() {
        let words = [
            "60", "100", "26", "X", "72", "9/", "t20 t19 20", "20 20 20", "reds", "blues",
            "reds 2S=", "blues 3NT-1",
        ]
        let move = words[below(words.count)]
        merge()
        var context = MoveContext(random: generator)
        let hasPlayed = laptops[below(3)].play(move, using: &context)
        #expect(single.play(move, using: &context) == hasPlayed, "\(move)")
    }

    mutating func expectEqual(_ place: String) {
        merge()
        guard let own = single.board.standings else { return }
        for laptop in laptops {
            guard let shared = laptop.board.standings else { continue }
            for (side, members) in [Pairs.reds, Pairs.blues].enumerated() {
                let line = own[player(UInt64(side + 1))]
                for member in members {
                    #expect(shared[member]?.total == line?.total, "\(place)")
                    #expect(shared[member]?.rank == line?.rank, "\(place)")
                }
            }
            #expect(shared.isFinished == own.isFinished, "\(place)")
            #expect(shared == laptop.fromScratch.standings, "\(place)")
            let tallies = shared.outcomes.map { tally(of: $0) }
            #expect(tallies == own.outcomes.map { tally(of: $0) }, "\(place)")
        }
    }

    /// The numbers of an outcome that are sums, of all players together.
    private func tally(of outcome: Outcome) -> [Symbol: Int64] {
        let sums: [StaticString] = ["darts", "points", "visits", "marks", "strikes", "spares"]
        return sums.reduce(into: [:]) { tally, name in
            let name = Symbol(known: name)
            tally[name] = outcome.players.reduce(0) { $0 + ($1.tally[name] ?? 0) }
        }
    }
}
