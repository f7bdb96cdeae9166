import Foundation
import LaptopKit
import Testing

extension InBrowser {
    @Suite("Touches on a phone")
    struct PhoneTouchTests {
        @Test("an entry rejected in the last game cannot be edited into a score of the next one")
        func refusedBefore() throws {
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, ann in
                try browser.press("minus", "5", "Enter")
                try browser.wait(until: "$('#outbox [data-act=change]')")
                try ann.run("session", "new", "--again", "--yes", "--title", "Second")
                try browser.wait(until: "words('#game').startsWith('Second')")
                try browser.wait(until: "words('#outbox').startsWith('wingspan: Bird cards: -5')")
                #expect(try browser.read("!$('#outbox [data-act=change]')"))
                try browser.press("Discard")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == [])
            }
        }

        @Test("an entry waiting for the last game fills no cell of the next one")
        func waitingBefore() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.run("window.fetch = () => new Promise(() => {})")
                try browser.press("7", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Round 2'")
                try ann.run("session", "new", "--again", "--yes", "--title", "Second")
                try browser.wait(until: "words('#game').startsWith('Second')")
                #expect(try browser.words("#pad-title") == "Round 1")
                #expect(try browser.read("!$('#rows i')"))
            }
        }

        @Test("a double tap answers once, and not the next question")
        func doubleTap() throws {
            try Browser.onPhone(playing: "smashup", "Ann", "Bob") { browser, ann in
                let key = "$$('#keys button').find((one) => one.textContent === '+3')"
                try browser.wait(until: "!!\(key)")
                try browser.run("const key = \(key); key.click(); key.click();")
                try browser.waitUntilAnswered(at: "3")
                #expect(try ann.cells(of: "Ann").count == 1)
            }
        }

        @Test("a rejected move can be discarded if it cannot be edited")
        func refusedMove() throws {
            let scratch = try ScratchDirectory()
            let list = "\(scratch.path)/words"
            try "chirp\ncat\n".write(toFile: list, atomically: true, encoding: .utf8)
            let options = "list=\(list)"
            try Browser.onPhone(playing: "ghost", "Ann", "Bob", options: options) { browser, _ in
                try browser.press("c")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                try browser.press("a")
                try browser.wait(until: "$('#outbox [role=alert]')")
                #expect(try browser.read("!$('#outbox [data-act=change]')"))
            }
        }

        @Test("the focus moves on when the focused key disappears")
        func focus() throws {
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, _ in
                for (act, place) in [("change", "typed"), ("drop", "main")] {
                    try browser.press("Clear", "minus", "5", "Enter")
                    try browser.wait(until: "$('#outbox [data-act=\(act)]')")
                    try browser.run(
                        "const key = $('#outbox [data-act=\(act)]'); key.focus(); key.click();"
                    )
                    try browser.wait(until: "$('#outbox').hidden")
                    try browser.wait(until: "document.activeElement.id === '\(place)'")
                }
            }
        }

        @Test("a player who does not take part sees the standings, and no sheet")
        func sittingOut() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.press("7", "Enter")
                try browser.waitUntilAnswered(at: "7")
                try ann.run("player", "remove", "Ann")
                try browser.wait(until: "words('#turn') === 'You are not playing in this game.'")
                #expect(try browser.words("#name") == "rounds")
                #expect(try browser.words("#own") == "")
                #expect(try browser.read("$('#sheet').hidden && $('#pad').hidden"))
                #expect(try !browser.words("#standings").contains("Ann"))
                try ann.run("score", "Bob", "5")
                try browser.wait(until: "words('#standings').includes('Bob 5')")
            }
        }
    }
}
