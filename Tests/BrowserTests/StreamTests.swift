import LaptopKit
import Testing

extension InBrowser {
    @Suite("Event streams of pages")
    struct StreamTests {
        @Test("five boards and two pads of one browser are live, and an entry is answered at once")
        func sevenWindows() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open { browser in
                try browser.openPhone(of: "Ann", at: board)
                var windows = [try browser.shownTab()]
                let pad: String = try browser.read("location.href")
                for address in [pad] + Array(repeating: board.address, count: 5) {
                    windows.append(try browser.open("window"))
                    try browser.visit(address)
                    try browser.wait(until: "$$('#standings li').length === 2")
                }
                try browser.show(windows[0])
                try browser.press("1", "5", "Enter")
                try browser.waitUntilAnswered(at: "15")
                for window in windows.dropFirst() {
                    try browser.show(window)
                    try browser.wait(until: "words('#standings').includes('15')")
                    #expect(try browser.read("document.visibilityState === 'visible'"))
                }
            }
        }

        /// Keeps whether the page is stale when it is shown, and when it is fresh again.
        private static let observation = """
            document.addEventListener('visibilitychange', () => {
              if (document.hidden) return;
              window.shown = { at: performance.now(), text: document.body.innerText };
            });
            new MutationObserver(() => {
              if (window.shown && !document.documentElement.matches('.stale')) {
                shown.freshAfter ??= performance.now() - shown.at;
              }
            }).observe(document.documentElement, { attributeFilter: ['class'] });
            """

        @Test(
            "a page shown again is catching up at once, and fresh within a second",
            arguments: ["", "delete window.SharedWorker;"]
        )
        func shownAgain(preparation: String) throws {
            // Only the complete browser hides a page.
            try Browser.onPhone(playing: "rounds", "Ann", "Bob", in: .complete) { browser, ann in
                try browser.prepare(preparation)
                let pad: String = try browser.read("location.href")
                try browser.visit(pad)
                try browser.wait(until: "words('#own').startsWith('0')")
                try browser.run(StreamTests.observation)
                let tab = try browser.shownTab()
                _ = try browser.open("tab")
                try ann.run("score", "Ann", "12")
                try browser.show(tab)
                try browser.waitUntilAnswered(at: "12")
                #expect(try browser.read("shown.text.startsWith('Catching up…')"))
                #expect(try browser.read("shown.freshAfter < 1000"))
                #expect(try browser.read("!document.body.innerText.includes('Catching')"))
            }
        }

        @Test("a page whose shared worker is dead takes a stream of its own")
        func deadWorker() throws {
            let ann = try Laptop(playing: "rounds", "Ann")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.prepare(
                    """
                    window.SharedWorker = class { port = { postMessage() {} } };
                    const real = window.setTimeout;
                    window.setTimeout = (act, time) => real(act, time === 2000 ? 1 : time);
                    """
                )
                try browser.visit(board.address)
                try browser.wait(until: "words('#standings').includes('Ann')")
            }
        }
    }
}
