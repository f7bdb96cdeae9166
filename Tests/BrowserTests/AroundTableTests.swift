import LaptopKit
import Testing

extension InBrowser {
    @Suite("The board around the table: clock, caller and overlay")
    struct AroundTableTests {
        /// Chooses on the board by its dialog.
        private static func choose(_ script: String, in browser: Browser) throws {
            try browser.click("#options")
            try browser.wait(until: "$('#dialog').open")
            try browser.run(
                """
                const change = (one) => one.dispatchEvent(new Event('change', { bubbles: true }));
                const input = (one) => one.dispatchEvent(new Event('input', { bubbles: true }));
                \(script)
                """
            )
            try browser.click("#choices > button")
            try browser.wait(until: "!$('#dialog').open")
        }

        @Test("a chess clock counts for who is to play, waits before the first turn, and is kept")
        func chess() throws {
            let ann = try Laptop(playing: "darts", "Ann", "Bob")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address + "?clock=chess:10m")
                try browser.wait(until: "words('#pause') === 'Start' && words('#time') === '10:00'")
                try browser.click("#pause")
                try browser.wait(until: "words('#time') === '9:59' && words('#pause') === 'Pause'")
                try ann.run("play", "60")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                try browser.wait(until: "words('#time') === '9:59'")
                let times = "$$('.clock').map((one) => one.innerText).join(' ')"
                let before: String = try browser.read(times)
                #expect(before.contains("9:59 9:59") || before.contains("9:58 9:59"), "\(before)")
                try browser.click("#pause")
                try browser.wait(until: "words('#pause') === 'Go on'")
                let paused: String = try browser.read(times)
                try browser.visit(board.address + "?clock=chess:10m")
                try browser.wait(until: "words('#pause') === 'Go on'")
                #expect(try browser.read(times) == paused)
                // The next turn ends the pause.
                try ann.run("play", "26")
                try browser.wait(until: "words('#pause') === 'Pause'")
                #expect(try browser.complaints() == [])
            }
        }

        @Test("a code for BG Stats is shown once the game has ended")
        func play() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            try ann.run("score", "Ann", "7")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "words('#standings').includes('7')")
                #expect(try browser.read("$('#play').hidden"))
                try ann.run("session", "finish", "--yes")
                try browser.wait(until: "!$('#play').hidden && $('#play-code').naturalWidth > 0")
                try browser.visit(board.address + "?overlay")
                try browser.wait(until: "words('#standings').includes('7')")
                #expect(try browser.read("$('#play').offsetWidth === 0"))
                #expect(try browser.complaints() == [])
            }
        }

        @Test("a sand timer is chosen on the page, starts again with each turn, and tells its end")
        func sand() throws {
            let ann = try Laptop(playing: "darts", "Ann", "Bob")
            try ann.run("play", "60")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try browser.read("$('#clock').hidden"))
                let limit =
                    "$('#kind').value = 'sand'; change($('#kind'));"
                    + "$('#limit-text').value = 'soon'; input($('#limit-text'));"
                try Self.choose(limit, in: browser)
                #expect(try browser.read("$('#limit-help').className === 'mark'"))
                try Self.choose(
                    "$('#limit-text').value = '1s'; input($('#limit-text'));",
                    in: browser
                )
                try browser.wait(until: "$('#time').className === 'mark'")
                #expect(try browser.read("$$('.clock').length === 1"))
                try ann.run("play", "26")
                try browser.wait(until: "words('#turn') === 'Ann is to play'")
                try browser.wait(until: "words('#time') === '0:01' && !$('#time').className")
                // The choice is kept in this browser.
                try browser.visit(board.address)
                try browser.wait(until: "!$('#clock').hidden")
            }
        }

        @Test("a game without turns has no clock")
        func noTurns() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address + "?clock=chess")
                try browser.wait(until: "$$('#standings li').length === 2")
                #expect(try browser.read("$('#clock').hidden"))
                try Self.choose("", in: browser)
                #expect(try browser.read("$('#clocks').hidden"))
            }
        }

        @Test("the overlay is one line without a background", arguments: [2, 20])
        func overlay(count: Int) throws {
            let names = (1...count).map { "Player \($0)" }
            let ann = try Laptop(playing: "rounds", names)
            try ann.run("score", "Player 2", "15")
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open(.init(width: 1920, height: 200)) { browser in
                try browser.visit(board.address + "?overlay")
                try browser.wait(until: "$$('#standings li').length === \(count)")
                let background = "getComputedStyle(document.%).backgroundColor"
                for part in ["documentElement", "body"] {
                    let value: String = try browser.read(
                        background.replacing("%", with: part)
                    )
                    #expect(value == "rgba(0, 0, 0, 0)", "\(part)")
                }
                let tops: [Double] = try browser.read(
                    "[...new Set($$('#standings li').map((one) => one.getBoundingClientRect().top))]"
                )
                #expect(tops.count == 1)
                #expect(try browser.read("document.documentElement.scrollWidth <= innerWidth"))
                #expect(try browser.read("$('#standings').offsetHeight < 80"))
                let text = try browser.words("body")
                #expect(text.hasPrefix("Player 2 15 Player 1 0"), "\(text)")
                // No player's link is part of a picture that is sent.
                #expect(try browser.read("!$('#links').offsetParent && !$('header').offsetParent"))
                try ann.run("score", "Player 1", "17")
                try browser.wait(until: "words('#standings').startsWith('Player 1 17')")
            }
        }

        @Test("the caller says nothing until it is chosen, then scores, checkouts and turns")
        func caller() throws {
            let ann = try Laptop(playing: "darts", "Ann", "Bob", options: "start=101")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.prepare(
                    """
                    window.said = [];
                    speechSynthesis.speak = (words) => window.said.push(words.text);
                    """
                )
                try browser.visit(board.address)
                try browser.wait(until: "words('#turn') === 'Ann is to play'")
                try ann.run("play", "45")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try browser.read("window.said") == [String]())
                try Self.choose(
                    "for (const one of $$('#calls input')) { one.checked = true; change(one); }",
                    in: browser
                )
                let chosen: [String] = try browser.read("window.said")
                #expect(chosen.first == "The caller says scores")
                try browser.run("window.said = [];")
                try ann.run("play", "60")
                try browser.wait(until: "window.said.length === 3")
                let said: [String] = try browser.read("window.said")
                let checkout = "Ann, 56 left. To finish: single 16 double 20"
                #expect(said == ["Bob, 60", "Ann is to play", checkout])
                try browser.run("window.said = [];")
                try ann.run("play", "T16 D4")
                try browser.wait(until: "window.said.length > 1")
                let end: [String] = try browser.read("window.said")
                #expect(end.first == "Ann, 56" && end.contains { $0.hasPrefix("Ann has won") })
                #expect(try browser.complaints() == [])
            }
        }

        @Test("the choices fit on a phone and on a television")
        func widths() throws {
            let ann = try Laptop(playing: "darts", "Ann", "Bob")
            let board = try Board(of: ann)
            try Browser.open { browser in
                for (width, height) in [(320, 568), (1280, 800), (3840, 2160)] {
                    try browser.emulate(.init(width: width, height: height))
                    try browser.visit(board.address + "?clock=sand:5m")
                    try browser.wait(until: "!$('#clock').hidden")
                    try browser.click("#options")
                    let isWithin = "$('#dialog').scrollWidth <= $('#dialog').clientWidth"
                    #expect(try browser.read(isWithin), "\(width)")
                    let overflow: Int = try browser.read(
                        "document.documentElement.scrollWidth - innerWidth"
                    )
                    #expect(overflow <= 0, "\(width)")
                }
            }
        }
    }
}
