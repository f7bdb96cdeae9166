import LaptopKit
import Testing

extension InBrowser {
    @Suite("The board on a television")
    struct TelevisionTests {
        /// Whether an element is on the screen, and in no part of a container that is scrolled away.
        private static let isSeen = """
            ((one) => {
              const { top, bottom, right } = one.getBoundingClientRect();
              for (let part = one.parentElement; part; part = part.parentElement) {
                const frame = part.getBoundingClientRect();
                const isCut = getComputedStyle(part).overflowY !== 'visible'
                  && (top < frame.top - 1 || bottom > frame.bottom + 1);
                if (isCut) return false;
              }
              return top >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
            })
            """

        @Test(
            "totals, the latest round and the chart stay in view, however long the game",
            arguments: [(1280, 800), (1920, 1080), (3840, 2160)]
        )
        func longGame(size: (width: Int, height: Int)) throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob", "Cem", "Dee")
            for name in ["Ann", "Bob", "Cem", "Dee"] {
                try ann.run(["score", name] + (1...29).map { "round.\($0)=\($0)" })
            }
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open(.init(width: size.width, height: size.height)) { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$('#chart svg') && $$('#links img').length === 4")
                for round in 29...31 {
                    if round > 29 { try ann.run("score", "Bob", "round.\(round)=1") }
                    let line = "$$('#table tbody tr')[\(round - 1)]"
                    try browser.wait(until: "\(TelevisionTests.isSeen)(\(line))")
                    for part in ["#table tfoot td", "#table thead th", "#chart svg"] {
                        let isSeen = "\(TelevisionTests.isSeen)($('\(part)'))"
                        #expect(try browser.read(isSeen), "\(part)")
                    }
                }
            }
        }

        @Test(
            "twenty players fit, also with long names",
            arguments: [(1920, 1080), (3840, 2160)],
            ["Player", "Maximiliane von Hohenlohe-Waldburg"]
        )
        func crowd(size: (width: Int, height: Int), name: String) throws {
            let names = (1...20).map { "\(name) \($0)" }
            let ann = try Laptop(playing: "rounds", names)
            for name in names { try ann.run("score", name, "round.1=15", "round.2=7") }
            let board = try Board(of: ann)
            try Browser.open(.init(width: size.width, height: size.height)) { browser in
                try browser.visit(board.address)
                let all = "$$('#standings li')"
                try browser.wait(until: "\(all).length === 20 && $('#chart svg')")
                try browser.wait(until: "\(all).every(\(TelevisionTests.isSeen))")
                #expect(try browser.read("\(TelevisionTests.isSeen)($('#table tfoot td'))"))
            }
        }

        @Test("a code is shown until its phone is here, and again on request")
        func codes() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            let board = try Board(of: ann, "--lan", "--enter")
            let shown = "$$('#links li').filter((one) => one.offsetParent)"
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "\(shown).length === 2 && $('#codes').hidden")
                #expect(try browser.read("$$('#links a').every((one) => one.target === '_blank')"))
                try Browser.open(.phone) { phone in
                    try phone.openPhone(of: "Ann", at: board)
                    try browser.wait(until: "\(shown).length === 1 && !$('#codes').hidden")
                    #expect(try browser.words("#links") == "Bob")
                    try phone.openPhone(of: "Bob", at: board)
                    try browser.wait(until: "\(shown).length === 0")
                }
                // A phone that was here needs no code because it sleeps.
                try browser.click("#codes")
                try browser.wait(until: "\(shown).length === 2")
                try browser.click("#codes")
                try browser.wait(until: "\(shown).length === 0")
            }
        }

        @Test("no example of the command line is shown")
        func examples() throws {
            for (game, move) in [("darts", "60"), ("tennis", "Ann")] {
                let ann = try Laptop(playing: game, "Ann", "Bob")
                let board = try Board(of: ann)
                try Browser.open { browser in
                    try browser.visit(board.address)
                    try browser.wait(until: "$('#standings li')")
                    try ann.run("play", move)
                    try browser.wait(until: "words('#news') && $$('#panels table').length === 2")
                    let text = try browser.words("body") + (try browser.words("#news"))
                    #expect(!text.contains("as in ") && !text.contains("visit.1"), "\(text)")
                }
            }
        }
    }
}
