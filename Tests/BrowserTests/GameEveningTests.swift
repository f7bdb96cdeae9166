import Foundation
import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    /// Whole evenings with games that are played in moves or have many rows.
    @Suite("An evening of")
    struct GameEveningTests {
        private static let isMyTurn = "words('#turn') === 'Your turn'"

        @Test("darts: totals, darts on the board, a checkout, and pictures of the averages")
        func darts() throws {
            try Evening.spend { evening in
                let ann = evening.browser
                try evening.choose("darts", "Ann", "Bob")
                try evening.start()
                try evening.joinByPhone(as: "Bob") { bob in
                    func play(_ keys: String..., on browser: Browser) throws {
                        try browser.wait(until: Self.isMyTurn)
                        for key in keys { try browser.tap(key) }
                        try browser.wait(until: "!(\(Self.isMyTurn))")
                    }
                    try play("180", on: ann)
                    try play("60", on: bob)
                    try play("Dart by dart", "T20", "T20", "T20", "Enter", on: ann)
                    try play("100", on: bob)
                    try ann.wait(until: Self.isMyTurn)
                    try bob.tap("Undo")
                    try play("85", on: bob)
                    try ann.wait(until: Self.isMyTurn)
                    #expect(try ann.words("#hint") == "To finish: T20 T19 D12")
                    try ann.click("#panels [data-value=T20]")
                    try ann.wait(
                        until: "words('#hint') === '1 of 3 darts, 81 left. To finish: T19 D12'"
                    )
                    try ann.click("#panels [data-value=T19]")
                    try ann.click("#panels [data-value=D12]")
                    try ann.wait(until: "$('#typed').value === 'T20 T19 D12'")
                    try ann.tap("Enter")
                    try evening.celebrate("Ann has won with 1")
                    try evening.playAgain("[value=rotate]")
                    try play("180", on: bob)
                    try play("Total", "60", on: ann)
                    try play("1", "8", "0", "Enter", on: bob)
                    try play("45", on: ann)
                    try play("1", "4", "1", "Enter", on: bob)
                    try evening.celebrate("Bob has won with 1")
                }
                let text = try evening.results(of: "darts")
                #expect(text.contains("Visits of 180 2 2"), "\(text)")
                let titles: [String] = try ann.read(
                    "$$('.pictures title').map((one) => one.textContent)"
                )
                #expect(titles.first == "Three-dart average game by game: Bob 167, Ann 52.5")
                try ann.click("main option[value='3']")
                try ann.wait(until: "words('.pictures').startsWith('Highest out')")
            }
        }

        @Test("Reversi against the computer, square by square to the end")
        func reversi() throws {
            try Evening.spend { evening in
                let browser = evening.browser
                try evening.choose("reversi", "Ann")
                try browser.tap("Add a computer")
                try browser.click(".seats option[value='1']")
                try evening.start()
                let discs = "$$('#panels [class^=piece]').length"
                func click(_ square: String) throws {
                    let before: Int = try browser.read(discs)
                    try browser.click("#panels \(square)")
                    let isAnswered = "\(discs) > \(before) + 1 && \(Self.isMyTurn)"
                    try browser.wait(until: "!$('#ceremony').hidden || (\(isAnswered))")
                }
                try browser.wait(until: Self.isMyTurn)
                try click("[data-value=d3]")
                #expect(try browser.words("#told").hasPrefix("Computer: "))
                try browser.tap("Undo")
                try browser.wait(until: "\(discs) === 4 && \(Self.isMyTurn)")
                while try browser.read("$('#ceremony').hidden") { try click("[data-act=answer]") }
                let winner = try browser.words("#ceremony-title")
                try evening.playAgain()
                try browser.wait(until: "\(discs) === 4 && \(Self.isMyTurn)")
                try click("[data-act=answer]")
                let text = try evening.results(of: "reversi")
                #expect(text.contains("Computer (computer)"), "\(winner), but \(text)")
            }
        }

        @Test("Smash Up: sets, the deal, points of two players, a base, and the same deal again")
        func smashUp() throws {
            try Evening.spend { evening in
                let ann = evening.browser
                try evening.choose("smash-up", "Ann", "Bob")
                try ann.click(".sets > li:nth-child(1) > .tick")
                try ann.click(".sets > li:nth-child(6) > .tick")
                try ann.click(".sets > li:nth-child(5) summary")
                try ann.click(".sets > li:nth-child(5) details .tick")
                try evening.start()
                try ann.tap("deal")
                try ann.wait(until: "words('#panels').includes('hidden')")
                #expect(try !ann.words("main").contains("play reveal"))
                try evening.joinByPhone(as: "Bob") { bob in
                    try ann.emulate(.init(width: 1280, height: 800, showsMotion: true))
                    try bob.tap("reveal")
                    try ann.wait(until: "!words('#panels').includes('hidden')")
                    // One player's factions after the other's; at once for who wants no motion.
                    let turned = "$$('#panels .turned').map((one) => getComputedStyle(one)"
                    let delays: [String] = try ann.read("\(turned).animationDelay)")
                    #expect(delays == ["0.3s", "1.3s"])
                    try ann.emulate(.laptop)
                    let names: [String] = try ann.read("\(turned).animationName)")
                    #expect(names == ["none", "none"])
                    let hands: [String] = try ann.read(
                        "$$('#panels td:last-child').map((one) => one.innerText)"
                    )
                    func expect(_ points: String) throws {
                        let shown = "$$('#standings b').map((one) => parseInt(one.innerText))"
                        try ann.wait(until: "\(shown).join(' ') === '\(points)'")
                    }
                    try ann.tap("+5")
                    try expect("5 0")
                    try ann.tap("end")
                    try bob.wait(until: Self.isMyTurn)
                    try bob.tap("+4")
                    try expect("5 4")
                    try bob.tap("end")
                    try ann.wait(until: Self.isMyTurn)
                    try ann.type("base 10 2 1 Ann=9 Bob=8" + Keys.enter)
                    try expect("15 6")
                    try ann.tap("Undo")
                    try expect("5 4")
                    try ann.type("base 10 2 1 Ann=10 Bob=8" + Keys.enter)
                    try expect("15 6")
                    try ann.tap("end")
                    try evening.celebrate("Ann has won with 15")
                    // Madness counts at the end.
                    try bob.wait(until: "words('#pad-title') === 'The game is over'")
                    try bob.type("madness Bob=2" + Keys.enter)
                    try expect("15 5")
                    try ann.type("madness Ann=4" + Keys.enter)
                    try evening.celebrate("Ann has won with 13")
                    try ann.tap("replay")
                    try expect("0 0")
                    try ann.tap("Undo")
                    try evening.celebrate("Ann has won with 13")
                    try evening.playAgain("[name=replay]")
                    try bob.wait(until: "words('#game-panel').includes('\(hands[1])')")
                }
                let text = try evening.results(of: "smash-up")
                #expect(text.contains("★ Ann 13"), "\(text)")
            }
        }

        @Test("Ghost: letters in turn, a beginning that no word has, a completed word, and again")
        func ghost() throws {
            let scratch = try ScratchDirectory()
            let list = "\(scratch.path)/words"
            let words = "chirp\ncattle\ndark\ndonut\n"
            try words.write(toFile: list, atomically: true, encoding: .utf8)
            try Evening.spend { evening in
                let ann = evening.browser
                try evening.choose("ghost", "Ann", "Bob", "Cem")
                try ann.click("[name=option-list]")
                try ann.type(list)
                try evening.start()
                try evening.joinByPhone(as: "Bob") { bob in
                    func beginning(_ letters: String) throws {
                        for (browser, panel) in [(ann, "#panels"), (bob, "#game-panel")] {
                            try browser.wait(until: "words('\(panel) .beginning') === '\(letters)'")
                        }
                    }
                    try ann.tap("c")
                    try beginning("C")
                    try bob.tap("a")
                    try beginning("CA")
                    try bob.tap("Undo")
                    try beginning("C")
                    try bob.tap("h")
                    try beginning("CH")
                    // Cem plays at the laptop, and loses the round.
                    try ann.tap("x")
                    try ann.wait(until: "words('#told').includes('begins with CHX')")
                    try ann.tap("d")
                    try bob.wait(until: Self.isMyTurn)
                    try bob.tap("o")
                    try ann.wait(until: Self.isMyTurn)
                    try ann.type("n")
                    try bob.wait(until: Self.isMyTurn)
                    try bob.tap("u")
                    try ann.wait(until: Self.isMyTurn)
                    try ann.tap("t")
                    try evening.celebrate("Bob has won with 1")
                    try evening.playAgain("[value=rotate]")
                    try bob.wait(until: Self.isMyTurn)
                    try bob.tap("d")
                    try beginning("D")
                }
                let text = try evening.results(of: "ghost")
                #expect(text.contains("1. Bob 1 1"), "\(text)")
            }
        }

        @Test("Wingspan: rows by pads of a laptop and a phone, and the end")
        func wingspan() throws {
            try Evening.spend { evening in
                let ann = evening.browser
                func enter(_ values: String..., on browser: Browser) throws {
                    for value in values {
                        for key in value { try browser.tap(key == "+" ? "plus" : String(key)) }
                        try browser.tap("Enter")
                    }
                }
                try evening.choose("wingspan", "Ann", "Bob")
                try evening.start()
                try evening.joinByPhone(as: "Bob") { bob in
                    try enter("12+9+29", "9", on: ann)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 59')")
                    try ann.tap("Undo")
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 50')")
                    try ann.tap("Ann, Bonus cards: empty")
                    try enter("10", "15", "8", "3", "5", "0", on: ann)
                    try enter("45", "12", "18", "7", "4", "3", "2", on: bob)
                    try bob.waitUntilAnswered(at: "89")
                }
                try ann.wait(until: "words('#sheet tfoot') === 'Total 91 1. 89 2.'")
                try ann.tap("Finish")
                try evening.celebrate("Ann has won with 91")
                try evening.playAgain()
                try enter("7", on: ann)
                try ann.wait(until: "words('#sheet tfoot').startsWith('Total 7')")
                let text = try evening.results(of: "wingspan")
                #expect(text.contains("★ Ann 91") && text.contains("Bob 89"), "\(text)")
            }
        }
    }
}
