import Foundation
import LaptopKit
import Testing

extension InBrowser {
    @Suite("Taps for typical entries on a phone")
    struct TapTests {
        /// Taps keys, and expects the player's cells once the outbox is empty.
        private func expect(
            _ cells: String...,
            in game: String,
            after taps: String...,
            of players: [String] = ["Ann", "Bob"],
            options: [String] = []
        ) throws {
            let ann = try Laptop(playing: game, players, options: options)
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open(.phone) { browser in
                try browser.openPhone(of: "Ann", at: board)
                for tap in taps { try browser.press(tap) }
                try browser.wait(until: "words('#told') && $('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == cells)
            }
        }

        @Test("a round of 15: three")
        func round() throws { try expect("round.1=15", in: "rounds", after: "1", "5", "Enter") }

        @Test("a round of Wizard, the bid and the tricks: two")
        func wizard() throws {
            let players = ["Ann", "Bob", "Cem"]
            try expect("bid.1=2", "tricks.1=1", in: "wizard", after: "2", "1", of: players)
        }

        @Test("a visit of 180: one")
        func total() throws { try expect("visit.1=180", in: "darts", after: "180") }

        @Test("three triple twenties: four, after the choice of darts")
        func triples() throws {
            try Browser.onPhone(playing: "darts", "Ann", "Bob") { browser, ann in
                try browser.press("Dart by dart", "T20", "T20", "T20", "Enter")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try ann.cells(of: "Ann") == ["visit.1=T20 T20 T20"])
            }
        }

        @Test("a round of four players, from one laptop: twelve")
        func roundOfFour() throws {
            let players = ["Ann", "Bob", "Cem", "Dee"]
            let taps = ["15", "12", "18", "20"].flatMap { $0.map(String.init) + ["Enter"] }
            #expect(taps.count == 12)
            let ann = try Laptop(playing: "rounds", players)
            try Browser.onApp(of: ann, at: "#table") { browser in
                for tap in taps { try browser.tap(tap) }
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 15 3. 12 4. 18')")
                #expect(try ann.cells(of: "Dee") == ["round.1=20"])
            }
        }

        @Test("a letter of Ghost: one")
        func letter() throws {
            let scratch = try ScratchDirectory()
            let list = "\(scratch.path)/words"
            try "donut\n".write(toFile: list, atomically: true, encoding: .utf8)
            try expect("letter.1=d open", in: "ghost", after: "d", options: ["list=\(list)"])
        }

        @Test("a move of Reversi, a strike, a point of tennis: one")
        func moves() throws {
            try expect("move.1=d3", in: "reversi", after: "d3")
            try expect("frame.1=X", in: "bowling", after: "Strike")
            try expect("point.1=1", in: "tennis", after: "Ann")
        }

        @Test("seven rows of Wingspan: seventeen")
        func wingspan() throws {
            let values = ["30", "12", "9", "18", "5", "0", "2"]
            let taps = values.map { $0.map(String.init) + ["Enter"] }
            #expect(taps.joined().count == 17)
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, ann in
                for row in taps {
                    for tap in row { try browser.press(tap) }
                }
                try browser.wait(until: "words('#pad-title') === 'Everything is entered'")
                try browser.wait(until: "$('#outbox').hidden")
                let cells = try ann.cells(of: "Ann").map { $0.split(separator: "=")[1] }
                #expect(cells.map(String.init) == values)
            }
        }
    }
}
