import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    /// Whole evenings in browsers, without any command: two laptops and a phone.
    @Suite("An evening in the app")
    struct EveningTests {
        @Test("of two laptops and a phone leads from the icon to the winner of a second game")
        func evening() throws {
            let porch = try Laptop("porch")
            try porch.start("--no-discovery")
            let there = try App(of: porch)
            try Evening.spend { evening in
                let ann = evening.browser
                let port = try evening.laptop.read(StatusReply.self, "status").daemon.port
                try evening.choose("rounds", "Ann", "Bob")
                try evening.start()
                try ann.tap("Others in", "Let laptops in")
                try ann.wait(until: "/^(\\w{5} ?){3}$/.test(words('.invite'))")
                let code = try ann.words(".invite")
                try ann.tap("Done")
                try Browser.open { cem in
                    try cem.open(there)
                    try cem.click("[name=code]")
                    try cem.type(code)
                    // The laptops of a test do not hear each other, so the address is named.
                    try cem.click("main summary")
                    try cem.click("[name=peer]")
                    try cem.type("127.0.0.1:\(port)" + Keys.enter)
                    try cem.wait(until: "words('#dialog-title') === 'Who are you?'")
                    try cem.tap("None of them")
                    try cem.wait(until: "words('#sheet thead').includes('Ann')")
                    // Both write the same cell apart from each other.
                    try cem.toggleOffline()
                    try cem.wait(until: "$('#entry').ariaLabel === 'Ann, Round 1'")
                    try cem.type("12" + Keys.enter)
                    try cem.wait(until: "words('#sheet tfoot').startsWith('Total 12')")
                    try ann.type("15" + Keys.enter)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                    try cem.toggleOffline()
                    try ann.wait(until: "$$('#troubles button').length === 2")
                    try ann.tap("Keep 15 by kitchen")
                    try cem.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                    try evening.joinByPhone(as: "Bob") { phone in
                        try phone.wait(until: "words('#pad-title') === 'Round 1'")
                        try phone.tap("9", "Enter")
                        try phone.wait(until: "words('#own').startsWith('9')")
                    }
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15 1. 9')")
                    // A correction of somebody else's score, taken back.
                    let own = "$('#entry').ariaLabel === 'Bob, Round 1'"
                    try cem.wait(until: "\(own) && $('#entry').value === '9'")
                    try cem.type("8" + Keys.enter)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15 1. 8')")
                    try cem.tap("Undo")
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 15 1. 9')")
                    try ann.tap("Finish")
                    try cem.wait(until: "words('#ceremony-title') === 'Ann has won with 15'")
                    try evening.playAgain()
                    try cem.wait(until: "words('#sheet tfoot').startsWith('Total 0 0')")
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 0 0')")
                    try cem.type(Keys.right)
                    try cem.wait(until: own)
                    try cem.type("20" + Keys.enter)
                    try ann.wait(until: "words('#sheet tfoot').startsWith('Total 0 20')")
                    try ann.tap("Finish")
                    try evening.celebrate("Bob has won with 20")
                    let text = try evening.results(of: "rounds")
                    #expect(text.contains("★ Bob 20") && text.contains("★ Ann 15"), "\(text)")
                }
            }
        }
    }
}
