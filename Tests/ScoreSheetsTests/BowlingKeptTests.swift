import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept game of bowling, on random games and hostile books")
struct BowlingKeptTests {
    private static let seeds = Seeds.below(20)
    private static let options = [Symbol(known: "x")]

    /// Somebody who bowls, corrects and spoils a game at random.
    private struct Random: RandomPlayer {
        var garbage: Garbage
        var generator: SeededGenerator
        let rules: any GameRules

        init(seed: UInt64) throws {
            garbage = Garbage(seed: seed)
            generator = SeededGenerator(seed: seed)
            rules = try builtIn("bowling").rules
        }

        mutating func table() -> Table {
            var table = Table()
            table.players = players()
            if below(3) == 0 { table.options[Symbol(known: "x")] = .integer(1) }
            return table
        }

        mutating func value() -> Value {
            let texts = [
                "X", "7/", "72", "9-", "--", "XXX", "9/8", "X72", "73", "x", "", "75", "-/", "F9",
            ]
            return .text(texts[below(texts.count)])
        }

        mutating func cell() -> Cell {
            cell(
                in: "frame",
                or: "points",
                upTo: 10,
                strange: [nil, 0, 11, 999, 1_000_000, 1_000_001, .max]
            )
        }

        mutating func words() -> [String] {
            [["X"], ["7/"], ["7", "2"], ["9-"], ["75"], ["XXX"], ["9/8"], []][below(8)]
        }
    }

    @Test("hostile books, changed in batches", arguments: seeds)
    func hostile(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var law = KeptGameLaw(random.table(), random.rules)
        for step in 0..<60 {
            let comment: Comment = "seed \(seed), step \(step)"
            random.spoil(&law, cells: 4, Self.options, comment)
            let standings = law.standings
            for line in standings.players {
                for cell in line.cells where cell.points == nil && cell.bookCell.value != .null {
                    let place = Flag.Subject.cell(cell.bookCell.cell)
                    #expect(standings.flags.contains { $0.subject == place }, comment)
                }
                #expect(line.total >= line.cells.compactMap(\.points).reduce(0, +), comment)
            }
        }
    }

    @Test("every accepted move counts, and the game ends", arguments: seeds)
    func played(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var table = Table("Ann", "Bob", "Cid")
        table.players = Array(table.players.prefix(1 + random.below(3)))
        var law = KeptGameLaw(table, random.rules)
        var aids = MoveContext(random: SeededGenerator(seed: 1))
        var frames = 0
        for step in 0..<400 where !law.standings.isFinished {
            let move = Move(random.words())
            guard let played = try? law.state.play(move, in: law.table.book, with: &aids) else {
                continue
            }
            frames += 1
            for score in played.writes {
                try random.rules.check(score, in: law.table.book)
                let live = LiveSet(random.garbage.entry(score.value))
                law.write([score.cell: live], "seed \(seed), step \(step)")
            }
            #expect(law.standings.flags == [])
        }
        #expect(law.standings.isFinished, "seed \(seed)")
        #expect(frames == 10 * table.players.count)
        #expect(law.standings.players.allSatisfy { (0...300).contains($0.total) })
    }

    @Test("the order in which a book was filled does not matter", arguments: Seeds.below(10))
    func order(seed: UInt64) throws {
        var random = try Random(seed: seed)
        random.expectAnyOrder()
    }
}
