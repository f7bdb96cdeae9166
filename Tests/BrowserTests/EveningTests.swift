import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    /// Whole evenings in browsers, without any command: two laptops and a phone.
    @Suite("An evening in the app")
    struct EveningTests {
        private static let (enter, right) = ("\u{E007}", "\u{E014}")

        /// A call of the page that answers with JSON.
        private static func call(_ method: String, _ parameters: String) -> String {
            """
            const reply = await fetch("call", {
              method: "POST", headers: { "Content-Type": "application/json" },
              body: JSON.stringify({ method: "\(method)", params: \(parameters) }),
            });
            """
        }

        /// Starts a game by clicks: adds the people, says who plays here, and starts.
        private func start(_ game: String, _ players: String..., in browser: Browser) throws {
            try browser.click("main a[href='#new']")
            try browser.wait(until: "!!$('a[href=\"#new/\(game)\"]')")
            try browser.click("a[href='#new/\(game)']")
            for player in players {
                try browser.fill("input[name=new-player]", player + Self.enter)
                try browser.wait(until: "words('.seats').includes('\(player)')")
            }
            try browser.press("\(players[0]) is me", "Start")
            try browser.wait(until: "/^#table\\/\\w{32}$/.test(location.hash)")
        }

        @Test("of two laptops and a phone leads from the icon to the winner of a second game")
        func evening() throws {
            let kitchen = try Laptop("kitchen")
            try kitchen.start("--no-discovery")
            let porch = try Laptop("porch")
            try porch.start("--no-discovery")
            let port = try kitchen.read(StatusReply.self, "status").daemon.port
            let (here, there) = (try App(of: kitchen), try App(of: porch))
            try Browser.open { ann in
                try ann.open(here)
                try start("rounds", "Ann", "Bob", in: ann)
                try ann.press("Others in", "Let laptops in")
                try ann.wait(until: "/^(\\w{5} ?){3}$/.test(words('.invite'))")
                let code = try ann.words(".invite")
                try ann.press("Done")
                try Browser.open { cem in
                    try cem.open(there)
                    // The laptops of a test do not hear each other, so the address is named.
                    let wish = "{ code: '\(code)', peer: '127.0.0.1:\(port)' }"
                    try cem.run("(async () => { \(Self.call("session.join", wish)) })();")
                    try cem.run("location.hash = '#table';")
                    try cem.wait(until: "words('#sheet thead').includes('Ann')")
                    // Both write the same cell apart from each other.
                    try porch.run("daemon", "offline")
                    try cem.wait(until: "$('#entry').ariaLabel === 'Ann, Round 1'")
                    try cem.type("12" + Self.enter)
                    try cem.wait(until: "words('#sheet tfoot').startsWith('Total 12')")
                    try ann.type("15" + Self.enter)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                    try porch.run("daemon", "online")
                    try ann.wait(until: "$$('#troubles button').length === 2")
                    try ann.press("Keep 15 by kitchen")
                    try cem.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                    try phoneEnters(nine: kitchen, here)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15 1. 9')")
                    // A correction of somebody else's score, taken back.
                    let own = "$('#entry').ariaLabel === 'Bob, Round 1'"
                    try cem.wait(until: "\(own) && $('#entry').value === '9'")
                    try cem.type("8" + Self.enter)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15 1. 8')")
                    try cem.press("Undo")
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15 1. 9')")
                    try ann.press("Finish")
                    try cem.wait(until: "words('#ceremony-title') === 'Ann has won with 15'")
                    try ann.press("Play again", "Start")
                    try cem.wait(until: "words('#sheet tfoot').startsWith('Total 0 0')")
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 0 0')")
                    try cem.type(Self.right)
                    try cem.wait(until: own)
                    try cem.type("20" + Self.enter)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 0 20')")
                    try ann.press("Finish")
                    try ann.wait(until: "words('#ceremony-title') === 'Bob has won with 20'")
                    try ann.click("nav a[href='#results']")
                    try ann.wait(until: "words('main').includes('Bob')")
                    #expect(try ann.complaints() == [])
                }
            }
        }

        /// Scans the code that all scan, says who it is, and enters a score.
        private func phoneEnters(nine laptop: Laptop, _ app: App) throws {
            let address = try app.joiningAddress()
            try Browser.open(.phone) { phone in
                try phone.visit(address)
                try phone.press("Bob")
                try phone.wait(until: "words('#pad-title') === 'Round 1'")
                try phone.press("9", "Enter")
                try phone.wait(until: "words('#own').startsWith('9')")
            }
        }
    }
}
