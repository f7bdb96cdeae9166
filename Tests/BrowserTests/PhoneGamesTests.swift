import LaptopKit
import Testing

extension InBrowser {
    @Suite("Keypads of coded games")
    struct PhoneGamesTests {
        @Test("a match: a key for each side, on any phone")
        func match() throws {
            try Browser.onPhone(playing: "tennis", "Ann", "Bob the 2nd") { browser, ann in
                #expect(try browser.words("#pad-title") == "Who won the point?")
                try browser.press("Ann")
                try browser.wait(until: "words('#told') === 'Ann 15–0 Bob the 2nd. Ann to serve'")
                try browser.press("Bob the 2nd")
                try browser.wait(until: "words('#game-panel').includes('Bob the 2nd 0 0 15')")
                try browser.press("Undo")
                try browser.wait(until: "words('#told') === 'Undone.'")
                #expect(try ann.cells(of: "Ann") == ["point.1=1"])
                #expect(try ann.cells(of: "Bob the 2nd") == [])
                for _ in 1...47 { try ann.run("play", "Ann") }
                try browser.wait(until: "words('#pad-title') === 'The game is over'")
                #expect(try browser.read("!$('#keys button')"))
            }
        }

        @Test("a match of several points an entry: a key for each side and count")
        func counts() throws {
            let most = "most=3"
            try Browser.onPhone(playing: "petanque", "Ann", "Bob", options: most) { browser, ann in
                let keys: [String] = try browser.read(
                    "$$('#keys button').map((key) => key.textContent)"
                )
                #expect(keys == ["Ann 1", "Bob 1", "Ann 2", "Bob 2", "Ann 3", "Bob 3"])
                try browser.press("Ann 3")
                try browser.waitUntilAnswered(at: "3")
                try browser.press("Bob 2")
                try browser.wait(until: "words('#told').startsWith('Ann 3–2 Bob')")
                #expect(try ann.cells(of: "Bob") == ["point.2=2"])
            }
        }

        @Test("bowling: a frame is typed ball by ball, and a ball can be deleted")
        func bowling() throws {
            try Browser.onPhone(playing: "bowling", "Ann", "Bob") { browser, ann in
                #expect(try browser.words("#pad-title") == "Frame 1")
                try browser.press("strike", "strike", "Delete", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Wait for your turn'")
                #expect(try ann.cells(of: "Ann") == ["frame.1=X"])
                try browser.press("7", "spare", "Enter")
                try browser.wait(until: "$('#outbox [role=alert]')")
                // Advice for a command line is of no use on a phone.
                let message = try browser.words("#outbox [role=alert]")
                #expect(message.hasPrefix("Bob bowls next, frame 1"))
                #expect(!message.contains("scorectl"))
                try browser.press("Discard")
                try ann.run("play", "9-")
                try browser.wait(until: "words('#pad-title') === 'Frame 2'")
                try browser.press("7", "miss", "Enter")
                try browser.waitUntilAnswered(at: "24")
                #expect(try ann.cells(of: "Ann") == ["frame.1=X", "frame.2=7-"])
            }
        }

        @Test("cricket: three darts at the numbers that count")
        func cricket() throws {
            try Browser.onPhone(playing: "cricket", "Ann", "Bob") { browser, ann in
                try browser.press("Triple", "20", "Double", "19", "Delete", "Miss")
                try browser.wait(until: "words('#hint') === '2 of 3 darts'")
                try browser.press("Bull", "Enter")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try ann.cells(of: "Ann") == ["visit.1=T20 MISS BULL"])
                let numbers: [String] = try browser.read(
                    "$$('#keys [data-act=dart]').map((key) => key.textContent)"
                )
                #expect(numbers == ["20", "19", "18", "17", "16", "15", "25"])
            }
        }

        @Test("cricket with other targets: keys for a dart that counts as double, triple or bed")
        func cricketTargets() throws {
            let beds = "targets=beds"
            try Browser.onPhone(playing: "cricket", "Ann", "Bob", options: beds) { browser, ann in
                try browser.press("DD", "3", "TT", "20", "14")
                try browser.wait(until: "words('#hint') === '3 of 3 darts'")
                try browser.press("Enter")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try ann.cells(of: "Ann") == ["visit.1=DD3 TT20 S14"])
                try ann.run("play", "MISS", "MISS", "MISS")
                try browser.wait(until: "words('#pad-title') === 'Your visit'")
                try browser.press("BED", "19")
                try browser.wait(until: "words('#hint') === '3 of 3 darts'")
                try browser.press("Enter")
                try browser.wait(until: "words('#turn') === 'Bob is to play'")
                #expect(try ann.cells(of: "Ann").last == "visit.3=BED S19")
            }
        }

        @Test("squash to nine: the receiver's choice has keys in place of the sides")
        func choice() throws {
            let two = "points=2"
            try Browser.onPhone(playing: "squash-nine", "Ann", "Bob", options: two) {
                browser,
                ann in
                for winner in ["Ann", "Bob", "Bob"] { try ann.run("play", winner) }
                try browser.wait(until: "words('#pad-title') === 'Ann chooses'")
                try browser.press("set two")
                try browser.wait(until: "words('#pad-title') === 'Who won the rally?'")
                #expect(try ann.cells(of: "Ann").last == "point.4=set two")
            }
        }

        @Test("rounds of several fields are listed round by round, and an unfinished one continues")
        func fields() throws {
            try Browser.onPhone(playing: "wizard", "Ann", "Bob", "Cem") { browser, ann in
                try ann.run("score", "Ann", "bid.1=1", "tricks.1=1", "bid.2=0")
                try browser.wait(until: "words('#pad-title') === 'Tricks 2'")
                let labels: [String] = try browser.read(
                    "$$('#rows .label').map((one) => one.textContent)"
                )
                #expect(labels == ["Bid 1", "Tricks 1", "Bid 2", "Tricks 2"])
                try browser.press("0", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Bid 3'")
                try browser.press("2", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Tricks 3'")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try ann.cells(of: "Ann").suffix(2) == ["tricks.1=1", "tricks.2=0"])
            }
        }

        @Test("an optional field does not keep a round open")
        func optionalFields() throws {
            try Browser.onPhone(playing: "tichu", "Ann", "Bob") { browser, ann in
                try browser.wait(until: "words('#pad-title') === 'Points 1'")
                try ann.run("score", "Ann", "points.1=60")
                try browser.wait(until: "words('#pad-title') === 'Points 2'")
            }
        }
    }
}
