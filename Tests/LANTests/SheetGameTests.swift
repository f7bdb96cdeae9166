import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    /// Games of rows, each on three laptops of which one is cut off in the middle.
    struct SheetGameTests {
        @Test("Wingspan: 98, 101 and 98 as published, and the remaining food breaks the tie")
        func wingspan() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem", game: "wingspan")
            try lab.seat("Ann", "Bob", "Cem")
            try lab[0].run("score", "birds=20+15", "bonus=12", "unused=2")
            try lab[1].run("score", "birds=45", "bonus=12")
            try lab[0].run("score", "Cem", "goals=10")
            try lab.cut(2) {
                try lab[0].run("score", "birds=20+15+20", "goals=4+5+6", "eggs=8")
                try lab[1].run("score", "birds=45+10", "goals=5+6+7", "eggs=7", "food=4")
                try lab[2].run("score", "bi=60", "bonus=10", "goals=12", "eggs=8", "unused=3")
                let refused = try lab[2].refusal("score", "eggs=201")
                #expect(refused.contains("eggs takes a whole number from 0 to 200"), "\(refused)")
            }
            try lab[0].run("score", "food=3", "tucked=5")
            try lab[1].run("score", "tucked=5", "unused=0")
            try lab[2].run("score", "food=3", "tucked=5")
            try lab.agree()
            try lab[1].run("session", "finish")
            let sheet = try lab.sheet()
            #expect(sheet.places == ["Ann 98 3", "Bob 101 1", "Cem 98 2"])
            #expect(sheet.champions == ["Bob"] && sheet.finished)
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
            #expect(
                sheet.players.map(\.tieBreak) == [
                    "tied at 98, Unused food 2", nil, "tied at 98, Unused food 3",
                ]
            )
            #expect(sheet.values(of: "Ann", in: "birds") == [.text("20+15+20")])
        }

        @Test("Rounds: the lowest total wins, and the target ends the game on all laptops")
        func lowest() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play(
                "Ann",
                "Bob",
                "Cem",
                game: "rounds",
                options: ["wins=lowest", "target=100"]
            )
            try lab.seat("Ann", "Bob", "Cem")
            for (laptop, points) in zip(lab.laptops, ["26", "0", "13"]) {
                try laptop.run("score", points)
            }
            try lab.cut(2) {
                // Everybody goes on with the next round, wherever they are.
                for (laptop, points) in zip(lab.laptops, ["40", "-5", "20+1"]) {
                    try laptop.run("score", points)
                }
                try lab[2].run("score", "9")
            }
            #expect(try lab.sheet().places == ["Ann 66 3", "Bob -5 1", "Cem 43 2"])
            #expect(try lab.sheet().finished == false)
            try lab[1].run("score", "Ann", "34")
            #expect(try lab.sheet().finished == false)
            #expect(try lab[2].run("show").contains("when round 3 is complete (Bob)"))
            try lab[1].run("score", "0")
            let sheet = try lab.sheet()
            #expect(sheet.places == ["Ann 100 3", "Bob -5 1", "Cem 43 2"])
            #expect(sheet.finished && sheet.champions == ["Bob"])
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
            #expect(
                sheet.values(of: "Cem", in: "round") == [.integer(13), .text("20+1"), .integer(9)]
            )
        }

        /// A game that no program knows.
        private static let harvest = """
            {
              "id": "harvest",
              "name": "Harvest",
              "players": {"from": 1},
              "rows": [
                {"id": "sheep", "label": "Sheep", "kind": "number", "factor": 2,
                 "range": {"from": 0, "to": 20}},
                {"id": "grain", "label": "Grain", "kind": "number", "table": [-1, 1, 2, 4]},
                {"id": "first", "label": "First", "kind": "flag", "points": 5},
                {"id": "wood", "label": "Wood", "kind": "number", "scores": false}
              ],
              "tieBreakers": [{"row": "wood"}]
            }
            """

        @Test("A user sheet that is added on one laptop is used by all")
        func own() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            for laptop in lab.laptops { try laptop.start() }
            let file = try lab[0].file("harvest.json", Self.harvest)
            try lab[0].run("games", "add", file)
            try lab.play("Ann", "Bob", "Cem", game: "harvest")
            try lab.seat("Ann", "Bob", "Cem")
            for laptop in lab.laptops.dropFirst() {
                let games = try laptop.read(GameListReply.self, "games").items
                #expect(!games.contains { $0.id == "harvest" })
                let page = try laptop.run("games", "show", "--session", "Friday")
                #expect(page.contains("Harvest"), "\(page)")
            }
            try lab.cut(1) {
                try lab[1].run("score", "sheep=4", "grain=0")
                let refused = try lab[1].refusal("score", "sheep=21")
                #expect(refused.contains("sheep takes a whole number from 0 to 20"), "\(refused)")
                try lab[0].run("score", "sheep=1+2", "grain=7")
                try lab[2].run("score", "first=yes", "grain=1", "sheep=0")
            }
            try lab[0].run("score", "wood=1")
            try lab[1].run("score", "grain=2", "wood=3")
            try lab.agree()
            try lab[2].run("session", "finish")
            let sheet = try lab.sheet()
            #expect(sheet.places == ["Ann 10 2", "Bob 10 1", "Cem 6 3"])
            #expect(sheet.champions == ["Bob"])
            #expect(sheet.players[1].tieBreak == "tied at 10, Wood 3")
            #expect(sheet.objections.isEmpty && sheet.conflictCount == 0)
        }
    }
}
