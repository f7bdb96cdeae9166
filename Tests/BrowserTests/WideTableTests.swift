import LaptopKit
import Testing

extension InBrowser {
    @Suite("Tables on the board")
    struct WideTableTests {
        /// Whether nothing of a table has to be scrolled to.
        private static let fits = "$$('.scroll').every((one) => one.scrollWidth <= one.clientWidth)"

        @Test(
            "all columns of a game are visible, on a laptop and on a television",
            arguments: ["bowling", "cricket", "tennis"]
        )
        func columns(game: String) throws {
            let ann = try Laptop(playing: game, "Ann", "Bob")
            let board = try Board(of: ann)
            try Browser.open { browser in
                for width in [1280, 1920, 3840] {
                    try browser.emulate(.init(width: width, height: 900))
                    try browser.visit(board.address)
                    try browser.wait(until: "$('#panels th')")
                    #expect(try browser.read(WideTableTests.fits), "\(width)")
                }
            }
        }

        @Test("a table that is too wide gets smaller type and more room, then the whole width")
        func width() throws {
            let names = (1...8).map { "Annabell\($0)" }
            let ann = try Laptop(playing: "rounds", names)
            try ann.run("score", names[0], "15")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$('main').className === 'tight slim small'")
                #expect(try browser.read(WideTableTests.fits))
                try browser.emulate(.init(width: 1000, height: 700))
                try browser.wait(until: "$('main').className === 'tight across'")
                #expect(try browser.read(WideTableTests.fits))
                try browser.emulate(.init(width: 3840, height: 900))
                try browser.wait(until: "$('main').className === 'tight'")
                #expect(try browser.read(WideTableTests.fits))
            }
        }

        @Test("six players: a name stays on one line, and so does an entry with its points")
        func lines() throws {
            let names = ["Annabelle", "Bob", "Cem", "Dee", "Eve", "Finn"]
            let ann = try Laptop(playing: "wizard", names)
            for name in names { try ann.run("score", name, "bid.1=1", "tricks.1=0") }
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$('#table tbody td')")
                let broken: [String] = try browser.read(
                    """
                    $$('#table :is(thead bdi, td)').filter((cell) => {
                      const range = document.createRange();
                      range.selectNodeContents(cell);
                      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
                    }).map((cell) => cell.textContent)
                    """
                )
                #expect(broken == [])
                #expect(try browser.read(WideTableTests.fits))
            }
        }

        @Test("names are aligned at their start, and numbers at their end")
        func alignment() throws {
            let ann = try Laptop(playing: "cricket", "Ann", "Bob")
            try ann.run("play", "T20", "T19", "T18")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$$('#panels table').length === 2")
                let aligned: [String] = try browser.read(
                    """
                    [...$$('#panels table')[1].querySelectorAll('thead th, tbody td')]
                      .map((cell) => getComputedStyle(cell).textAlign)
                    """
                )
                #expect(aligned == ["start", "end", "end", "end", "start", "end", "end", "end"])
            }
        }

        @Test("an empty row is left out")
        func emptyLines() throws {
            let ann = try Laptop(playing: "bowling", "Ann", "Bob")
            try ann.run("play", "72")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$('#panels tbody tr')")
                let lines: [String] = try browser.read(
                    """
                    $$('#panels tbody tr')
                      .map((line) => line.innerText.trim().split(/\\s+/).join(' '))
                    """
                )
                #expect(lines == ["Ann 72 279", "9", "> Bob 300"])
            }
        }

        @Test("the points of a match are as large as its total")
        func match() throws {
            let ann = try Laptop(playing: "tennis", "Ann", "Bob")
            try ann.run("play", "Ann")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$$('#panels table').length === 2")
                let sizes: [Double] = try browser.read(
                    """
                    ['.total', '#panels table td:last-child']
                      .map((css) => parseFloat(getComputedStyle($(css)).fontSize))
                    """
                )
                #expect(sizes[1] >= sizes[0])
            }
        }
    }
}
