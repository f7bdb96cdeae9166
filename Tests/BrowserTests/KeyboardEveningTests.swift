import LaptopKit
import Testing

extension InBrowser {
    @Suite("An evening by keyboard only")
    struct KeyboardEveningTests {
        /// Goes on by Tab until the focus is on a control with this name, and expects each control on
        /// the way to have a role and a name.
        private func tab(to name: String, in browser: Browser) throws {
            for _ in 0..<60 {
                try browser.type(Keys.tab)
                // The body has the focus between the last and the first control.
                guard try browser.read("document.activeElement !== document.body") else { continue }
                let focused = try #require(try browser.focusedNode())
                let hasName = focused.name?.isEmpty == false
                #expect(hasName && ![nil, "generic", "none"].contains(focused.role), "\(focused)")
                if focused.name == name { return }
            }
            throw Failure("no Tab leads to \(name)")
        }

        /// Presses the control with a name.
        private func press(_ name: String, in browser: Browser) throws {
            try tab(to: name, in: browser)
            try browser.type(Keys.enter)
        }

        @Test("leads from the first page to the winner of a second game, through named controls")
        func evening() throws {
            try Evening.spend { evening in
                let browser = evening.browser
                func expect(_ totals: String) throws {
                    try browser.wait(until: "words('#sheet tfoot').startsWith('Total \(totals)')")
                }
                try press("New game", in: browser)
                try browser.wait(until: "document.activeElement.type === 'search'")
                try browser.type("rounds")
                try browser.wait(until: "words('a.tile b') === 'Rounds'")
                try browser.type(Keys.enter)
                try browser.wait(until: "words('h1') === 'Rounds' && !!$('.seats')")
                try tab(to: "Name of somebody new", in: browser)
                try browser.type("Ann, Bob" + Keys.enter)
                try browser.wait(until: "$$('.seats li').length === 2")
                try press("Start", in: browser)
                try browser.wait(until: "document.activeElement.id === 'entry'")
                try browser.type("15" + Keys.enter + "9" + Keys.enter + "7" + Keys.enter)
                try expect("22 1. 9")
                try browser.type("u")
                try expect("15 1. 9")
                try browser.type(Keys.up + Keys.left)
                try browser.wait(until: "$('#entry').ariaLabel === 'Ann, Round 1'")
                try browser.type("8" + Keys.enter)
                try expect("8 2. 9")
                try press("Finish", in: browser)
                try evening.celebrate("Bob has won with 9")
                try press("Play again", in: browser)
                try browser.wait(until: "$('#dialog').open")
                try tab(to: "Same seats", in: browser)
                try browser.type(Keys.down)
                try press("Start", in: browser)
                try browser.wait(until: "words('#sheet thead') === 'Bob Ann'")
                try browser.wait(until: "document.activeElement.id === 'entry'")
                try browser.type("4" + Keys.enter + "20" + Keys.enter)
                try expect("4 2. 20")
                try press("Finish", in: browser)
                try evening.celebrate("Ann has won with 20")
                try press("Results", in: browser)
                try browser.wait(until: "words('main').includes('★ Ann 20')")
            }
        }
    }
}
