import LaptopKit
import Testing

extension InBrowser {
    @Suite("Drawings and highlights of the board")
    struct DrawingTests {
        @Test("pieces and hits on the dartboard have enough contrast")
        func contrast() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let board = try Board(of: ann)
            let kinds = [
                "square", "last", "piece-0", "piece-1", "legal", "rim", "number", "single-0",
                "single-1", "ring-0", "ring-1", "hit",
            ]
            try Browser.open { browser in
                for isDark in [false, true] {
                    try browser.emulate(.init(width: 800, height: 600, isDark: isDark))
                    try browser.visit(board.address)
                    let colours: [String] = try browser.read(
                        """
                        [...\(kinds).map((kind) => [kind, 'fill']), ['hit', 'stroke']]
                          .map(([kind, part]) => {
                            const space = 'http://www.w3.org/2000/svg';
                            const shape = document.createElementNS(space, 'circle');
                            shape.setAttribute('class', kind);
                            const svg = document.createElementNS(space, 'svg');
                            svg.append(shape);
                            document.body.append(svg);
                            return '#' + getComputedStyle(shape)[part].match(/\\d+/g).slice(0, 3)
                              .map((one) => Number(one).toString(16).padStart(2, '0')).join('');
                          })
                        """
                    )
                    let names = kinds + ["outline"]
                    let palette = try Palette(zip(names, colours), isDark: isDark)
                    for piece in ["piece-0", "piece-1"] {
                        try palette.expect(piece, on: ["square", "last"], atLeast: 3)
                    }
                    try palette.expect("legal", on: ["square"], atLeast: 3)
                    try palette.expect("number", on: ["rim"], atLeast: 4.5)
                    // On the cream of the board it is the outline that stands out.
                    let dark = ["single-0", "ring-0", "ring-1", "outline"]
                    try palette.expect("hit", on: dark, atLeast: 3)
                    try palette.expect("outline", on: ["single-1"], atLeast: 3)
                }
            }
        }

        @Test("the dartboard shows the fields of the last visit")
        func darts() throws {
            let ann = try Laptop(playing: "darts", "Ann", "Bob")
            try ann.run("play", "T20", "S5", "D10")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$('#panels .darts')")
                // A single is two fields; on top, so that no other hides their outlines.
                #expect(try browser.read("$$('#panels .darts .hit').length") == 4)
                #expect(try browser.read("$('#panels .darts').lastChild.matches('.hit')"))
                let title: String = try browser.read("$('#panels .darts title').textContent")
                #expect(title == "Dartboard: last visit T20, S5, D10")
            }
        }

        @Test("the board of Reversi shows pieces, the last move and legal moves")
        func reversi() throws {
            let ann = try Laptop(playing: "reversi", "Ann", "Bob")
            try ann.run("play", "d3")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$$('#panels rect').length === 64")
                #expect(try browser.read("$$('#panels .piece-0').length") == 4)
                #expect(try browser.read("$$('#panels .piece-1').length") == 1)
                #expect(try browser.read("$$('#panels .last').length") == 1)
                #expect(try browser.read("$$('#panels .legal').length") == 3)
                let title: String = try browser.read("$('#panels title').textContent")
                #expect(title.contains("last move d3; legal moves: c3, e3, c5"))
                // A board shows: nothing on it is tapped.
                #expect(try browser.read("!$('#panels [data-act]')"))
            }
        }

        @Test("each line of the chart has its own style, for any eight leading players")
        func lines() throws {
            let names = (1...12).map { "P\($0)" }
            let ann = try Laptop(playing: "points", names)
            for name in ["P1", "P9", "P2", "P10", "P12", "P4", "P5", "P6"] {
                try ann.run("score", name, "5")
            }
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$$('#chart polyline').length === 8")
                let ways = """
                    new Set($$('#chart polyline').map((line) => [getComputedStyle(line)]
                      .map((style) => style.stroke + style.strokeDasharray)[0])).size
                    """
                #expect(try browser.read(ways) == 8)
            }
        }

        @Test("a new score stays highlighted for a while, even if the page is redrawn")
        func fresh() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            try ann.run("score", "Ann", "15")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: Browser.chartTells("Ann 15, Bob 0"))
                #expect(try browser.read("!$('#table .fresh')"))
                try ann.run("score", "Bob", "27")
                let isFresh = "words('#table .fresh') === '27'"
                try browser.wait(until: Browser.chartTells("Bob 27, Ann 15") + " && " + isFresh)
                try browser.wait(until: "!$('#table .fresh')")
            }
        }

        @Test("it shows which laptops are online, and that this one is offline")
        func people() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let bob = try ann.companionApart()
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "words('#people .gone') === 'porch away'")
                try bob.run("daemon", "online")
                try browser.wait(until: "words('#people .here') === 'porch in sync'")
                try ann.run("daemon", "offline")
                try browser.wait(until: "words('#people').startsWith('this laptop is offline')")
                try ann.run("daemon", "online")
                try browser.wait(until: "words('#people .here') === 'porch in sync'")
            }
        }
    }
}
