import Foundation
import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("The page of a phone")
    struct PhonePageTests {
        @Test("numbers and sums are entered round after round, and the last one can be undone")
        func rounds() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                #expect(try browser.words("#pad-title") == "Round 1")
                try browser.press("3", "plus", "4", "plus", "5")
                try browser.wait(until: "words('#hint') === '= 12'")
                try browser.press("Enter")
                try browser.waitUntilAnswered(at: "12")
                #expect(try browser.words("#pad-title") == "Round 2")
                #expect(try ann.cells(of: "Ann") == ["round.1=3+4+5"])
                try browser.press("7", "Enter")
                try browser.waitUntilAnswered(at: "19")
                try browser.press("Undo")
                try browser.wait(until: "words('#told') === 'Undone.'")
                try browser.waitUntilAnswered(at: "12")
                #expect(try ann.cells(of: "Ann") == ["round.1=3+4+5"])
            }
        }

        @Test("a cell is emptied by one tap, after a question if it has another score by then")
        func emptying() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                #expect(try browser.read("$$('[data-act=empty]').length === 0"))
                try browser.press("7", "Enter")
                try browser.waitUntilAnswered(at: "7")
                try browser.press("Round 1", "Empty")
                try browser.waitUntilAnswered(at: "0")
                #expect(try ann.cells(of: "Ann") == [])
                #expect(try browser.words("#pad-title") == "Round 1")
                try browser.press("Undo")
                try browser.waitUntilAnswered(at: "7")
                try browser.holdSubmissions()
                try browser.press("Empty")
                try ann.run("score", "Ann", "round.1=9")
                try browser.wait(until: "words('#own').startsWith('9')")
                try browser.run("release()")
                try browser.wait(until: "$('#outbox [role=alert]')")
                let asked = "You emptied Round 1, which is 9 by kitchen now"
                #expect(try browser.words("#outbox [role=alert]") == asked)
                try browser.press("Empty it")
                try browser.waitUntilAnswered(at: "0")
                #expect(try ann.cells(of: "Ann") == [])
            }
        }

        @Test("a rejected entry shows the message of the rules, and can be edited")
        func refusal() throws {
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, ann in
                try browser.press("minus", "5", "Enter")
                try browser.wait(until: "$('#outbox [role=alert]')")
                let reason = try browser.words("#outbox [role=alert]")
                #expect(reason == "birds takes a whole number from 0 to 500, not -5")
                try browser.press("Change", "Clear", "5", "Enter")
                try browser.waitUntilAnswered(at: "5")
                #expect(try ann.cells(of: "Ann") == ["birds=5"])
            }
        }

        @Test("each kind of row has its own keys, and the next row follows")
        func kinds() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let scratch = try ScratchDirectory()
            let path = "\(scratch.path)/all.json"
            let sheet = """
                {"id": "all", "name": "All", "rows": [
                  {"id": "eggs", "label": "Eggs", "kind": "number", "help": "In the nest."},
                  {"id": "wars", "label": "Wars", "kind": "tokens", "tokens": [5, -1]},
                  {"id": "king", "label": "King", "kind": "flag", "points": 4},
                  {"id": "house", "label": "House", "kind": "choice",
                   "choices": [{"word": "wood"}, {"word": "clay", "points": 1}]},
                  {"id": "card", "label": "Card", "kind": "order", "words": ["red", "blue"]},
                  {"id": "note", "label": "Note", "kind": "text"},
                  {"id": "round", "label": "Round", "kind": "rounds"}
                ]}
                """
            try sheet.write(toFile: path, atomically: true, encoding: .utf8)
            try ann.run("games", "add", path)
            try ann.run("session", "new", "all", "--player", "Ann")
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open(.phone) { browser in
                try browser.openPhone(of: "Ann", at: board)
                #expect(try browser.words("#hint") == "In the nest.")
                try browser.press("2", "times", "6", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Wars'")
                try browser.press("+5", "-1", "Enter")
                try browser.wait(until: "words('#pad-title') === 'King'")
                try browser.press("yes")
                try browser.wait(until: "words('#pad-title') === 'House'")
                try browser.press("clay")
                try browser.wait(until: "words('#pad-title') === 'Card'")
                try browser.press("blue", "red", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Note'")
                try browser.run(
                    """
                    $('#typed').value = 'a <b>note</b>';
                    $('#typed').dispatchEvent(new Event('input'));
                    """
                )
                try browser.press("Enter", "Round 1", "minus", "3", "Enter")
                try browser.waitUntilAnswered(at: "18")
                #expect(try browser.read("!$('#rows b b')"))
                let cells = try ann.cells(of: "Ann")
                let entered = [
                    "eggs=2x6", "wars=5-1", "king=yes", "house=clay", "card=blue red",
                    "note=a <b>note</b>", "round.1=-3",
                ]
                #expect(cells == entered)
            }
        }

        @Test("what is typed is entered before another row is chosen")
        func otherRow() throws {
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, ann in
                try browser.press("9", "1", "Eggs")
                try browser.wait(until: "words('#pad-title') === 'Eggs'")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == ["birds=91"])
            }
        }

        @Test("darts: a total, a bust and a checkout")
        func darts() throws {
            let short = "start=101"
            try Browser.onPhone(playing: "darts", "Ann", "Bob", options: short) { browser, ann in
                try browser.wait(until: "words('#turn') === 'Your turn'")
                try browser.press("6", "0", "Enter")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try browser.words("#own") == "41 left")
                try ann.run("play", "--player", "Bob", "26")
                try browser.wait(until: "words('#turn') === 'Your turn'")
                // The page may announce there, too, that it is connected again.
                try browser.wait(until: "words('#news').includes('Your turn')")
                #expect(try browser.words("#hint") == "To finish: S9 D16")
                try browser.press("Bust")
                try browser.wait(until: "words('#told').startsWith('bust: Ann stays at 41')")
                try ann.run("play", "--player", "Bob", "26")
                try browser.wait(until: "words('#turn') === 'Your turn'")
                try browser.press("Dart by dart", "9", "Double", "16", "Enter")
                try browser.wait(until: "words('#turn').startsWith('Ann has won')")
            }
        }

        @Test("Reversi: a tap on a square")
        func reversi() throws {
            try Browser.onPhone(playing: "reversi", "Ann", "Bob") { browser, ann in
                try browser.wait(until: "$('g[data-value=d3]')")
                try browser.click("g[data-value=d3]")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try browser.read("!$('g[data-act]')"))
                #expect(try ann.cells(of: "Ann") == ["move.1=d3"])
            }
        }

        @Test("Ghost: a letter at a time, for the player to move")
        func ghost() throws {
            let scratch = try ScratchDirectory()
            let path = "\(scratch.path)/words"
            try "cattle\ndark\n".write(toFile: path, atomically: true, encoding: .utf8)
            let list = "list=\(path)"
            try Browser.onPhone(playing: "ghost", "Ann", "Bob", options: list) { browser, ann in
                try browser.wait(until: "words('#turn') === 'Your turn'")
                try browser.press("c")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try browser.words("#pad-title") == "Wait for your turn")
                // A player who is not to move sees an error, and nothing is entered.
                try browser.press("a")
                try browser.wait(until: "$('#outbox [role=alert]')")
                try browser.press("Discard")
                try ann.run("play", "--player", "Bob", "a")
                try browser.wait(until: "words('#turn') === 'Your turn'")
                try browser.wait(until: "words('#game-panel').toLowerCase().includes('ca')")
            }
        }

        @Test("Smash Up: points, and the end of the turn")
        func smashUp() throws {
            try Browser.onPhone(playing: "smashup", "Ann", "Bob") { browser, _ in
                try browser.wait(until: "words('#turn') === 'Your turn'")
                try browser.press("+3")
                try browser.waitUntilAnswered(at: "3")
                try browser.press("+1")
                try browser.waitUntilAnswered(at: "4")
                try browser.press("end")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
            }
        }

        @Test("entries typed while the laptop is away are sent once and in order when it is back")
        func outbox() throws {
            let ann = try Laptop(playing: "rounds", "Ann")
            var board = try Board(of: ann, "--lan", "--enter", "--port", Board.ownPort)
            let port = board.port
            try Browser.open(.phone) { browser in
                try browser.openPhone(of: "Ann", at: board)
                try board.stop()
                try browser.wait(until: "!$('#away').hidden")
                try browser.press("1", "1", "Enter", "2", "2", "Enter")
                try browser.wait(until: "$$('#outbox li').length === 2")
                #expect(try ann.cells(of: "Ann") == [])
                board = try Board(of: ann, "--lan", "--enter", "--port", port)
                // The links are others now; what was typed is the player's.
                try browser.openPhone(of: "Ann", at: board)
                try browser.waitUntilAnswered(at: "33")
                #expect(try ann.cells(of: "Ann") == ["round.1=11", "round.2=22"])
            }
        }

        @Test("a submission waits while the daemon is away")
        func daemonAway() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try ann.stop()
                try browser.wait(until: "!$('#away').hidden")
                try browser.press("8", "Enter")
                try browser.wait(until: "$$('#outbox li').length === 1")
                try ann.start("--no-discovery")
                try browser.waitUntilAnswered(at: "8")
                #expect(try ann.cells(of: "Ann") == ["round.1=8"])
            }
        }

        @Test("a phone follows to the next game with the same link")
        func evening() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.press("7", "Enter")
                try browser.waitUntilAnswered(at: "7")
                try ann.run("session", "new", "--again", "--yes", "--title", "Second")
                try browser.wait(until: "words('#game').startsWith('Second')")
                try browser.press("9", "Enter")
                try browser.waitUntilAnswered(at: "9")
                #expect(try ann.cells(of: "Ann") == ["round.1=9"])
                let history = try ann.run("history")
                #expect(history.contains("by phone"))
            }
        }

        @Test("every key is large enough for a thumb, and nothing is wider than the screen")
        func thumbs() throws {
            let games = [
                "rounds", "darts", "reversi", "smash-up", "wingspan", "tennis", "petanque",
                "bowling", "cricket",
            ]
            for game in games {
                let ann = try Laptop(playing: game, "Ann", "Bob")
                let board = try Board(of: ann, "--lan", "--enter")
                try Browser.open(.phone) { browser in
                    for width in [390, 320] {
                        try browser.emulate(.init(width: width, height: 844))
                        try browser.openPhone(of: "Ann", at: board)
                        let small: [String] = try browser.read(
                            """
                            $$('button').filter((key) => {
                              const { width, height } = key.getBoundingClientRect();
                              return width > 0 && (width < 44 || height < 44);
                            }).map((key) => key.textContent)
                            """
                        )
                        #expect(small == [], "\(game), \(width)")
                        let overflow: Int = try browser.read(
                            "document.documentElement.scrollWidth - innerWidth"
                        )
                        #expect(overflow <= 0, "\(game), \(width)")
                    }
                    let tree = try browser.accessibilityTree().map(\.words)
                    for node in ["main", "heading: Ann", "button: Undo"] {
                        #expect(tree.contains(node), "\(game): \(node)")
                    }
                    let nameless = tree.filter { ["button", "textbox"].contains($0) }
                    #expect(nameless == [], "\(game)")
                }
            }
        }
    }
}
