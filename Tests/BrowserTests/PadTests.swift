import LaptopKit
import Testing

extension InBrowser {
    @Suite("What the pad of a phone offers")
    struct PadTests {
        private static let keys = "$$('#keys button').map((key) => key.textContent)"

        @Test("a cell that a partner has filled shows that, and is not entered again")
        func partner() throws {
            let ann = try Laptop(playing: "molkky", "Ann", "Bob", "Cem")
            try ann.run("player", "team", "Reds", "Ann", "Cem")
            try ann.run("score", "Cem", "throw.1=5")
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open(.phone) { browser in
                try browser.openPhone(of: "Ann", at: board)
                #expect(try browser.words("#pad-title") == "Throw 2")
                #expect(try browser.words("#rows li") == "Throw 1 Cem: 5")
                try browser.press("Throw 1")
                try browser.wait(until: "words('#hint') === 'Cem has entered 5 for Reds.'")
                #expect(try browser.read("$('#form').hidden && !$('#keys button')"))
                try browser.press("Throw 2", "7", "Enter")
                try browser.waitUntilAnswered(at: "12")
                #expect(try browser.words("#rows li:nth-child(2)") == "Throw 2 7")
            }
        }

        @Test("after the last row nothing is selected, and a tap on a row corrects it")
        func lastRow() throws {
            try Browser.onPhone(playing: "wingspan", "Ann", "Bob") { browser, _ in
                let rows: Int = try browser.read("$$('#rows li').length")
                for _ in 0..<rows { try browser.press("2", "Enter") }
                // Food that is left over has no points.
                try browser.waitUntilAnswered(at: "\(2 * (rows - 1))")
                try browser.wait(until: "words('#pad-title') === 'Everything is entered'")
                #expect(try browser.read("$('#form').hidden && !$('#keys button')"))
                #expect(try browser.read("!$('#rows [aria-pressed=true]')"))
                let label = try browser.words("#rows .label")
                try browser.press(label)
                try browser.wait(until: "words('#pad-title') === '\(label)'")
            }
        }

        @Test("a flag that another rules out is not asked")
        func contradiction() throws {
            try Browser.onPhone(playing: "skat", "Ann", "Bob", "Cem") { browser, ann in
                try browser.press("grand")
                try browser.wait(until: "words('#pad-title') === 'Won 1'")
                try browser.press("yes")
                try browser.wait(until: "words('#pad-title') === 'Matadors 1'")
                let labels = "$$('#rows .label').map((one) => one.textContent)"
                #expect(try browser.read("!\(labels).includes('Lost 1')"))
                try browser.waitUntilAnswered(at: "48")
                try browser.press("Won 1", "no")
                try browser.wait(until: "words('#pad-title') === 'Lost 1'")
                try browser.waitUntilAnswered(at: "0")
                try browser.press("yes")
                try browser.waitUntilAnswered(at: "-96")
                let cells = Set(try ann.cells(of: "Ann"))
                #expect(cells == ["game.1=grand", "won.1=no", "lost.1=yes"])
            }
        }

        @Test("a fourth dart cannot be tapped, and the hint follows the darts")
        func darts() throws {
            let start = "start=170"
            try Browser.onPhone(playing: "darts", "Ann", options: start) { browser, ann in
                try browser.press("Dart by dart", "T20")
                let first = "1 of 3 darts, 110 left. To finish: T20 BULL"
                try browser.wait(until: "words('#hint') === '\(first)'")
                try browser.press("19")
                try browser.wait(until: "words('#hint') === '2 of 3 darts, 91 left'")
                try browser.press("Miss", "20", "Bull", "T19")
                try browser.wait(until: "$('#typed').value === 'T20 S19 MISS'")
                try browser.press("Enter")
                try browser.waitUntilAnswered(at: "91")
            }
        }

        @Test("the way to finish follows the darts that were hit, and starts after a double")
        func finish() throws {
            try Browser.onPhone(playing: "darts", "Ann", options: "start=100") { browser, _ in
                try browser.press("Dart by dart", "20")
                let second = "1 of 3 darts, 80 left. To finish: T20 D10"
                try browser.wait(until: "words('#hint') === '\(second)'")
                try browser.press("T20")
                let third = "2 of 3 darts, 20 left. To finish: D10"
                try browser.wait(until: "words('#hint') === '\(third)'")
                try browser.press("19")
                try browser.wait(until: "words('#hint') === '3 of 3 darts, bust'")
            }
            let options = ["start=101", "in=double"]
            try Browser.onPhone(playing: "darts", "Ann", options: options[0], options[1]) {
                browser,
                _ in
                try browser.press("Dart by dart", "20")
                try browser.wait(until: "words('#hint') === '1 of 3 darts'")
            }
        }

        @Test("a game that a move has ended has no keys but undo; a finished one has no pad")
        func ending() throws {
            let start = "start=101"
            try Browser.onPhone(playing: "darts", "Ann", options: start) { browser, ann in
                try ann.run("play", "T20", "1", "D20")
                try browser.wait(until: "words('#pad-title') === 'The game is over'")
                #expect(try browser.read("!$('#keys button') && $('#form').hidden"))
                try ann.run("undo")
                try browser.wait(until: "\(PadTests.keys).includes('180')")
                try ann.run("session", "finish")
                try browser.wait(until: "$('#pad').hidden")
                try ann.run("session", "reopen")
                try browser.wait(until: "!$('#pad').hidden")
            }
        }

        @Test("what is typed on a keyboard goes into the field, or presses a key")
        func keyboard() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.type("12+3\u{E007}")
                try browser.waitUntilAnswered(at: "15")
                #expect(try ann.cells(of: "Ann") == ["round.1=12+3"])
            }
            try Browser.onPhone(playing: "reversi", "Ann", "Bob") { browser, ann in
                let named = "$$('#game-panel [aria-label]').map((one) => one.ariaLabel)"
                try browser.wait(until: "\(named).length === 64")
                for name in ["a1, empty", "d3, empty, legal", "d4, white", "e4, black"] {
                    #expect(try browser.read("\(named).includes('\(name)')"), "\(name)")
                }
                try browser.run("$('#game-panel [data-value=f5]').focus()")
                try browser.type("\u{E007}")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try ann.cells(of: "Ann") == ["move.1=f5"])
            }
        }

        @Test("a sheet that takes halves has a key for them, and shows them in totals")
        func halves() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, _ in
                let keys: [String] = try browser.read(PadTests.keys)
                #expect(keys.contains("×") && !keys.contains("½"))
            }
            let options = "halves=yes"
            try Browser.onPhone(playing: "rounds", "Ann", options: options) { browser, ann in
                try browser.press("1", "2", "and a half")
                try browser.wait(until: "$('#typed').value === '12½'")
                try browser.press("plus", "and a half")
                try browser.wait(until: "words('#hint') === '= 13'")
                try browser.press("Delete", "Delete", "Enter")
                try browser.waitUntilAnswered(at: "12.5")
                try browser.type("2,5+2x.5\u{E007}")
                try browser.waitUntilAnswered(at: "16")
                #expect(try ann.cells(of: "Ann") == ["round.1=12.5", "round.2=2.5+2x0.5"])
            }
        }

        @Test(
            "every key is on the screen of a small phone, and of one held sideways",
            arguments: [(320, 568), (844, 390)]
        )
        func small(size: (width: Int, height: Int)) throws {
            let games = [
                "rounds", "darts", "cricket", "wizard", "wingspan", "smash-up", "tennis",
                "petanque", "bowling", "reversi",
            ]
            for game in games {
                let isForTwo = ["tennis", "petanque", "reversi"].contains(game)
                let ann = try Laptop(playing: game, ["Ann", "Bob"] + (isForTwo ? [] : ["Cem"]))
                if game == "rounds" {
                    for _ in 1...30 { try ann.run("score", "Ann", "7") }
                }
                let board = try Board(of: ann, "--lan", "--enter")
                try Browser.open(.init(width: size.width, height: size.height)) { browser in
                    try browser.openPhone(of: "Ann", at: board)
                    for mode in game == "darts" ? ["Total", "Dart by dart"] : [""] {
                        if !mode.isEmpty { try browser.press(mode) }
                        let hidden: [String] = try browser.read(
                            """
                            $$('#pad button, #pad input').filter((key) => {
                              const { width, bottom, right } = key.getBoundingClientRect();
                              return width && (bottom > innerHeight || right > innerWidth);
                            }).map((key) => key.textContent)
                            """
                        )
                        #expect(hidden == [], "\(game) \(mode)")
                    }
                }
            }
        }
    }
}
