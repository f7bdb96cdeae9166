import LaptopKit
import Testing

extension InBrowser {
    @Suite("Pages used by keyboard")
    struct KeyboardTests {
        /// The focused element, and whether its focus is visible.
        private static let focus = "document.activeElement"
        private static let isSeen = """
            \(focus).matches(':focus-visible')
              && getComputedStyle(\(focus)).outlineStyle !== 'none'
            """

        /// Goes on by Tab until what has the focus is called so.
        private func goOn(to name: String, in browser: Browser) throws {
            let called = "(focused.ariaLabel ?? focused.innerText)"
            try browser.tab(until: "\(called).trim() === '\(name)'")
        }

        @Test("a phone: a sum is typed, the focus stays on pressed keys, and undo works")
        func phone() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try goOn(to: "Undo", in: browser)
                #expect(try browser.read(KeyboardTests.isSeen))
                try browser.type(Keys.tab + "3+4" + Keys.enter)
                try browser.waitUntilAnswered(at: "7")
                try goOn(to: "8", in: browser)
                #expect(try browser.read(KeyboardTests.isSeen))
                // A redrawn element keeps the focus.
                try browser.type(Keys.enter + Keys.enter)
                try browser.wait(until: "$('#typed').value === '88'")
                try goOn(to: "Undo", in: browser)
                try browser.type(Keys.enter)
                try browser.wait(until: "words('#told') === 'Undone.'")
                #expect(try ann.cells(of: "Ann") == [])
            }
        }

        @Test("a board: the totals are one key away, and the sheet two")
        func board() throws {
            let ann = try Laptop(playing: "rounds", "Ann")
            try ann.run("score", "Ann", "15")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "words('#table').includes('15')")
                try browser.type(Keys.tab)
                #expect(try browser.read("words('.skip') === \(KeyboardTests.focus).innerText"))
                #expect(try browser.read(KeyboardTests.isSeen))
                try browser.type(Keys.enter)
                try browser.wait(until: "\(KeyboardTests.focus).id === 'totals'")
                try browser.type(Keys.tab)
                #expect(try browser.read("\(KeyboardTests.focus).className === 'scroll'"))
            }
        }
    }
}
