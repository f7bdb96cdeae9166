import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Rubber bridge agrees with an independent score sheet")
struct BridgeRefereeTests {
    /// An independent model: a sheet of paper with two columns, to which every line of the table in
    /// the laws is added, and a line that is drawn after each game.
    private struct Paper {
        var above: [[Int]] = [[], []]
        /// The points below the line, a list for each game.
        var below: [[[Int]]] = [[[]], [[]]]
        var games = [0, 0]

        static let undertricks = [
            [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650],
            [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300],
            [100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500],
            [200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800],
        ]

        var isOver: Bool { games.contains(2) }

        mutating func add(_ deal: Deal, by side: Int) {
            let isVulnerable = games[side] == 1
            if let (points, isOfDefenders) = deal.honours {
                above[isOfDefenders ? 1 - side : side].append(points)
            }
            let over = deal.tricks - 6 - deal.level
            guard over >= 0 else {
                let row = (deal.double > 0 ? 2 : 0) + (isVulnerable ? 1 : 0)
                let factor = deal.double == 2 ? 2 : 1
                above[1 - side].append(Paper.undertricks[row][-over - 1] * factor)
                return
            }
            let first = ["C": 20, "D": 20, "H": 30, "S": 30, "NT": 40][deal.strain] ?? 0
            let next = min(first, 30)
            let factor = [1, 2, 4][deal.double]
            below[side][below[side].count - 1].append((first + (deal.level - 1) * next) * factor)
            switch (deal.double, isVulnerable) {
            case (0, _): above[side].append(over * next)
            case (1, false): above[side].append(over * 100 + 50)
            case (1, true), (2, false):
                above[side].append(over * 200 + (deal.double == 1 ? 50 : 100))
            default: above[side].append(over * 400 + 100)
            }
            if deal.level == 6 { above[side].append(isVulnerable ? 750 : 500) }
            if deal.level == 7 { above[side].append(isVulnerable ? 1500 : 1000) }
            guard below[side].last?.reduce(0, +) ?? 0 >= 100 else { return }
            games[side] += 1
            below[0].append([])
            below[1].append([])
            if games[side] == 2 { above[side].append(games[1 - side] == 0 ? 700 : 500) }
        }

        func totals(isAbandoned: Bool) -> [Points] {
            (0...1).map { side in
                var sum = above[side].reduce(0, +) + below[side].joined().reduce(0, +)
                if isAbandoned, !isOver {
                    if games[side] == 1, games[1 - side] == 0 { sum += 300 }
                    if below[side].last != [], below[1 - side].last == [] { sum += 100 }
                }
                return Points(Int64(sum))
            }
        }
    }

    private struct Deal {
        let level: Int
        let strain: String
        let double: Int
        let tricks: Int
        let honours: (points: Int, isOfDefenders: Bool)?

        init(using random: inout SeededGenerator) {
            level = [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7].randomElement(using: &random) ?? 1
            strain = ["C", "D", "H", "S", "NT"].randomElement(using: &random) ?? "C"
            double = [0, 0, 0, 1, 2].randomElement(using: &random) ?? 0
            let usual = max(0, level + 6 - Int.random(in: 0...3, using: &random))...13
            tricks = Int.random(in: Bool.random(using: &random) ? usual : 0...13, using: &random)
            let points = strain == "NT" ? 150 : [100, 150].randomElement(using: &random) ?? 100
            honours =
                Int.random(in: 0..<4, using: &random) == 0
                ? (points, Bool.random(using: &random)) : nil
        }

        var text: String {
            let over = tricks - 6 - level
            let result = over == 0 ? "=" : over > 0 ? "+\(over)" : "\(over)"
            let held = honours.map { " \($0.isOfDefenders ? "D" : "H")\($0.points)" } ?? ""
            return "\(level)\(strain)\(["", "X", "XX"][double])\(result)\(held)"
        }
    }

    @Test("on 200 random rubbers: points, the end, and what an unfinished one is worth")
    func random() throws {
        let rules = try builtIn("rubber-bridge").rules
        var ended = 0
        for seed in 0..<UInt64(200) {
            var random = SeededGenerator(seed: seed)
            var table = Table("Ann", "Bob")
            var paper = Paper()
            let count = Int.random(in: 1...25, using: &random)
            for number in 1...count where !paper.isOver {
                let side = Int.random(in: 0...1, using: &random)
                let deal = Deal(using: &random)
                paper.add(deal, by: side)
                table.write(UInt64(side + 1), "deal", UInt32(number), to: .text(deal.text))
                let standings = rules.standings(of: table.book)
                let totals = paper.totals(isAbandoned: false)
                #expect(standings.flags.isEmpty, "seed \(seed): \(deal.text)")
                #expect(standings.players.map(\.total) == totals, "seed \(seed): \(deal.text)")
                #expect(standings.isFinished == paper.isOver, "seed \(seed): \(deal.text)")
            }
            if paper.isOver { ended += 1 }
            table.isFinished = true
            let standings = rules.standings(of: table.book)
            let totals = paper.totals(isAbandoned: true)
            #expect(standings.players.map(\.total) == totals, "seed \(seed)")
            let best = totals.max()
            let winners = zip(table.players, totals).filter { $0.1 == best }.map(\.0.id)
            #expect(standings.winners == winners, "seed \(seed)")
        }
        #expect(ended > 20 && ended < 180)
    }
}
