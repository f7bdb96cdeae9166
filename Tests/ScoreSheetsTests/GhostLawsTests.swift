import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The laws of Ghost, on random games and random garbage")
struct GhostLawsTests {
    private static let seeds = Seeds.below(20)

    /// Ghost as it is told in two sentences, on plain sets and without any book.
    private struct Model {
        let words: Set<String>
        let minimum: Int
        var lives: [Int]
        var next = 0
        var beginning = ""
        var isOver = false

        mutating func enter(_ letter: Character) {
            beginning.append(letter)
            let isWord = words.contains(beginning) && beginning.count >= minimum
            let loser = next
            let isOpen = words.contains { $0.hasPrefix(beginning) && $0.count >= minimum }
            let isLost = isWord || !isOpen
            if isLost {
                beginning = ""
                lives[loser] -= 1
                isOver = lives.filter { $0 > 0 }.count == 1
            }
            repeat { next = (next + 1) % lives.count } while lives[next] == 0 && !isOver
        }
    }

    private static func words(using generator: inout SeededGenerator) -> [String] {
        (0..<Int.random(in: 1...30, using: &generator)).map { _ in
            let length = Int.random(in: 1...7, using: &generator)
            return String(
                (0..<length).map { _ in "abc".randomElement(using: &generator) ?? "a" }
            )
        }
    }

    @Test("a random game goes as the rules say", arguments: seeds)
    func legal(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = GhostLawsTests.words(using: &generator)
        let names = Array(["Ann", "Bob", "Cid", "Dee"].prefix(Int(2 + seed % 3)))
        let isTable = seed % 2 == 0
        var ghost = try GhostTable(names, words: words)
        let minimum = Int.random(in: 3...5, using: &generator)
        ghost.set("minimum", .integer(Int64(minimum)))
        if isTable { ghost.set("variant", .text("table")) }
        var model = Model(
            words: Set(words),
            minimum: minimum,
            lives: names.map { _ in isTable ? 5 : 1 }
        )
        while !model.isOver {
            #expect(ghost.mover == names[model.next])
            let beginning = model.beginning.isEmpty ? "no letter yet" : model.beginning.uppercased()
            #expect(ghost.shown == [beginning])
            let letter = "abcd".randomElement(using: &generator) ?? "a"
            try ghost.play(String(letter))
            model.enter(letter)
            #expect(ghost.standings.players.map(\.total) == model.lives.map { Points(Int64($0)) })
            #expect(ghost.standings.isFinished == model.isOver)
            #expect(ghost.standings.flags == [])
        }
        let winners = names.indices.filter { model.lives[$0] > 0 }.map { player(UInt64($0 + 1)) }
        #expect(ghost.standings.winners == winners)
        #expect(ghost.standings.outcomes.count == 1)
    }

    @Test("a change of players removes no earlier letter", arguments: seeds)
    func people(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = GhostLawsTests.words(using: &generator)
        var ghost = try GhostTable(["Ann", "Bob", "Cid"], words: words)
        ghost.set("variant", .text("table"))
        for _ in 0..<40 {
            let before = ghost.standings.countedCells
            let letter = "abcd".randomElement(using: &generator) ?? "a"
            let isPlayed = (try? ghost.play(String(letter))) != nil
            var counted = ghost.standings.countedCells
            #expect(counted.count == before.count + (isPlayed ? 1 : 0), "seed \(seed)")
            #expect(counted.isSuperset(of: before), "seed \(seed)")
            ghost.table.changePlayers(using: &generator)
            // Before the first letter nobody is left out; a player who came later is.
            let after = ghost.standings.countedCells
            counted.subtract(after)
            #expect(counted.isEmpty, "seed \(seed): \(counted)")
        }
    }

    /// A book of letters that fit, nearly fit and do not, with removed players and odd options.
    private static func garbage(
        _ generator: inout SeededGenerator
    ) -> (table: Table, cells: [(Cell, LiveSet)]) {
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        var garbage = Garbage(seed: generator.next())
        var table = Table("Ann", "Bob", "Cid", "Dee")
        table.players.removeLast(below(4))
        if below(3) == 0 { table.remove(UInt64(1 + below(4))) }
        table.isFinished = below(8) == 0
        let beginnings = ["a", "ab", "abc", "b", "ba", "", "A", "é", "1"]
        let verdicts = [" open", " open", " open", " complete", " impossible", "", " x"]
        let turns: [UInt32?] = [nil, 0, 1_000_000, 1_000_001, .max]
        for _ in 0..<below(40) {
            var cell = Cell(
                player: player(UInt64(1 + below(5))),
                row: Symbol(known: "letter"),
                round: below(12) == 0 ? turns[below(turns.count)] : UInt32(1 + below(9))
            )
            if below(12) == 0 { cell = garbage.cell() }
            table.cells[cell] = LiveSet(
                (0...below(2)).map { _ in
                    garbage.entry(
                        below(8) == 0
                            ? garbage.value()
                            : .text(beginnings[below(9)] + verdicts[below(7)])
                    )
                }
            )
        }
        let circle = (0..<below(5)).map { _ in "\(player(UInt64(1 + below(5))))" }
        let options: [(StaticString, [Value])] = [
            ("variant", [.text("table"), .text("simple"), .integer(1)]),
            ("minimum", [.integer(3), .integer(.max), .text("3")]),
            ("circle", [.text(circle.joined(separator: " ")), .text("x y"), .boolean(true)]),
            ("words", [.text("english"), .text(""), .null]), ("what", [.integer(1)]),
        ]
        for (name, values) in options where below(2) == 0 {
            table.options[Symbol(known: name)] = values[below(values.count)]
        }
        return (table, table.cells.sorted { $0.key < $1.key })
    }

    @Test(
        "whatever a book holds has standings, and each letter counts or is flagged",
        arguments: seeds
    )
    func garbage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rules = try builtIn("ghost").rules
        for _ in 0..<10 {
            let (table, _) = GhostLawsTests.garbage(&generator)
            let standings = rules.standings(of: table.book)
            expectLaws(standings, table)
            _ = standings.flags.map { $0.words(in: table.book) }
            _ = try? rules.reset(of: table.book)
        }
    }

    private func expectLaws(_ standings: Standings, _ table: Table) {
        let flagged = Set(
            standings.flags.compactMap { flag -> Cell? in
                if case .cell(let cell) = flag.subject { cell } else { nil }
            }
        )
        var turns: [UInt32] = []
        for cell in standings.players.flatMap(\.cells) {
            let isNothing = cell.bookCell.value == .null
            let counts = cell.points == 0
            #expect(counts == !(flagged.contains(cell.bookCell.cell) || isNothing))
            guard counts, cell.bookCell.cell.row == Symbol(known: "letter") else { continue }
            turns.append(cell.bookCell.cell.round ?? 0)
        }
        // One letter a turn, from the first on.
        #expect(turns.sorted() == Array(0..<UInt32(turns.count)).map { $0 + 1 })
        for player in standings.players {
            #expect((0...5).contains(player.total))
            #expect(player.rank == nil || player.player.isPresent)
        }
        if standings.isFinished { #expect(standings.turn == nil) }
        if let turn = standings.turn { #expect(table.book.player(turn)?.isPresent == true) }
    }

    @Test("the order in which entries arrive does not matter", arguments: seeds)
    func order(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rules = try builtIn("ghost").rules
        let (table, cells) = GhostLawsTests.garbage(&generator)
        var other = table
        other.cells = [:]
        for (cell, live) in cells.shuffled(using: &generator) { other.cells[cell] = live }
        #expect(rules.standings(of: table.book) == rules.standings(of: other.book))
    }

    @Test("only an entered letter can be chosen, and then it counts", arguments: seeds)
    func checked(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let (table, cells) = GhostLawsTests.garbage(&generator)
            var ghost = try GhostTable([])
            ghost.table = table
            let live = cells.flatMap { cell, set in set.entries.map { (cell, $0.value) } }
            for (cell, value) in live where value != .null {
                let score = Score(cell, value)
                guard (try? ghost.rules.check(score, in: table.book)) != nil else { continue }
                var written = ghost
                written.table.write(cell, to: value)
                let scored = written.standings[cell.player]?.cells.first {
                    $0.bookCell.cell == cell
                }
                #expect(scored?.points == 0, "seed \(seed): \(cell) \(value)")
            }
        }
    }

    @Test("a sheet with other options and this game engine never traps", arguments: seeds)
    func foreignSheet(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let json = """
            {"id": "g", "name": "G", "engine": "ghost", "players": {"from": 0},
             "rows": [{"id": "letter", "label": "L", "kind": "moves"}],
             "options": [{"name": "minimum", "kind": "boolean", "default": true},
                         {"name": "list", "kind": "integer"}]}
            """
        var ghost = try GhostTable([], words: ["a"], sheet: try Sheet(json: json))
        (ghost.table, _) = GhostLawsTests.garbage(&generator)
        expectLaws(ghost.standings, ghost.table)
        _ = try? ghost.move("a")
        ghost.table = Table()
        #expect(refusal { () throws(RuleViolation) in _ = try ghost.move("a") } != nil)
        ghost.table = Table("Ann")
        #expect(refusal { () throws(RuleViolation) in _ = try ghost.move("a") } != nil)
    }
}
