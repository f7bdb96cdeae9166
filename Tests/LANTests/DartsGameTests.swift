import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct DartsGameTests {
        @Test("Darts: bust, checkout and an undone winning visit, across a pulled cable")
        func match() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem", game: "darts", options: ["start=170", "legs=3"])
            try lab.seat("Ann", "Bob", "Cem")
            try first(lab)
            try second(lab)
            try third(lab)
            let sheet = try lab.sheet()
            #expect(sheet.finished && sheet.champions == ["Ann"])
            #expect(sheet.places == ["Ann 2 1", "Bob 1 2", "Cem 0 3"])
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
            let stats = try lab.laptops.map { try $0.run("stats", "darts", "--json") }
            #expect(Set(stats).count == 1)
        }

        /// Cem is away and goes bust; nobody else can throw meanwhile.
        private func first(_ lab: Lab) throws {
            #expect(try lab[0].move("100").notes.first == "Ann: 100, 70 left")
            try lab[1].move("60")
            try lab.cut(2) {
                #expect(try lab[2].move("180").notes.first == "bust: Cem stays at 170")
                let refused = try lab[0].refusal("play", "60")
                #expect(refused.contains("visit 3 is Cem's"), "\(refused)")
            }
            let won = try lab[0].move("T20", "D5").notes
            #expect(won.first == "Ann won leg 1 with 5 darts, 70 out")
        }

        /// Bob is away while the others see that it is his turn, and enters what he threw.
        private func second(_ lab: Lab) throws {
            try lab.cut(1) {
                let won = try lab[1].move("T20", "T20", "BULL").notes
                #expect(won.first == "Bob won leg 2 with 3 darts, 170 out")
                // He sees that Cem begins the next leg, and enters it for him.
                try lab[1].run("play", "--player", "Cem", "60")
            }
            try lab[0].move("120")
            try lab[1].move("9")
            try lab[2].move("60")
        }

        /// Ann wins the match and takes that back while Cem is away, and wins later.
        private func third(_ lab: Lab) throws {
            try lab.cut(2) {
                let won = try lab[0].move("BULL")
                #expect(won.finished && won.winners == ["Ann"])
                let undone = try lab[0].read(WrittenReply.self, "undo").notes
                #expect(
                    undone == [
                        "this takes back a result: leg 3, which Ann won", "Ann is to move",
                    ]
                )
                #expect(try lab[0].move("10").notes.first == "Ann: 10, 40 left")
                try lab[1].move("60")
            }
            #expect(try lab.sheet().finished == false)
            #expect(try lab[2].move("bust").notes.first == "bust: Cem stays at 50")
            let won = try lab[0].move("40", "--darts", "1")
            #expect(won.finished && won.winners == ["Ann"])
            #expect(won.notes.first == "Ann won leg 3 with 7 darts, 40 out")
        }
    }
}
