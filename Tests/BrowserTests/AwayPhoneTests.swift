import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("A phone that was away")
    struct AwayPhoneTests {
        @Test("asks about a move whose turn has been played, and can correct that turn")
        func turn() throws {
            try Browser.onPhone(playing: "darts", "Ann", "Bob") { browser, ann in
                for score in ["60", "41"] { try ann.run("play", score) }
                try browser.wait(until: "words('#turn') === 'Your turn'")
                try browser.holdSubmissions()
                try browser.press("1", "0", "0", "Enter")
                for score in ["85", "45"] { try ann.run("play", score) }
                try browser.wait(until: "words('#own').startsWith('356')")
                try browser.run("release()")
                let asked = "Visit 3 is 85 by kitchen and 100 by kitchen"
                try browser.wait(until: "words('#disputes [role=alert]') === '\(asked)'")
                #expect(try ann.cells(of: "Ann") == ["visit.1=60", "visit.3=85"])
                // Everybody sees both.
                let conflict = try ann.read(ConflictsReply.self, "conflicts").items.first
                #expect(conflict?.values.map(\.value) == [.text("85"), .text("100")])
                // The question outlives the page.
                try browser.run("location.reload()")
                try browser.wait(until: "words('#disputes [role=alert]') === '\(asked)'")
                try browser.press("Take 100")
                try browser.wait(until: "$('#disputes').hidden && $('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == ["visit.1=60", "visit.3=100"])
            }
        }

        @Test("asks about a score for a cell that was written, and can leave it as it is")
        func cell() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("1", "2", "Enter")
                try ann.run("score", "Ann", "15")
                try browser.run("release()")
                let asked = "Round 1 is 15 by kitchen and 12 by kitchen"
                try browser.wait(until: "words('#disputes [role=alert]') === '\(asked)'")
                try browser.press("Keep 15")
                try browser.wait(until: "$('#disputes').hidden && $('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == ["round.1=15"])
                #expect(try ann.read(ConflictsReply.self, "conflicts").items.isEmpty)
            }
        }

        @Test("asks until somebody at another place has chosen")
        func settledElsewhere() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.press("1", "2")
                try ann.run("score", "Ann", "15")
                try browser.wait(until: "words('#own').startsWith('15')")
                #expect(try browser.words("#pad-title") == "Round 1")
                try browser.press("Enter")
                try browser.wait(until: "$('#disputes [role=alert]')")
                #expect(try ann.cells(of: "Ann") == ["round.1=15"])
                try ann.run("resolve", "Ann", "round.1", "12")
                try browser.wait(until: "$('#disputes').hidden")
                #expect(try ann.cells(of: "Ann") == ["round.1=12"])
            }
        }

        @Test("sends its own entries for the same cell and the next turns without a question")
        func own() throws {
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("5", "Enter", "Bird cards", "6", "Enter")
                try browser.run("release()")
                try browser.waitUntilAnswered(at: "6")
                #expect(try ann.cells(of: "Ann") == ["birds=6"])
            }
            try Browser.onPhone(playing: "tennis", "Ann", "Bob") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("Ann", "Bob", "Ann", "Bob")
                try browser.wait(until: "$$('#outbox li').length === 4")
                try browser.run("release()")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == ["point.1=1", "point.3=1"])
                #expect(try ann.cells(of: "Bob") == ["point.2=1", "point.4=1"])
            }
        }

        @Test("asks about a point that another device has entered, which it can enter next")
        func point() throws {
            try Browser.onPhone(playing: "tennis", "Ann", "Bob") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("Ann")
                try ann.run("play", "Bob")
                try browser.run("release()")
                try browser.wait(until: "$('#outbox [role=alert]')")
                #expect(try ann.cells(of: "Ann") == [])
                try browser.press("Enter now")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == ["point.2=1"])
            }
        }
    }
}
