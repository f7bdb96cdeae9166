import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

// Needs real time: the time to converge is promised.

extension LAN {
    struct CableTests {
        /// The way in which the cable of the third laptop is pulled.
        enum Cut: CaseIterable {
            /// So shortly that no daemon notices.
            case unnoticed
            /// Until all daemons have given the link up.
            case noticed
            /// Shortly, and the two others never hear each other.
            case amongIsolated
        }

        @Test(
            "After a pulled cable all laptops soon converge, and each value is kept or in conflict",
            arguments: Cut.allCases
        )
        func pulledCable(_ cut: Cut) throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem", "All", isolatingTwo: cut == .amongIsolated)
            try lab.cables[2].pull()
            if cut == .noticed {
                try eventually(within: .seconds(25), everyMilliseconds: 200, "the link is given up")
                {
                    let peers = try lab.laptops.map {
                        try $0.read(PeerListReply.self, "peer", "list")
                    }
                    return peers[2].items.allSatisfy { !$0.online }
                        && peers[0].items.count(where: \.online) == 1
                }
            }
            for (index, laptop) in lab.laptops.enumerated() {
                let own = (1...180).map { "round.\($0)=\($0 + index)" }
                try laptop.run(["score", ["Ann", "Bob", "Cem"][index]] + own)
                let shared = (1...20).map { "round.\($0)=\($0 * 10 + index)" }
                try laptop.run(["score", "All"] + shared)
            }
            let plugged = ContinuousClock.now
            try lab.cables[2].plug()
            try lab.agree(within: .seconds(20))
            let took = ContinuousClock.now - plugged
            print("equal after the cable (\(cut)): \(took)")
            // The budget is 2 s; a debug build beside other tests gets twice the time.
            #expect(took < .seconds(4))
            try expectConflicts(lab, values: cut == .amongIsolated ? 3 : 2)
            try expectHistory(lab)
        }

        @Test("After a silent cut of 4 s while both sides write, all laptops converge in 2 s")
        func silentCut() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem")
            try lab.cables[2].silence()
            let cut = ContinuousClock.now
            var round = 0
            while ContinuousClock.now - cut < .seconds(4) {
                round += 1
                try lab[0].run("score", "Ann", "round.\(round)=1")
                try lab[2].run("score", "Cem", "round.\(round)=2")
            }
            try lab.cables[2].restore()
            let healed = ContinuousClock.now
            try lab.agree(within: .seconds(20))
            let took = ContinuousClock.now - healed
            print("equal after a silent cut with \(round) scores on both sides: \(took)")
            // 0.14 s by themselves; TCP alone would send again after 2.9 s and more.
            #expect(took < .seconds(2))
            let totals = try lab[0].read(ShowDocument.self, "show").players.map(\.total)
            #expect(totals == [Points(Int64(round)), 0, Points(Int64(2 * round))])
        }

        /// All twenty cells stand in conflict, the same on every laptop.
        private func expectConflicts(_ lab: Lab, values: Int) throws {
            let said = try lab.laptops.map { try $0.run("conflicts", "--json") }
            #expect(Set(said).count == 1)
            let conflicts = try lab[0].read(ConflictsReply.self, "conflicts").items
            #expect(conflicts.map(\.round) == Array(1...20))
            #expect(conflicts.allSatisfy { $0.player == "All" && $0.values.count == values })
        }

        /// Every value that a laptop has saved stands in its own journal.
        private func expectHistory(_ lab: Lab) throws {
            for (index, laptop) in lab.laptops.enumerated() {
                let entries = try laptop.read(HistoryReply.self, "history").items
                let own = Set(entries.filter { $0.by == laptop.name }.map(Written.init))
                let name = ["Ann", "Bob", "Cem"][index]
                let expected =
                    (1...180).map { Written(player: name, round: $0, value: Int64($0 + index)) }
                    + (1...20).map {
                        Written(player: "All", round: $0, value: Int64($0 * 10 + index))
                    }
                #expect(own == Set(expected))
            }
        }
    }
}

/// A score that somebody wrote.
struct Written: Hashable {
    let player: String
    let round: Int?
    let value: Scalar

    init(player: String, round: Int, value: Int64) {
        (self.player, self.round, self.value) = (player, round, .integer(value))
    }

    init(_ entry: HistoryEntry) {
        (player, round, value) = (entry.player, entry.round, entry.value)
    }
}
