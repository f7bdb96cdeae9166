import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The laws of the rules, on random books")
struct StandingsLawsTests {
    private static let seeds = Seeds.below(200)

    private let tied = """
        {"id": "tied", "name": "Tied", "players": {"from": 1, "to": 3},
         "rows": [{"id": "points", "label": "Points", "kind": "number",
                   "range": {"from": -3, "to": 3}},
                  {"id": "round", "label": "Round", "kind": "rounds"},
                  {"id": "birds", "label": "Birds", "kind": "number", "scores": false}],
         "options": [{"name": "wins", "kind": "choice", "choices": ["lowest", "highest"],
                      "default": "lowest"}],
         "wins": {"option": "wins"}, "tieBreakers": [{"row": "birds"}], "target": 40}
        """

    /// Some sheets of rows for each seed, all for any four after each other.
    private func sheets(_ seed: UInt64) throws -> [Sheet] {
        let rows = SheetLibrary.builtIn.sheets.filter { $0.gameEngine == .rows }
        let some = rows.indices.filter { $0 % 4 == Int(seed % 4) }.map { rows[$0] }
        return some + [try Sheet(json: tied)]
    }

    @Test("every book has standings, and they keep the laws", arguments: seeds)
    func laws(seed: UInt64) throws {
        for sheet in try sheets(seed) {
            var garbage = Garbage(seed: seed, sheet)
            let book = garbage.book()
            let standings = sheet.rules.standings(of: book)
            expectLaws(standings, book, sheet)
            _ = SheetLayout(sheet, standings, in: book)
            _ = standings.flags.map { $0.words(in: book) }
        }
    }

    @Test("the order in which a book was filled does not matter", arguments: seeds)
    func order(seed: UInt64) throws {
        for sheet in try sheets(seed) {
            var garbage = Garbage(seed: seed, sheet)
            let pieces = garbage.pieces()
            let one = pieces.book(cells: pieces.cells, options: pieces.options)
            let other = pieces.book(
                cells: pieces.cells.shuffled(using: &garbage.generator),
                options: pieces.options.shuffled(using: &garbage.generator)
            )
            #expect(sheet.rules.standings(of: one) == sheet.rules.standings(of: other))
        }
    }

    @Test("a legal entry counts, and an illegal one is flagged", arguments: seeds)
    func checked(seed: UInt64) throws {
        let table = Table("Ann", "Bob")
        for sheet in try sheets(seed) {
            var garbage = Garbage(seed: seed, sheet)
            let (cell, value) = (garbage.cell(), garbage.value())
            let isLegal =
                (try? sheet.rules.check(Score(cell, value), in: table.book)) != nil
            var written = table
            written.cells[cell] = LiveSet(garbage.entry(value))
            let flags = sheet.rules.standings(of: written.book).flags
            // A choice among what there is most of is judged by other cells, a total by all, and a
            // round by what everybody has in it.
            let isOverride = flags.contains {
                [.notTheMost, .totalOutOfRange, .roundCheck].contains($0.reason.code)
            }
            let isFine = isLegal || value == .null
            #expect(isFine == flags.isEmpty || isOverride, "\(cell) \(value)")
        }
    }

    @Test(
        "any typed text is parsed or rejected, and a parsed value is valid in its cell",
        arguments: seeds
    )
    func typed(seed: UInt64) throws {
        for sheet in try sheets(seed) {
            var garbage = Garbage(seed: seed, sheet)
            let parser = ScoreParser(sheet)
            for _ in 0..<20 {
                let text = garbage.text()
                _ = ScoreParser.isScore(text)
                _ = try? parser.option(text)
                _ = try? parser.cell(text, of: player(1))
                let scores = try? parser.scores([text], for: player(1), in: Table("Ann").book)
                for score in scores ?? [] {
                    #expect(sheet.violation(of: score.value, in: score.cell) == nil, "\(text)")
                }
            }
        }
    }

    @Test("mistyped sheets are parsed or rejected, and never trap", arguments: seeds)
    func sheets(seed: UInt64) throws {
        var garbage = Garbage(seed: seed)
        var bytes = Array(tied.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &garbage.generator) {
            let place = Int.random(in: 0..<bytes.count, using: &garbage.generator)
            bytes[place] = UInt8(ascii: "{") &+ UInt8.random(in: 0...255, using: &garbage.generator)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let sheet = try? Sheet(json: text) {
            expectLaws(sheet.rules.standings(of: garbage.book()), garbage.lastBook, sheet)
        }
    }

    @Test("random foreign sheets never trap, with any entries", arguments: seeds)
    func strangers(seed: UInt64) throws {
        var stranger = Stranger(seed: seed)
        let json = stranger.sheet()
        let sheet = try Sheet(json: json)
        #expect(try Sheet(json: sheet.json) == sheet, "\(json)")
        var garbage = Garbage(seed: seed, sheet)
        let pieces = garbage.pieces()
        let book = pieces.book(cells: pieces.cells, options: pieces.options)
        let standings = sheet.rules.standings(of: book)
        expectLaws(standings, book, sheet)
        let other = pieces.book(
            cells: pieces.cells.shuffled(using: &garbage.generator),
            options: pieces.options
        )
        #expect(sheet.rules.standings(of: other) == standings)
    }

    @Test(
        "while a game lasts, removed players leave no hole among the places",
        arguments: SheetLibrary.builtIn.sheets.filter { $0.gameEngine != .rows }
    )
    func places(sheet: Sheet) throws {
        for seed in Seeds.below(6) {
            var session = ScoreboardHistory(seed: seed, sheet, or: sheet)
            for step in 0..<80 {
                _ = session.step()
                guard let standings = session.board.standings, !standings.isFinished else {
                    continue
                }
                let ranks = standings.players.filter(\.player.isPresent).compactMap(\.rank)
                for rank in ranks {
                    let better = ranks.count { $0 < rank }
                    #expect(rank == better + 1, "\(sheet.id), seed \(seed), step \(step)")
                }
            }
        }
    }

    /// The laws for all standings of rows.
    private func expectLaws(_ standings: Standings, _ book: Book, _ sheet: Sheet) {
        let present = book.players.filter(\.isPresent)
        let removed = book.players.filter { !$0.isPresent }
        #expect(standings.players.map(\.player) == present + removed)

        let lowestWins = sheet.winRule(of: book) == .lowest
        let ranked = standings.players.filter { $0.rank != nil }
        // Rows that win go before every total.
        let hasVictories = sheet.rows.contains { $0.wins != nil }
        for one in ranked {
            #expect(one.player.isPresent)
            if hasVictories { continue }
            let better = ranked.filter {
                lowestWins ? $0.total < one.total : $0.total > one.total
            }
            let equal = ranked.filter { $0.total == one.total }
            // Tie-breakers only order those of an equal total.
            let places = better.count + 1...better.count + equal.count
            #expect(places.contains(one.rank ?? 0))
            if sheet.tieBreakers.isEmpty { #expect(one.rank == places.lowerBound) }
            #expect((one.tieBreak != nil) == (equal.count > 1))
        }
        #expect(standings.leaders.isEmpty == ranked.isEmpty)
        #expect(!book.isFinished || standings.winners == standings.leaders)

        for line in standings.players {
            #expect(line.total <= .largest && 0 - line.total <= .largest)
            let computed = line.computed.filter { sheet.row($0.row)?.scores == true }
            let sum = (line.cells.compactMap(\.points) + computed.map(\.points))
                .reduce(Int128(0)) { $0 + Int128($1.halves) }
            let isCut = standings.flags.contains { flag in
                flag.subject == .player(line.player.id) && flag.reason.code == .totalOutOfRange
            }
            #expect((sum == Int128(line.total.halves)) == !isCut)
            for cell in line.cells where cell.points == nil && cell.bookCell.value != .null {
                #expect(standings.flags.contains { $0.subject == .cell(cell.bookCell.cell) })
            }
        }
    }
}
