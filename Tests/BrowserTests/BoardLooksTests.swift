import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("Appearance and accessibility of the board")
    struct BoardLooksTests {
        /// Names that want to be markup, to turn the line around, or more room than there is.
        private static let hostileNames = [
            "<script>alert(1)</script>", "\u{202E}live", "مريم",
            String(repeating: "😀", count: 50), String(repeating: "⚽", count: 64),
            String(repeating: "W", count: 120),
            "\"><b>&amp;", "\u{2067}a\u{0301}",
        ]

        @Test("screen readers find landmarks, headings, tables and announcements")
        func tree() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            try ann.run("score", "Ann", "15")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "words('#table').includes('15')")
                let tree = try browser.accessibilityTree().map(\.words)
                for node in [
                    "banner", "main", "heading: rounds", "region: Total", "heading: Total",
                    "region: Score sheet", "table", "columnheader: Ann", "rowheader: Round 1",
                    "cell: 15", "link: Skip to the totals", "list", "status",
                ] {
                    #expect(tree.contains { $0.lowercased() == node.lowercased() }, "\(node)")
                }
                try ann.run("score", "Bob", "round.1=27")
                try browser.wait(until: "words('#news').length > 0")
                let news = try browser.words("#news")
                #expect(news == "Bob: Round 1, 27; Bob leads with 27")
            }
        }

        @Test("every color has enough contrast, in light and in dark")
        func contrast() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let board = try Board(of: ann)
            let names =
                ["ground", "raised", "tint", "shine", "ink", "faint", "accent", "warn"]
                + ["gold", "on", "edge"] + (0..<8).map { "c\($0)" }
            try Browser.open { browser in
                for isDark in [false, true] {
                    try browser.emulate(.init(width: 800, height: 600, isDark: isDark))
                    try browser.visit(board.address)
                    let values = names.map { name in
                        "getComputedStyle(document.documentElement).getPropertyValue('--\(name)')"
                    }
                    let texts: [String] = try browser.read(
                        "[\(values.joined(separator: ","))]"
                    )
                    let colours = try Palette(zip(names, texts), isDark: isDark)
                    for text in ["ink", "faint", "accent", "warn", "gold"] {
                        try colours.expect(text, on: ["ground", "raised"], atLeast: 4.5)
                    }
                    for text in ["ink", "faint", "accent"] {
                        try colours.expect(text, on: ["tint"], atLeast: 4.5)
                    }
                    for text in ["ink", "faint", "gold"] {
                        try colours.expect(text, on: ["shine"], atLeast: 4.5)
                    }
                    try colours.expect("on", on: ["accent"], atLeast: 4.5)
                    try colours.expect("ground", on: ["warn"], atLeast: 4.5)
                    try colours.expect("edge", on: ["ground", "raised"], atLeast: 3)
                    for line in 0..<8 {
                        try colours.expect("c\(line)", on: ["raised"], atLeast: 4.5)
                    }
                }
            }
        }

        @Test("hostile names are shown as text, on every screen")
        func names() throws {
            let ann = try Laptop(playing: "rounds", BoardLooksTests.hostileNames)
            let board = try Board(of: ann)
            try Browser.open { browser in
                for width in [320, 390, 800, 1280, 1920, 3840] {
                    try browser.emulate(.init(width: width, height: 900))
                    try browser.visit(board.address)
                    try browser.wait(until: "$$('#standings li').length > 0")
                    let overflow: Int = try browser.read(
                        "document.documentElement.scrollWidth - innerWidth"
                    )
                    #expect(overflow <= 0, "\(width)")
                }
                let shown: [String] = try browser.read(
                    "$$('#standings .name').map((name) => name.textContent)"
                )
                #expect(shown == BoardLooksTests.hostileNames)
                #expect(
                    try browser.read(
                        "$$('#standings .name').every((name) => name.querySelector('bdi'))"
                    )
                )
                #expect(try browser.read("!$('main script') && !$('#standings b')"))
                #expect(try browser.complaints() == [])
            }
        }

        @Test("the page stays quick with a hundred players")
        func crowd() throws {
            let names = (1...100).map { "Player \($0)" }
            let ann = try Laptop(playing: "rounds", names)
            try ann.run("score", "Player 7", "15")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$$('#standings li').length === 100")
                try ann.run("score", "Player 100", "16")
                try browser.wait(until: "words('#standings li').includes('Player 100')")
                #expect(try browser.read("$$('#chart polyline').length <= 8"))
            }
        }

        @Test("the page loads nothing from other servers")
        func origin() throws {
            let ann = try Laptop(playing: "points", "Ann")
            let board = try Board(of: ann)
            try Browser.open { browser in
                try browser.visit(board.address)
                try browser.wait(until: "$$('#standings li').length > 0")
                let loaded: [String] = try browser.read(
                    "performance.getEntriesByType('resource').map((one) => one.name)"
                )
                #expect(loaded.allSatisfy { $0.hasPrefix(board.address) }, "\(loaded)")
            }
        }
    }
}
