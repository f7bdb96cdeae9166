import LaptopKit
import SyncProtocol
import Testing

// Needs real time: the time to follow is shown.

extension LAN {
    struct NextGameTests {
        @Test("All laptops move to the next game, including one that was away")
        func again() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem", game: "points", options: ["wins=lowest"])
            try lab.seat("Ann", "Bob", "Cem")
            try lab[0].run("score", "30")
            try lab[1].run("score", "20")
            try lab.agree()
            try lab.cables[2].pull()
            try lab[0].run("session", "new", "--again", "--yes")
            try follow("Friday 2", Array(lab.laptops.prefix(2)))
            try lab[0].run("score", "3")
            try lab[1].run("score", "5")
            // Cem knows nothing of it, and enters what he had in the first game.
            try lab[2].run("score", "10")
            try lab.cables[2].plug()
            let plugged = ContinuousClock.now
            try follow("Friday 2", lab.laptops)
            try lab.agree(within: .seconds(20))
            print("the next game followed after the cable: \(ContinuousClock.now - plugged)")
            // He is still Cem, and the options are those of the first game.
            try lab[2].run("score", "4")
            try lab.agree()
            try lab[2].run("session", "finish")
            #expect(try lab.sheet().places == ["Ann 3 1", "Bob 5 3", "Cem 4 2"])
            #expect(try lab.sheet().champions == ["Ann"])
            try expectFirst(lab)
            try expectPeople(lab)
        }

        /// Waits until these have taken up a session, which is the current one then.
        private func follow(_ title: String, _ laptops: [Laptop]) throws {
            try eventually(within: .seconds(20), "\(title) is current") {
                try laptops.allSatisfy { laptop in
                    // At first it has no content, which comes with the first link.
                    let shown = try laptop.attempt("show", "--json")
                    guard shown.status == 0 else { return false }
                    return try shown.decoded(as: ShowDocument.self).session.title == title
                }
            }
        }

        /// The first game is finished everywhere, with what Cem entered while he was away.
        private func expectFirst(_ lab: Lab) throws {
            var shown: [String] = []
            try eventually(within: .seconds(10), "the first game is the same on all: \(shown)") {
                shown = try lab.laptops.map { try $0.run("show", "Friday", "--json") }
                return Set(shown).count == 1
            }
            let sheet = try lab[2].read(ShowDocument.self, "show", "Friday")
            #expect(sheet.places == ["Ann 30 3", "Bob 20 2", "Cem 10 1"])
            #expect(sheet.session.status == "finished" && sheet.champions == ["Cem"])
        }

        /// Everybody's laptop knows the people, the winners and what they have come to.
        private func expectPeople(_ lab: Lab) throws {
            for words in [["leaders", "points"], ["stats", "points"], ["results", "points"]] {
                let said = try lab.laptops.map { try $0.run(words + ["--json"]) }
                #expect(Set(said).count == 1, "\(said)")
            }
            let games = try lab[2].read(LeadersReply.self, "leaders", "points").items
            let leaders = games.flatMap(\.leaders).map { "\($0.place) \($0.name) \($0.wins)" }
            #expect(leaders == ["1 Ann 1", "1 Cem 1"])
            let results = try lab[2].read(ResultsReply.self, "results", "points").items
            #expect(results.map(\.title) == ["Friday 2", "Friday"])
            // Those who joined have said who they are, so that they know everybody.
            for laptop in lab.laptops {
                let people = try laptop.read(PeopleReply.self, "people").items.map(\.name)
                #expect(Set(people) == ["Ann", "Bob", "Cem"])
            }
        }
    }
}
