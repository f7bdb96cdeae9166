import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Games of rounds agree with independent models")
struct CardRefereeTests {
    @Test(
        "on random games: totals, and whether the game is over",
        arguments: CardReferee.all.indices
    )
    func random(index: Int) throws {
        let referee = CardReferee.all[index]
        let sheet = try SheetLibrary.builtIn.sheet(named: referee.game)
        let parser = ScoreParser(sheet)
        for seed in Seeds.below(200) {
            var random = SeededGenerator(seed: seed)
            let game = referee.play(&random)
            var table = Table()
            table.players = game.totals.indices.map { seat in
                Player(id: player(UInt64(seat + 1)), name: "P\(seat + 1)")
            }
            try table.set(referee.options, by: sheet)
            for entry in game.entries {
                let words = entry.words.split(separator: " ").map(String.init)
                let id = player(UInt64(entry.seat + 1))
                for score in try parser.scores(words, for: id, in: table.book) {
                    table.write(score.cell, to: score.value)
                }
            }
            let standings = sheet.rules.standings(of: table.book)
            let flags = standings.flags.map { $0.words(in: table.book) }
            let name = "\(referee.game), seed \(seed)"
            #expect(flags == [], "\(name)")
            #expect(
                standings.players.map { $0.total.whole.map(Int.init) } == game.totals,
                "\(name)"
            )
            if game.isOver { #expect(standings.isFinished, "\(name)") }
        }
    }

    @Test("killer: lives, who is out, and the last one with a life")
    func killer() throws {
        for seed in Seeds.below(200) {
            var random = SeededGenerator(seed: seed)
            let people = Int.random(in: 2...8, using: &random)
            let start = Int.random(in: 1...10, using: &random)
            var table = Table()
            table.players = (1...people).map { Player(id: player(UInt64($0)), name: "P\($0)") }
            let sheet = try SheetLibrary.builtIn.sheet(named: "killer")
            try table.set("start=\(start)", by: sheet)
            let parser = ScoreParser(sheet)
            func type(_ words: String, _ seat: Int) throws {
                let texts = words.split(separator: " ").map(String.init)
                let scores = try parser.scores(texts, for: table.players[seat].id, in: table.book)
                try sheet.rules.game(of: table.book).check(scores, in: table.book)
                for score in scores { table.write(score.cell, to: score.value) }
            }
            let numbers = Array(1...20).shuffled(using: &random)
            for seat in 0..<people { try type("number=\(numbers[seat])", seat) }
            var lives = Array(repeating: start, count: people)
            while lives.count(where: { $0 > 0 }) > 1 {
                #expect(!sheet.rules.standings(of: table.book).isFinished, "seed \(seed)")
                let alive = lives.indices.filter { lives[$0] > 0 }
                guard let victim = alive.randomElement(using: &random) else { break }
                let lost = Int.random(in: 1...min(3, lives[victim]), using: &random)
                try type("lost=\(lost)", victim)
                lives[victim] -= lost
            }
            let standings = sheet.rules.standings(of: table.book)
            #expect(
                standings.players.map(\.total) == lives.map { Points(Int64($0)) },
                "seed \(seed)"
            )
            #expect(standings.isFinished, "seed \(seed)")
            let last = lives.firstIndex { $0 > 0 }.map { table.players[$0].id }
            #expect(standings.winners == [last].compactMap(\.self), "seed \(seed)")
        }
    }

    @Test("Ark Nova: the lowest appeal of each scoring area, counted down from the start")
    func arkNova() throws {
        // The areas begin at 112 for the first point, 2 lower for each up to the tenth, then 3.
        var lowest = [114]
        for point in 1...41 { lowest.append(lowest[point - 1] - (point <= 10 ? 2 : 3)) }
        #expect(lowest[10] == 94)
        let sheet = try SheetLibrary.builtIn.sheet(named: "ark-nova")
        let parser = ScoreParser(sheet)
        for seed in Seeds.below(200) {
            var random = SeededGenerator(seed: seed)
            var table = Table()
            var totals: [Int] = []
            let isHundred = Bool.random(using: &random)
            try table.set("scale=" + (isHundred ? "hundred" : "zero"), by: sheet)
            for seat in 1...UInt64(Int.random(in: 1...4, using: &random)) {
                table.players.append(Player(id: player(seat), name: "P\(seat)"))
                let appeal = Int.random(in: 0...113, using: &random)
                let conservation = Int.random(in: 0...41, using: &random)
                let words = ["appeal=\(appeal)", "conservation=\(conservation)"]
                for score in try parser.scores(words, for: player(seat), in: table.book) {
                    table.write(score.cell, to: score.value)
                }
                totals.append(appeal - lowest[conservation] + (isHundred ? 100 : 0))
            }
            let standings = sheet.rules.standings(of: table.book)
            #expect(
                standings.players.map(\.total) == totals.map { Points(Int64($0)) },
                "seed \(seed)"
            )
        }
    }
}
