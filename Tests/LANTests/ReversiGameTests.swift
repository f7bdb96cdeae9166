import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct ReversiGameTests {
        /// Nagano – Schotte, world championship 2016: 50 to 14.
        private static let moves = Array(
            "f5f6e6f4g5e7e3f3c5d3g4g3g6c3d7c6c4d6b5b3b4h4c7d8h5h3f8f7h2a6a5h7"
                + "f2c8b6a4b7e2g2f1b8a8a7h1h6g7g1d2c1c2d1e1h8g8e8b1a1b2a3a2"
        )

        private static func moves(_ numbers: ClosedRange<Int>) -> String {
            String(moves[(numbers.lowerBound * 2 - 2)..<(numbers.upperBound * 2)])
        }

        @Test("Reversi: a recorded game, by transcript and move by move from both sides")
        func recorded() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", game: "reversi")
            try lab.seat("Ann", "Bob")
            try lab[0].run("play", Self.moves(1...30))
            var mover = try lab.sheet().mover
            func step(_ number: Int) throws {
                let laptop = lab[mover == "Ann" ? 0 : 1]
                mover = try laptop.move(Self.moves(number...number)).turn
            }
            for number in 31...38 { try step(number) }
            // The player to move goes on, on either side of the cable.
            for number in 39...42 {
                try lab.cut(1) {
                    let waiting = lab[mover == "Ann" ? 1 : 0]
                    let turn = "move \(number) is \(mover ?? "nobody")'s"
                    try step(number)
                    let refused = try waiting.refusal("play", Self.moves(number...number))
                    #expect(refused.contains(turn), "\(refused)")
                }
            }
            try lab[2].run("play", Self.moves(43...60))
            let sheet = try lab.sheet()
            #expect(sheet.places == ["Ann 50 1", "Bob 14 2"])
            #expect(sheet.finished && sheet.champions == ["Ann"])
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
            #expect(sheet.players.flatMap(\.cells).count == 60)
        }

        @Test("Reversi: a computer whose laptop was away answers when it is back")
        func computer() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", game: "reversi")
            try lab[1].run("player", "add", "--computer", "Robo", "--depth", "3")
            try lab.seat("Ann")
            try lab[0].move("d3")
            try lab[0].run("wait", "--for", "turn", "--timeout", "10")
            try lab.cut(1) {
                try lab[0].move(try #require(try lab[0].legal.first))
                try lab.agree([lab[0], lab[2]])
                #expect(try lab[2].read(ShowDocument.self, "show").mover == "Robo")
                let refused = try lab[2].refusal("play", try #require(try lab[2].legal.first))
                #expect(refused.contains("only bob-laptop moves for it"), "\(refused)")
            }
            for _ in 1...3 {
                try lab[0].run("wait", "--for", "turn", "--timeout", "10")
                try lab[0].move(try #require(try lab[0].legal.first))
            }
            try lab[0].run("wait", "--for", "turn", "--timeout", "10")
            let sheet = try lab.sheet()
            #expect(sheet.mover == "Ann" && !sheet.finished)
            #expect(sheet.players.map(\.cells.count) == [5, 5])
            #expect(Set(sheet.players[1].cells.map(\.by)) == ["bob-laptop"])
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
        }
    }
}
