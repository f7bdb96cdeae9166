import LaptopKit
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

// Needs real time: the time to converge is promised.

extension LAN {
    struct CrashTests {
        @Test("Acknowledged writes survive kill -9 in the middle of 500 writes")
        func killed() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            let seed = UInt64.random(in: .min ... .max)
            var generator = SeededGenerator(seed: seed)
            var saved: [Int: Int64] = [:]
            var unsaved = 0
            for batch in 0..<50 {
                // Ten at a time, so that some are always under way when the daemon dies.
                let writes = try (1...10).map { number -> (Int, Int64, Running) in
                    let (round, value) = (batch * 10 + number, Int64(batch * 1_000 + number))
                    return (
                        round, value, try lab[0].begin(["score", "Ann", "round.\(round)=\(value)"])
                    )
                }
                let victim = batch % 10 == 4 ? Int.random(in: 0..<10, using: &generator) : nil
                for (index, (round, value, command)) in writes.enumerated() {
                    if index == victim { lab[0].kill() }
                    let outcome = try command.outcome()
                    if outcome.status == 0 { saved[round] = value } else { unsaved += 1 }
                }
                if victim != nil { try lab[0].start() }
            }
            print("saved \(saved.count), not saved \(unsaved)")
            #expect(saved.count + unsaved == 500)
            #expect(saved.count > 400)
            try lab[0].waitForPeers(1)
            try lab.agree()
            for laptop in lab.laptops {
                let ann = try #require(try laptop.read(ShowDocument.self, "show").players.first)
                let shown = ann.cells.reduce(into: [:]) { $0[$1.round ?? 0] = $1.value }
                let lost = saved.filter { shown[$0.key] != .integer($0.value) }
                #expect(lost.isEmpty, "seed \(seed), on \(laptop.name)")
            }
        }

        @Test("After all laptops were shut down, two of them find each other without the inviter")
        func withoutTheFirst() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem")
            try lab[0].run("score", "Ann", "round.1=11")
            for laptop in lab.laptops { try laptop.waitUntilSynced() }
            for laptop in lab.laptops { #expect(try laptop.stop() == 0) }
            let pair = Array(lab.laptops.dropFirst())
            for laptop in pair { try laptop.start() }
            for laptop in pair { try laptop.waitForPeers(1) }
            try pair[0].run("score", "Bob", "round.1=12")
            try pair[1].run("score", "Cem", "round.1=13")
            try lab.agree(pair)
            try lab[0].start()
            try lab.agree()
            let sheet = try lab[0].read(ShowDocument.self, "show")
            #expect(sheet.players.map(\.total) == [11, 12, 13])
        }

        @Test("A daemon that starts is soon in sync with a running one")
        func coldStart() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            var times: [Duration] = []
            for round in 1...5 {
                try lab[1].stop()
                try lab[0].run("score", "Ann", "round.\(round)=\(round)")
                let start = ContinuousClock.now
                try lab[1].start()
                try lab[1].waitUntilSynced()
                times.append(ContinuousClock.now - start)
                let sheet = try lab[1].read(ShowDocument.self, "show")
                #expect(sheet.players.first?.cells.count == round)
            }
            print("cold start to synced: \(times.sorted())")
            #expect(times.sorted()[2] < .seconds(2))
        }
    }
}
