import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Options, players and computers that change at random in mid-game, on two laptops")
struct MidGameLawTests {
    private static let seeds = Seeds.below(20)

    /// Two laptops at one game.
    private struct Two {
        var laptops: [Replica]
        var generator: SeededGenerator
        let sheet: Sheet

        init(seed: UInt64, _ sheet: Sheet) {
            self.sheet = sheet
            generator = SeededGenerator(seed: seed)
            laptops = [Replica(1, sheet), Replica(2, sheet)]
            laptops[0].write([.game(sheet.id)])
            let count = max(2, min(3, sheet.players.to))
            for number in 1...UInt64(count) { add(number, on: 0) }
            merge()
        }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        mutating func merge() {
            let first = laptops[0]
            laptops[0].merge(laptops[1], using: &generator)
            laptops[1].merge(first, using: &generator)
        }

        mutating func add(_ number: UInt64, on laptop: Int) {
            laptops[laptop].write(Mutation.add(player(number), name: "P\(number)"))
        }

        /// A move or a score that the rules take now.
        mutating func play(on laptop: Int) {
            let board = laptops[laptop].board
            guard let game = board.game else { return }
            var aids = MoveContext(random: generator) { (name) throws(RuleViolation) in
                let file = Array("abcab\nabba\nbabab\ncabba\nabc\nbcabc".utf8)
                return WordList(name: name, fingerprint: "f1", file: file)
            }
            let words = game.board?.legal
            let typed = typed(sheet.gameEngine)
            let word = words?.randomElement(using: &generator) ?? typed[below(typed.count)]
            guard !laptops[laptop].play(word, using: &aids) else { return }
            let rows = sheet.rows.filter { $0.isNumeric }
            guard let row = rows.randomElement(using: &generator) else { return }
            let somebody = player(UInt64(1 + below(4)))
            let round: UInt32? = row.lastRound == nil ? nil : UInt32(1 + below(5))
            let cell = Cell(player: somebody, row: row.id, round: round)
            let score = Score(cell, .integer(Int64(below(12))))
            guard (try? game.check(score, in: board.book)) != nil else { return }
            laptops[laptop].write(Mutation.score(score.cell, score.value))
        }

        /// The moves that can be typed in a game without a board.
        private func typed(_ engine: GameEngine) -> [String] {
            switch engine.rawValue {
            case "match": ["P1", "P2", "P3", "P2 2"]
            case "bowling": ["X", "9-", "7/", "XXX", "9/8"]
            case "rubber": ["P1 4S =", "P2 3NT X -1", "P3 2C +1", "P1 1NT ="]
            default: ["a", "b", "c"]
            }
        }

        /// Changes an option, a player, the seats or who is a computer.
        mutating func change(on laptop: Int) {
            let somebody = player(UInt64(1 + below(4)))
            switch below(6) {
            case 0: add(UInt64(1 + below(4)), on: laptop)
            case 1: laptops[laptop].write([.membership(of: somebody, isPresent: false)])
            case 2:
                let seats = (1...UInt64(4)).shuffled(using: &generator).map { player($0) }
                laptops[laptop].write([.seats(seats)])
            case 3:
                let computer = Computer(device: DeviceID(high: 0, low: 1), depth: 1 + below(20))
                laptops[laptop].write([.computer(somebody, computer)])
            default:
                let options = sheet.options.filter { sheet.rules.isChoice($0.name) }
                guard let option = options.randomElement(using: &generator) else { return }
                laptops[laptop].choose(option.name, value(of: option))
            }
        }

        private mutating func value(of option: SheetOption) -> Value {
            switch option.kind {
            case .boolean: .boolean(below(2) == 0)
            case .integer(let bounds, _):
                .integer(bounds.from == Bounds.all.from ? 50 : bounds.from + Int64(below(4)))
            case .choice(let choices, _): .text(choices[below(choices.count)].description)
            case .text: .null
            }
        }
    }

    /// The winners on a board, by the number of the game.
    private func wins(_ board: Scoreboard) -> [Int: [PlayerID]] {
        let outcomes = board.standings?.outcomes ?? []
        let pairs = outcomes.map { outcome in
            (outcome.number, outcome.players.filter(\.isWin).map(\.player))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test(
        "apart and together, the board is the same on both and the same from scratch",
        arguments: [
            "reversi", "ghost", "7-wonders", "wingspan", "rounds", "agricola", "bowling",
            "table-tennis", "petanque", "rubber-bridge",
        ],
        seeds
    )
    func equal(game: String, seed: UInt64) throws {
        var two = Two(seed: seed, try SheetLibrary.builtIn.sheet(named: game))
        for step in 0..<60 {
            let laptop = two.below(2)
            if two.below(3) == 0 { two.change(on: laptop) } else { two.play(on: laptop) }
            let (kept, scratch) = (two.laptops[laptop].board, two.laptops[laptop].fromScratch)
            #expect(kept.standings == scratch.standings, "seed \(seed), step \(step)")
            guard two.below(8) == 0 else { continue }
            two.merge()
            let (one, other) = (two.laptops[0].board, two.laptops[1].board)
            #expect(one.book == other.book, "seed \(seed), step \(step)")
            #expect(one.standings == other.standings, "seed \(seed), step \(step)")
            #expect(one.standings == two.laptops[1].fromScratch.standings, "seed \(seed)")
        }
    }

    @Test(
        "what was won stays won, whatever changes meanwhile on a laptop that was away",
        arguments: ["reversi", "ghost"],
        seeds
    )
    func won(game: String, seed: UInt64) throws {
        var two = Two(seed: seed, try SheetLibrary.builtIn.sheet(named: game))
        // The game begins together, or the other laptop knows nothing of it.
        two.play(on: 0)
        if two.below(2) == 0 { two.merge() }
        for _ in 0..<80 where two.laptops[0].board.standings?.isFinished == false {
            two.play(on: 0)
        }
        let before = wins(two.laptops[0].board)
        for _ in 0..<two.below(12) { two.change(on: 1) }
        two.merge()
        #expect(wins(two.laptops[0].board) == before, "seed \(seed)")
        #expect(wins(two.laptops[1].board) == before, "seed \(seed)")
        for step in 0..<12 {
            two.change(on: two.below(2))
            two.merge()
            #expect(wins(two.laptops[0].board) == before, "seed \(seed), change \(step)")
        }
    }

    @Test("an option of Ghost after the first letter is flagged and has no effect")
    func late() throws {
        var ghost = try GhostTable(["Ann", "Bob"])
        try ghost.play("donut")
        #expect(ghost.standings.winners == [player(2)])
        ghost.set("minimum", .integer(6))
        ghost.set("variant", .text("table"))
        #expect(ghost.standings.winners == [player(2)] && ghost.standings.isFinished)
        #expect(
            ghost.flags == [
                "option minimum: the game has begun, and minimum stays as it is; "
                    + "a new session can have another",
                "option variant: the game has begun, and variant stays as it is; "
                    + "a new session can have another",
            ]
        )
    }
}
