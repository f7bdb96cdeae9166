import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("The table of the app")
    struct AppTableTests {
        private static let (tab, enter, escape) = ("\u{E004}", "\u{E007}", "\u{E00C}")

        /// Opens the table of a new game on a laptop.
        private func atTable(
            playing game: String,
            _ players: String...,
            screen: Browser.Screen = .laptop,
            options: String...,
            body: (Browser, Laptop) throws -> Void
        ) throws {
            let ann = try Laptop(playing: game, players, options: options)
            try Browser.onApp(of: ann, screen) { browser in
                try browser.openTable()
                try body(browser, ann)
            }
        }

        @Test("a round for four is typed from one laptop with at most twelve keys")
        func round() throws {
            try atTable(playing: "rounds", "Ann", "Bob", "Cem", "Dora") { browser, ann in
                let keys = ["15", "9", "7", "-3"].joined(separator: Self.enter) + Self.enter
                #expect(keys.count <= 12)
                try browser.type(keys)
                try browser.wait(until: "words('#sheet tfoot') === 'Total 15 1. 9 2. 7 3. -3 4.'")
                #expect(try ann.cells(of: "Dora") == ["round.1=-3"])
                // The next key belongs to the next round.
                #expect(try browser.read("$('#entry').ariaLabel === 'Ann, Round 2'"))
            }
        }

        @Test("all bid before the tricks of a round are entered")
        func fields() throws {
            try atTable(playing: "wizard", "Ann", "Bob", "Cem") { browser, _ in
                try browser.type("1" + Self.enter)
                try browser.wait(until: "$('#entry').ariaLabel === 'Bob, Bid 1'")
                try browser.type("0" + Self.enter + "0" + Self.enter)
                try browser.wait(until: "$('#entry').ariaLabel === 'Ann, Tricks 1'")
            }
        }

        @Test("four players' rounds are typed page by page on a narrow window")
        func pages() throws {
            let narrow = Browser.Screen(width: 320, height: 640)
            try atTable(playing: "rounds", "Ann", "Bob", screen: narrow) { browser, ann in
                try browser.type("15" + Self.enter + "9" + Self.enter)
                try browser.wait(until: "words('[data-page=\"\"] tfoot') === 'Total 15 1. 9 2.'")
                let start = "$('#sheet').getBoundingClientRect().left"
                let page = "$('#entry').closest('.page').getBoundingClientRect().left"
                try browser.wait(until: "$('#entry').ariaLabel === 'Ann, Round 2'")
                try browser.wait(until: "Math.abs(\(page) - \(start)) < 2")
                #expect(try browser.read("document.documentElement.scrollWidth <= 320"))
            }
        }

        @Test("a score of another laptop is corrected and emptied by keyboard, and undone")
        func correction() throws {
            let ann = try Laptop(playing: "rounds", "Ann", "Bob")
            let bob = try ann.companionApart()
            try bob.run("score", "Bob", "30")
            try bob.run("daemon", "online")
            try ann.run("wait", "--for", "synced", "--timeout", "10")
            try Browser.onApp(of: ann) { browser in
                try browser.openTable()
                try browser.wait(until: "$('#entry').ariaLabel === 'Ann, Round 1'")
                let (right, left, delete) = ("\u{E014}", "\u{E012}", "\u{E017}")
                try browser.type(right)
                try browser.wait(until: "$('#entry').value === '30'")
                try browser.type("31" + Self.enter)
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 0 31')")
                try browser.type("u")
                try browser.wait(until: "words('#told') === 'Undone: Bob, Round 1: 31 → 30'")
                try browser.type(right + left + right)
                try browser.wait(until: "$('#entry').ariaLabel === 'Bob, Round 1'")
                try browser.type(delete)
                try browser.wait(until: "$('#entry').value === ''")
                #expect(try ann.cells(of: "Bob") == [])
                try browser.press("Undo")
                try browser.wait(until: "words('#told') === 'Undone: Bob, Round 1: empty → 30'")
            }
        }

        @Test("what is typed for a player who is removed meanwhile is not written for another")
        func removedPlayer() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.press("Bob, Round 1: empty")
                try browser.wait(until: "$('#entry').ariaLabel === 'Bob, Round 1'")
                try browser.type("77")
                try ann.run("player", "remove", "Bob")
                let told = "Not entered, because its cell is gone: Bob 77"
                try browser.wait(until: "words('#toast') === '\(told)'")
                try browser.wait(until: "$('#entry').ariaLabel === 'Ann, Round 1'")
                try browser.type("5" + Self.enter)
                try browser.wait(until: "words('#sheet tfoot') === 'Total 5 1.'")
                #expect(try ann.cells(of: "Ann") == ["round.1=5"])
            }
        }

        @Test("whoever replaces a score is told, also one that came into the selected cell")
        func replaced() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.type("5" + Self.enter)
                try browser.wait(until: "$('#entry').ariaLabel === 'Bob, Round 1'")
                try ann.run("score", "Bob", "round.1=7")
                try browser.wait(until: "$('#entry').value === '7'")
                try browser.type("6" + Self.enter)
                try browser.wait(until: "words('#told') === 'Bob, Round 1: 7 → 6'")
                try browser.type("u")
                try browser.wait(until: "words('#told') === 'Undone: Bob, Round 1: 6 → 7'")
                #expect(try ann.cells(of: "Bob") == ["round.1=7"])
            }
        }

        @Test("what is typed while the daemon is away is entered once it is back")
        func daemonAway() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try ann.stop()
                try browser.wait(until: "!$('#away').hidden")
                try browser.type("8" + Self.enter)
                try browser.wait(until: "$('.problem')")
                try ann.start("--no-discovery")
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 8')")
                try browser.wait(until: "!$('.problem')")
                #expect(try ann.cells(of: "Ann") == ["round.1=8"])
            }
        }

        @Test("a player who is out is passed over")
        func out() throws {
            let ann = try Laptop(playing: "molkky", "Ann", "Bob", "Cem")
            for round in 1...3 {
                for (player, points) in [("Ann", 0), ("Bob", 4), ("Cem", 5)] {
                    try ann.run("score", player, "throw.\(round)=\(points)")
                }
            }
            try Browser.onApp(of: ann) { browser in
                try browser.openTable()
                for entry in ["Bob, Throw 4", "Cem, Throw 4", "Bob, Throw 5"] {
                    try browser.wait(until: "$('#entry').ariaLabel === '\(entry)'")
                    try browser.type("6" + Self.enter)
                }
            }
        }

        @Test("a team that is one scorer has one column, with the entries of its members")
        func partners() throws {
            let ann = try Laptop(playing: "spades", "Ann", "Bob", "Cem", "Dora")
            try ann.run("player", "team", "North", "Ann", "Cem")
            try ann.run("player", "team", "South", "Bob", "Dora")
            try Browser.onApp(of: ann) { browser in
                try browser.openTable()
                try browser.wait(until: "$$('#sheet thead th').length === 2")
                try browser.type("4" + Self.enter)
                try browser.wait(until: "$('#entry').ariaLabel === 'South, Bid 1'")
                try browser.type("3" + Self.enter)
                try browser.wait(until: "$('#entry').ariaLabel === 'North, Tricks 1'")
                // What is typed stays when an entry of the partner arrives.
                try browser.type("5")
                try ann.run("score", "Cem", "tricks.1=2")
                try browser.wait(until: "$('#entry').ariaLabel === 'Ann, Tricks 1'")
                #expect(try browser.read("$('#entry').value === '5'"))
                try browser.type(Self.enter)
                try browser.wait(until: "$('#entry').ariaLabel === 'South, Tricks 1'")
                // A phone of the other partner adds to it.
                try ann.run("score", "Cem", "bid.1=2")
                let all = "$$('#sheet tbody tr')[0].querySelectorAll('td')[0]"
                try browser.wait(until: "\(all).innerText.match(/Ann\\s+4\\s+Cem\\s+2/)")
                try browser.run("[...\(all).querySelectorAll('button')].at(-1).click()")
                try browser.wait(until: "$('#entry').ariaLabel === 'Cem, Bid 1'")
                try browser.type("1" + Self.enter)
                try browser.wait(until: "\(all).innerText.match(/Cem\\s+1/)")
                #expect(try ann.cells(of: "Cem").sorted() == ["bid.1=1", "tricks.1=2"])
                #expect(try ann.cells(of: "Ann").sorted() == ["bid.1=4", "tricks.1=5"])
            }
        }

        @Test("leaving the table names what was not entered")
        func left() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, _ in
                try browser.type("1-" + Self.enter)
                try browser.wait(until: "$('.problem')")
                try browser.run("location.hash = ''")
                try browser.wait(until: "words('#toast') === 'Not entered: Ann 1-'")
            }
        }

        @Test("a game that is left is no longer shown, and its tools are gone")
        func leftGame() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try ann.run("session", "leave", "--yes")
                try browser.wait(until: "!$('#away').hidden")
                #expect(try browser.read("$('#start').hidden"))
                #expect(try browser.complaints() == [])
            }
        }

        @Test("a refused entry stays in its cell with the reason, until it is typed again")
        func refusal() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.type("1-" + Self.enter + "9" + Self.enter)
                let reason = "round takes a whole number, not “1-”"
                try browser.wait(until: "words('.problem') === '\(reason)'")
                try browser.press("Ann, Round 1: 1-")
                try browser.wait(until: "$('#entry').value === '1-'")
                try browser.type("2" + Self.enter)
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total -1')")
                try browser.wait(until: "!$('.problem')")
                #expect(try ann.cells(of: "Ann") == ["round.1=1-2"])
            }
        }

        @Test("one click settles a conflict of two laptops")
        func conflict() throws {
            let ann = try Laptop(playing: "rounds", "Ann")
            let bob = try ann.companionApart()
            try ann.run("score", "Ann", "15")
            try bob.run("score", "Ann", "round.1=12")
            try bob.run("daemon", "online")
            try ann.run("wait", "--for", "synced", "--timeout", "10")
            try Browser.onApp(of: ann) { browser in
                try browser.openTable()
                try browser.wait(until: "$$('#troubles button').length === 2")
                let choice = try browser.words("#troubles")
                #expect(choice == "Ann, Round 1 Keep 12 by porch Take 15 by kitchen")
                try browser.press("Take 15 by kitchen")
                try browser.wait(until: "$('#trouble').hidden")
                #expect(try ann.cells(of: "Ann") == ["round.1=15"])
            }
        }

        @Test("the table can say who has won, whatever the totals")
        func verdict() throws {
            try atTable(playing: "points", "Ann", "Bob") { browser, ann in
                try browser.type("15" + Self.enter)
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                try browser.click("details.menu summary")
                try browser.press("Who has won?")
                try browser.wait(until: "$('#dialog').open")
                try browser.run("$$('#dialog .tick input')[1].click()")
                try browser.press("They have won")
                try browser.wait(until: "words('#ceremony-title') === 'Bob has won with 0'")
                try browser.press("Who has won?")
                try browser.press("All lost")
                try browser.wait(until: "words('#ceremony-title') === 'All have lost together'")
                #expect(try ann.read(ShowDocument.self, "show").session.verdict == "all-lost")
                #expect(try browser.complaints() == [])
            }
        }

        @Test("a game is finished, celebrated and played again, in the order that is chosen")
        func again() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.type("15" + Self.enter + "20" + Self.enter)
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 15 2. 20')")
                try browser.press("Finish")
                try browser.wait(until: "words('#ceremony-title') === 'Bob has won with 20'")
                #expect(try browser.words("#places") == "★ Bob 20 2. Ann 15")
                #expect(try browser.read("document.title === 'Bob has won with 20 – rounds'"))
                let before: String = try browser.read("location.hash")
                try browser.press("Play again")
                try browser.click("[value=rotate]")
                try browser.press("Start")
                try browser.wait(until: "location.hash !== '\(before)' && $('#ceremony').hidden")
                try browser.wait(until: "words('#sheet thead') === 'Bob Ann'")
            }
        }

        @Test("Reversi is played by clicks on the board, and the computer answers")
        func reversi() throws {
            let ann = try Laptop(playing: "reversi", "Ann")
            try ann.run("player", "add", "Robot", "--computer", "--depth", "1")
            try ann.run("player", "me", "Ann")
            try Browser.onApp(of: ann) { browser in
                try browser.openTable()
                try browser.wait(until: "words('#turn') === 'Your turn'")
                #expect(try browser.read("document.title === '● Your turn – reversi'"))
                try browser.click("#panels [data-value=d3]")
                try browser.wait(until: "words('#told').startsWith('Robot: ')")
                #expect(try browser.read("$$('#panels .last').length === 1"))
                #expect(try ann.cells(of: "Ann") == ["move.1=d3"])
                try browser.press("Undo")
                try browser.wait(until: "words('#told').includes('Move 1: d3 → empty')")
            }
        }

        @Test("a visit of darts is entered on the drawn board")
        func darts() throws {
            try atTable(playing: "darts", "Ann", "Bob") { browser, ann in
                for _ in 1...3 { try browser.run("\(Self.tap("T20"))") }
                try browser.run(Self.tap("T19"))
                try browser.wait(until: "$('#typed').value === 'T20 T20 T20'")
                try browser.press("Enter")
                try browser.wait(until: "words('#standings').includes('321')")
                #expect(try ann.cells(of: "Ann") == ["visit.1=T20 T20 T20"])
            }
        }

        private static func tap(_ dart: String) -> String {
            """
            $('#panels [data-value=\(dart)]')
              .dispatchEvent(new MouseEvent('click', { bubbles: true }));
            """
        }

        @Test("players join, move, form teams and leave in the middle of a game")
        func players() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try ann.run("score", "Ann", "15")
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                try browser.run("$('.menu').open = true;")
                try browser.press("Players")
                try browser.fill("dialog [name=name]", "Cem" + Self.enter)
                try browser.wait(until: "$$('.seats [aria-label=Name]').length === 3")
                try browser.fill(#"[aria-label="First round of Cem"]"#, "3" + Self.tab)
                try eventually(within: .seconds(10), "Cem joined in round 3") {
                    let players = try ann.read(ShowDocument.self, "show").players
                    return players.first { $0.name == "Cem" }?.since == 3
                }
                try browser.fill(#"[aria-label="First round of Cem"]"#, "0" + Self.tab)
                try browser.wait(until: "!!words('.seats .mark:not(:empty)')")
                try browser.fill(#"[aria-label="First round of Cem"]"#, "2" + Self.tab)
                try browser.wait(until: "!words('.seats .mark')")
                try browser.press("Move Cem up", "Remove Ann")
                try browser.wait(until: "words('.seats').length && !!$('ul.seats button')")
                try browser.fill(".seats .team", "Reds" + Self.tab)
                try browser.wait(until: "$('.seats .team').value === 'Reds'")
                try browser.press("Done")
                try browser.wait(until: "words('#sheet thead').startsWith('Cem Reds')")
                let names = try ann.read(ShowDocument.self, "show").players
                    .filter { !$0.removed }.map(\.name)
                #expect(names == ["Cem", "Bob"])
            }
        }

        @Test("others are let in by a code, and phones by one switch")
        func others() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, _ in
                try browser.press("Others in", "Let laptops in")
                try browser.wait(until: "/^(\\w{5} ?){3}$/.test(words('.invite'))")
                try browser.wait(until: "$('.others .code').naturalWidth > 0")
                try browser.click("[role=switch]")
                // The laptop of the test may have no network.
                try browser.wait(
                    until: "/says who they are|no network/.test(words('.others'))"
                )
                #expect(try browser.complaints() == [])
            }
        }

        @Test("the history says who wrote what, and options change in the middle of a game")
        func dialogs() throws {
            try atTable(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.type("15" + Self.enter)
                try browser.wait(until: "words('#sheet tfoot').startsWith('Total 15')")
                try browser.press("Ann, Round 1: 15", "Who wrote this?")
                try browser.wait(until: "words('.history').startsWith('Ann, Round 1: 15')")
                #expect(try browser.words(".history").contains("by kitchen"))
                try browser.type(Self.escape)
                try browser.run("$('.menu').open = true;")
                try browser.press("Options")
                try browser.fill("dialog [name=option-target]", "0" + Self.tab)
                try browser.wait(until: "words('dialog').includes('Target takes')")
                try browser.fill("dialog [name=option-target]", "10" + Self.tab)
                try browser.wait(until: "!words('dialog').includes('Target takes')")
                try eventually(within: .seconds(10), "the target is 10") {
                    let session = try ann.read(SessionReply.self, "session", "show").session
                    return session.options == ["target": .integer(10)]
                }
                try browser.type(Self.escape + "?")
                try browser.wait(until: "words('dialog h2') === 'Keys'")
            }
        }

        @Test("an option that the game no longer allows to change says why, beside its control")
        func refusedOption() throws {
            try atTable(playing: "darts", "Ann", "Bob") { browser, ann in
                try ann.run("play", "60")
                try browser.run("$('.menu').open = true;")
                try browser.press("Options")
                try browser.wait(until: "!!$('dialog [name=option-out]')")
                try browser.run(
                    """
                    $("[name=option-out]").value = "straight";
                    $("[name=option-out]").dispatchEvent(new Event("change"));
                    """
                )
                try browser.wait(
                    until: "words('.field:has([name=option-out]) [role=alert]').length > 0"
                )
            }
        }
    }
}

extension Browser {
    /// Opens the table of the laptop's current session, and waits until it is ready.
    fileprivate func openTable() throws {
        try run("location.hash = '#table';")
        try wait(until: "/#table\\/\\w{32}/.test(location.hash) && !$('#pad').hidden")
    }
}
