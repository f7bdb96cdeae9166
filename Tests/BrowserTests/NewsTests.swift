import LaptopKit
import Testing

extension InBrowser {
    @Suite("Announcements for screen readers")
    struct NewsTests {
        /// Keeps all that is told in a place from now on.
        private func listen(to selector: String, in browser: Browser) throws {
            try browser.run(
                """
                window.said = [];
                const place = $('\(selector)');
                new MutationObserver(() => {
                  if (words('\(selector)')) said.push(words('\(selector)'));
                }).observe(place, { childList: true, characterData: true, subtree: true });
                """
            )
        }

        private func texts(in browser: Browser) throws -> [String] { try browser.read("said") }

        @Test("report that the daemon is away and back, on the board and on a phone")
        func away() throws {
            let ann = try Laptop(playing: "points", "Ann", "Bob")
            try ann.run("score", "Ann", "42")
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open { browser in
                for isPhone in [false, true] {
                    if isPhone {
                        try browser.openPhone(of: "Ann", at: board)
                    } else {
                        try browser.visit(board.address)
                        try browser.wait(until: "words('#standings').includes('42')")
                    }
                    try ann.stop()
                    try browser.wait(until: "words('#news').startsWith('ScoreSync on this')")
                    try ann.start("--no-discovery")
                    try browser.wait(
                        until: "words('#news').startsWith('Connected again. Ann leads')"
                    )
                }
            }
        }

        @Test("are repeated if the same happens again")
        func twice() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, _ in
                for _ in 1...3 { try browser.press("7", "Enter") }
                try browser.waitUntilAnswered(at: "21")
                try browser.wait(until: "words('#told') === 'Round 3: 7.'")
                try listen(to: "#told", in: browser)
                try browser.press("Undo")
                try browser.waitUntilAnswered(at: "14")
                try browser.wait(until: "words('#told') === 'Undone.'")
                try browser.press("Undo")
                try browser.waitUntilAnswered(at: "7")
                try browser.wait(until: "said.filter((one) => one === 'Undone.').length === 2")
            }
        }

        @Test("contain everything that happens at the same time")
        func together() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "words('#standings').includes('Ann')")
                try browser.run(
                    """
                    import('./page.js').then(({ announce }) => {
                      announce('news', 'Ann: 12');
                      announce('news', 'Bob: 15');
                    });
                    """
                )
                try browser.wait(until: "words('#news') === 'Ann: 12. Bob: 15'")
            }
        }

        @Test("report an invalid address only once, until it is valid again")
        func deadAddress() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let first = try Board(of: ann)
            let port = first.port
            try Browser.open { browser in
                // A page with a stream of its own asks for the address by itself.
                try browser.prepare("delete window.SharedWorker;")
                try browser.visit(first.address)
                try browser.wait(until: "words('#standings').includes('Ann')")
                try first.stop()
                // Another board with new links has another address at the same port.
                let second = try Board(of: ann, "--port", port, "--new-links")
                let dead = "This address is no longer valid. Scan the code on the board again."
                try browser.wait(until: "words('#away') === '\(dead)'")
                try listen(to: "#away", in: browser)
                try browser.run(
                    """
                    window.asked = 0;
                    const real = window.fetch;
                    window.fetch = (...call) => { asked += 1; return real(...call); };
                    """
                )
                try browser.wait(until: "asked >= 3")
                #expect(try texts(in: browser).allSatisfy { $0 == dead })
                #expect(try browser.words("#away") == dead)
                withExtendedLifetime(second) {}
            }
        }

        @Test("report a silent laptop when no heartbeat arrives")
        func silence() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.prepare(
                    """
                    delete window.SharedWorker;
                    window.EventSource = class extends EventTarget { close() {} };
                    const [every, now] = [window.setInterval, Date.now];
                    window.setInterval = (act) => every(act, 1);
                    let seconds = 0;
                    Date.now = () => now() + 1000 * ++seconds;
                    """
                )
                try browser.visit(board.address)
                try browser.wait(until: "words('#away').startsWith('The laptop that shows this')")
            }
        }
    }
}
