import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The laws of Smash Up, on random evenings and random books")
struct SmashUpLawsTests {
    private static let seeds = Seeds.below(20)

    /// Something that could be typed, legal or not.
    private func move(_ generator: inout SeededGenerator) -> String {
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        let name = ["Ann", "Bob", "Cid", "Dan", "Zoe"][below(5)]
        let moves = [
            "deal", "reveal", "end", "end", "end", "replay", "use all", "without \(name)",
            "only pretty core", "use ninjas", "madness \(name)=\(below(9))", "\(name) -1",
            "base 4 2 1 Ann=\(below(9)) Bob=\(below(9)) \(name)=3", "+\(below(4))",
            "base 5 3 2 Ann=\(below(4)) Bob=\(below(4)) Cid=\(below(4))",
        ]
        let place = below(moves.count + 5)
        return place < moves.count ? moves[place] : "\(name) +\(1 + below(6))"
    }

    @Test("legal moves count: a legal evening has no flags", arguments: seeds)
    func legal(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let names = ["Ann", "Bob", "Cid", "Dan"].prefix(Int.random(in: 2...4, using: &generator))
        var evening = try SmashUpEvening(Array(names), seed: seed)
        for _ in 0..<60 {
            let before = evening.standings
            let text = move(&generator)
            guard (try? evening.play(text)) != nil else { continue }
            let standings = evening.standings
            #expect(standings.flags.isEmpty, "seed \(seed): \(text)")
            #expect(standings.outcomes.starts(with: before.outcomes) || before.isFinished)
            expectLaws(standings, evening.table.book)
        }
        #expect(!evening.table.cells.isEmpty)
    }

    @Test("a legal raw score counts, and an illegal one is flagged")
    func checked() throws {
        let sheet = try builtIn("smash-up")
        for seed in Self.seeds {
            var garbage = SmashUpGarbage(seed: seed)
            var evening = try SmashUpEvening([])
            evening.table = Table("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus")
            evening.table.players.removeLast(3)
            for _ in 0..<20 {
                let (cell, value) = (garbage.cell(), garbage.value())
                let score = Score(cell, value)
                let reason = refusal { () throws(RuleViolation) in
                    try sheet.rules.check(score, in: evening.table.book)
                }
                var written = evening
                written.write(score)
                // Whose turn a mark may end, and that the game before was over, is said when it is
                // entered: a correction of that game takes nothing from the one that followed.
                let counts =
                    reason == nil || value == .null || reason == "it is Ann's turn"
                    || reason == "the game is not over; to clear it: scorectl reset"
                #expect(
                    counts == written.standings.flags.isEmpty,
                    "seed \(seed): \(cell) \(value)"
                )
            }
        }
    }

    @Test("every book has standings, regardless of contents and order")
    func garbage() throws {
        let sheet = try builtIn("smash-up")
        for seed in Self.seeds {
            var garbage = SmashUpGarbage(seed: seed)
            let pieces = garbage.pieces()
            let book = pieces.book(cells: pieces.cells, options: pieces.options)
            let other = pieces.book(
                cells: pieces.cells.shuffled(using: &garbage.generator),
                options: pieces.options.shuffled(using: &garbage.generator)
            )
            let standings = sheet.rules.standings(of: book)
            #expect(standings == sheet.rules.standings(of: other), "seed \(seed)")
            expectLaws(standings, book)
            let words = sheet.rules.words(in: book)
            _ = standings.flags.map { $0.words(in: book, by: words) }
            for cell in standings.players.flatMap(\.cells) {
                _ = words.value(Score(cell.bookCell.cell, cell.bookCell.value))
            }
            var aids = MoveContext(random: garbage.generator)
            for _ in 0..<10 {
                let move = Move([move(&garbage.generator)])
                _ = try? sheet.rules.play(move, in: book, with: &aids)
            }
            _ = try? sheet.rules.reset(of: book)
        }
    }

    @Test("a change of players does not change the past", arguments: seeds)
    func people(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"], seed: seed)
        for _ in 0..<24 {
            let played = (try? evening.play(move(&generator))) != nil
            let before = evening.standings
            #expect(!played || before.flags.allSatisfy { !$0.isOfCell }, "seed \(seed)")
            evening.table.changePlayers(using: &generator)
            let after = evening.standings
            #expect(after.countedCells == before.countedCells, "seed \(seed)")
            #expect(after.isFinished == before.isFinished)
            expectLaws(after, evening.table.book)
        }
    }

    @Test("laptops that were apart agree, in either direction of the merge", arguments: seeds)
    func apart(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var ann = try SmashUpEvening(["Ann", "Bob", "Cid"], seed: seed)
        for _ in 0..<10 { _ = try? ann.play(move(&generator)) }
        let base = ann.table
        var bob = try ann.copy(actor: 2)
        for _ in 0..<10 {
            _ = try? ann.play(move(&generator))
            _ = try? bob.play(move(&generator))
            if Int.random(in: 0..<6, using: &generator) == 0 {
                ann.table.changePlayers(using: &generator)
            }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                bob.table.changePlayers(using: &generator)
            }
        }
        let (annAlone, bobAlone) = (ann, bob)
        ann.merge(bobAlone, since: base)
        bob.merge(annAlone, since: base)
        // Options and players are registers too; which of two writes wins is not told here.
        bob.table.options = ann.table.options
        let known = Set(ann.table.players.map(\.id))
        ann.table.players += bob.table.players.filter { !known.contains($0.id) }
        bob.table.players = ann.table.players
        #expect(ann.standings == bob.standings, "seed \(seed)")
        expectLaws(ann.standings, ann.table.book)
        let typed = ann.standings.players.flatMap(\.cells).filter { $0.bookCell.value != .null }
        #expect(typed.count == ann.table.cells.count)
    }

    @Test("ten thousand facts are counted at once")
    func many() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid", "Dan"])
        var facts: Int64 = 0
        for turn in 1...UInt32(900) {
            let mover = UInt64((turn - 1) % 4 + 1)
            evening.write(Score(evening.table.cell(mover, "turn", turn), .text("end")))
            for slot in 0..<UInt32(10) {
                let cell = evening.table.cell(1 + UInt64(slot) % 4, "points", turn * 1000 + slot)
                evening.write(Score(cell, .integer(slot < 8 ? 1 : -4)))
                facts += 1
            }
        }
        let book = evening.table.book
        let standings = evening.sheet.rules.standings(of: book)
        #expect(standings.flags.isEmpty)
        #expect(standings.players.map(\.cells.count).reduce(0, +) == 9900)
    }

    /// The laws for the standings of every book.
    private func expectLaws(_ standings: Standings, _ book: Book) {
        #expect(
            standings.players.map(\.player)
                == book.players.filter(\.isPresent) + book.players.filter { !$0.isPresent }
        )
        for line in standings.players {
            let sum = line.cells.compactMap(\.points).reduce(0, +)
            #expect(sum == line.total)
            #expect(line.rank == nil || line.player.isPresent)
            for cell in line.cells where cell.points == nil && cell.bookCell.value != .null {
                #expect(standings.flags.contains { $0.subject == .cell(cell.bookCell.cell) })
            }
        }
        #expect(standings.isFinished || standings.outcomes.allSatisfy { $0.number >= 1 })
        #expect(!standings.isFinished || standings.turn == nil)
        #expect(standings.winners.isEmpty == (!standings.isFinished || standings.leaders.isEmpty))
    }
}
