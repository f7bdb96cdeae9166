import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    /// Two laptops enter different moves for the same turn while they are apart.
    ///
    /// The third laptop is the one that is away. It moves later by the clock that all share here,
    /// so that what it enters is shown, and what the first one entered is not.
    struct TurnConflictTests {
        @Test("Darts: of two visits for one turn one counts everywhere, and both are shown")
        func darts() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", game: "darts")
            try lab.seat("Ann", "Bob")
            try lab.cut(2) {
                try lab[0].move("100")
                try lab[2].run("play", "60")
            }
            try expect(lab, [Told("Ann", "visit", 1, shown: "60", lost: "100")])
            #expect(try lab.sheet().mover == "Bob")
            try resolve("Ann", "visit.1", "100", on: lab[0])
            try expect(lab, [])
            #expect(try lab.sheet().values(of: "Ann", in: "visit") == [.text("100")])
            #expect(try lab[1].move("45").notes.first == "Bob: 45, 456 left")
            #expect(try lab[0].move("1").notes.first == "Ann: 1, 400 left")
            #expect(try lab.sheet().objections.isEmpty)
        }

        @Test("Darts: visits after a losing one are kept, and flagged if they do not count")
        func dartsInVain() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", game: "darts", options: ["start=170"])
            try lab.seat("Ann", "Bob")
            try lab.cut(2) {
                try lab[0].move("100")
                try lab[1].move("60")
                try lab[2].run("play", "T20", "T20", "BULL")
            }
            try expect(lab, [Told("Ann", "visit", 1, shown: "T20 T20 BULL", lost: "100")])
            let sheet = try lab.sheet()
            #expect(sheet.finished && sheet.champions == ["Ann"])
            let reason = "Ann has won the match"
            #expect(sheet.objections == ["Bob visit.2: \(reason)"])
            try expectFlag("Bob visit.2", reason, on: lab[1])
            try expectHistory(["100", "60", "T20 T20 BULL"], lab)
            // Bob, whose visit was in vain, says which one it was.
            try resolve("Ann", "visit.1", "100", on: lab[1])
            try expect(lab, [])
            #expect(try lab.sheet().objections.isEmpty)
            #expect(try lab.sheet().mover == "Ann")
            #expect(try lab[0].move("T20", "D5").winners == ["Ann"])
        }

        @Test("Reversi: of two moves for one turn one counts everywhere, and both are shown")
        func reversi() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", game: "reversi")
            try lab.seat("Ann", "Bob")
            try lab.cut(2) {
                try lab[0].move("d3")
                try lab[2].run("play", "f5")
            }
            try expect(lab, [Told("Ann", "move", 1, shown: "f5", lost: "d3")])
            #expect(try lab.sheet().mover == "Bob")
            try resolve("Ann", "move.1", "d3", on: lab[1])
            try expect(lab, [])
            #expect(try lab.sheet().values(of: "Ann", in: "move") == [.text("d3")])
            #expect(try lab[1].move("c3").turn == "Ann")
            #expect(try lab[0].move("c4").turn == "Bob")
            #expect(try lab.sheet().objections.isEmpty)
        }

        @Test("Reversi: both sides had gone on, and the answer to the move that lost is flagged")
        func reversiInVain() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", game: "reversi")
            try lab.seat("Ann", "Bob")
            try lab.cut(2) {
                try lab[0].move("d3")
                try lab[2].run("play", "f5")
                try lab[2].run("play", "d6")
                try lab[1].move("c3")
            }
            // The second answer was the later one, but it answers a move that does not count.
            try expect(
                lab,
                [
                    Told("Ann", "move", 1, shown: "f5", lost: "d3"),
                    Told("Bob", "move", 2, shown: "c3", lost: "d6"),
                ]
            )
            #expect(try lab.sheet().objections == ["Bob move.2: c3 turns no disc"])
            #expect(try lab.sheet().mover == "Bob")
            for laptop in lab.laptops {
                try expectFlag("Bob move.2", "c3 turns no disc", on: laptop)
            }
            try expectHistory(["d3", "c3", "f5", "d6"], lab)
            try resolve("Bob", "move.2", "d6", on: lab[0])
            #expect(try lab.sheet().objections.isEmpty)
            try resolve("Ann", "move.1", "f5", on: lab[2])
            try expect(lab, [])
            #expect(try lab[0].move("c3").turn == "Bob")
            #expect(try lab.sheet().values(of: "Bob", in: "move") == [.text("d6")])
        }

        // MARK: What must be told

        /// A turn for which two values were entered.
        private struct Told: Hashable {
            let player: String
            let row: String
            let round: Int?
            let values: [Scalar]

            init(_ player: String, _ row: String, _ round: Int, shown: String, lost: String) {
                (self.player, self.row, self.round) = (player, row, round)
                values = [.text(shown), .text(lost)]
            }

            init(_ conflict: ConflictSummary) {
                (player, row, round) = (conflict.player, conflict.row, conflict.round)
                values = conflict.values.map(\.value)
            }
        }

        /// All show the same, list these conflicts, and print how to settle each.
        private func expect(_ lab: Lab, _ told: [Told]) throws {
            #expect(try lab.sheet().conflictCount == told.count)
            let said = try lab.laptops.map { try $0.run("conflicts", "--json") }
            #expect(Set(said).count == 1)
            for laptop in lab.laptops {
                let conflicts = try laptop.read(ConflictsReply.self, "conflicts").items
                #expect(conflicts.map(Told.init) == told)
                let page = try laptop.run("show")
                let head = "conflict: several laptops wrote different values; resolve with"
                #expect(page.contains(head) == !told.isEmpty, "\(page)")
                for conflict in conflicts {
                    let words = conflict.values.map { "\($0.value) by \($0.by)" }
                    #expect(page.contains("(\(words.joined(separator: " or ")))"), "\(page)")
                }
            }
        }

        /// The page of a laptop says what does not count, and says it once.
        private func expectFlag(_ words: String, _ reason: String, on laptop: Laptop) throws {
            let page = try laptop.run("show")
            let lines = page.split(separator: "\n").filter { $0.contains(reason) }
            #expect(lines == ["  ! \(words): \(reason)"], "\(page)")
        }

        /// Settles a turn; a count of discs or legs is no total of a move, and is not told.
        private func resolve(_ words: String..., on laptop: Laptop) throws {
            let reply = try laptop.read(WrittenReply.self, ["resolve"] + words)
            #expect(reply.total == nil && reply.cells.map(\.value) == [.text(words[2])])
        }

        /// Everything that was entered stands in the journal of every laptop.
        private func expectHistory(_ values: [String], _ lab: Lab) throws {
            for laptop in lab.laptops {
                let entries = try laptop.read(HistoryReply.self, "history").items
                #expect(Set(entries.map(\.value)) == Set(values.map(Scalar.text)))
            }
        }
    }
}
