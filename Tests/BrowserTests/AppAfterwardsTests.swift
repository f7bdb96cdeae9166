import Foundation
import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("The app after a game")
    struct AppAfterwardsTests {
        /// A laptop on which Ann won a game of rounds and Bob a leg of darts.
        private func laptop() throws -> Laptop {
            let laptop = try Laptop(playing: "rounds", "Ann", "Bob")
            try laptop.run("score", "Ann", "round.1=15")
            try laptop.run("score", "Bob", "round.1=7")
            try laptop.run("session", "finish")
            let players = ["--player", "Ann", "--player", "Bob"]
            try laptop.run(["session", "new", "darts", "--title", "Darts"] + players)
            for score in ["60", "180", "45", "180", "26", "141"] {
                try laptop.run("play", score, "--darts", "3")
            }
            return laptop
        }

        @Test("lists results by evening, with leaders and statistics in pictures")
        func results() throws {
            let laptop = try laptop()
            try Browser.onApp(of: laptop, at: "#results") { browser in
                try browser.wait(until: "words('main').includes('1 win in 1 game')")
                let text = try browser.words("main")
                #expect(text.contains("★ Ann 15") && text.contains("Bob 7"))
                #expect(text.contains("1. Ann – 1 win in 1 game"))
                try browser.click("main a[href='#results/darts']")
                try browser.wait(until: "!!$('.pictures svg')")
                let figures = try browser.words(".results .figures:last-of-type")
                #expect(try browser.words("main").contains("Visits of 180 0 2"), "\(figures)")
                let title: String = try browser.read("$('.pictures title').textContent")
                #expect(title.contains("Three-dart average: Ann 43.67, Bob 167"), "\(title)")
                try browser.run("$('main select').value = 2;")
                try browser.run("$('main select').dispatchEvent(new Event('change'));")
                #expect(try browser.words(".pictures").contains("Visits of 180"))
                #expect(try browser.complaints() == [])
            }
        }

        @Test("shows a team that is one scorer once, with its members")
        func sides() throws {
            let laptop = try Laptop(
                playing: "darts",
                ["Ann", "Bob", "Cem"],
                options: ["start=101", "legs=3"]
            )
            try laptop.run("player", "team", "Reds", "Ann", "Cem")
            for score in ["60", "26", "41", "26", "60", "26", "41"] {
                try laptop.run("play", score, "--darts", "3")
            }
            try Browser.onApp(of: laptop, at: "#results") { browser in
                try browser.wait(until: "words('main').includes('★')")
                let card = try browser.words("article.card .standings")
                #expect(card == "★ Reds 2 (Ann, Cem) , winner Bob 0")
                try browser.run("$('article.card details').open = true;")
                #expect(
                    try browser.words("article.card .parts")
                        == "leg 1: Reds 101, Bob 26 leg 2: Reds 101, Bob 52"
                )
                try browser.run("location.hash = '#';")
                try browser.wait(until: "words('main').includes('Reds won')")
                #expect(try browser.words("main .totals") == "Reds 0 Bob 49")
                #expect(try browser.complaints() == [])
            }
        }

        @Test("resets statistics after a question, and keeps the results")
        func reset() throws {
            let laptop = try laptop()
            try Browser.onApp(of: laptop, at: "#results/rounds") { browser in
                try browser.wait(until: "!!$('main button.danger')")
                try browser.click("main button.danger")
                try browser.wait(until: "words('#dialog').includes('Restart leaders')")
                try browser.run("[...$('#dialog').querySelectorAll('button')][1].click();")
                #expect(
                    try laptop.read(StatsReply.self, "stats", "show", "rounds").items.count == 1
                )
                try browser.click("main button.danger")
                try browser.wait(until: "$('#dialog').open")
                try browser.click("#dialog button.primary")
                try browser.wait(until: "words('main').includes('No finished game yet')")
                #expect(try browser.words("main").contains("Ann 15"))
                #expect(try browser.complaints() == [])
            }
        }

        @Test("keeps the people of the laptop, and says in place what is wrong")
        func people() throws {
            let laptop = try Laptop("kitchen")
            try laptop.start("--no-discovery")
            func names() throws -> [String] {
                try laptop.read(PeopleReply.self, "people").items.map(\.name)
            }
            try Browser.onApp(of: laptop, at: "#people") { browser in
                for name in ["Ann", "Bob"] {
                    try browser.fill("input[name=name]", name + "\u{E007}")
                    try browser.wait(until: "words('.rows').includes('\(name)')")
                }
                try browser.click(".rows input")
                try browser.wait(until: "words('.order') === 'Ann'")
                try browser.click("[aria-label='Rename Bob']")
                try browser.wait(until: "$('#dialog').open")
                try browser.fill("#dialog input", "Ann\u{E007}")
                try browser.wait(until: "words('#dialog [role=alert]').includes('already exists')")
                try browser.fill("#dialog input", "Robert\u{E007}")
                try browser.wait(until: "words('.rows').includes('Robert')")
                try browser.click("[aria-label='Remove Robert']")
                try browser.wait(until: "$('#dialog').open")
                try browser.click("#dialog button.primary")
                try browser.wait(until: "!words('.rows').includes('Robert')")
                #expect(try names() == ["Ann"])
                // The browser reports the refused name.
                let complaints = try browser.complaints()
                #expect(complaints.allSatisfy { $0.contains("/call - Failed") }, "\(complaints)")
            }
        }

        @Test("changes the laptop, and brings back what it has saved")
        func settings() throws {
            let laptop = try laptop()
            try Browser.onApp(of: laptop, at: "#settings") { browser in
                try browser.wait(until: "!!$('input[name=name]')")
                try browser.fill("input[name=name]", "den\u{E007}")
                try browser.wait(until: "words('#toast').includes('den')")
                try browser.click("input[role=switch]")
                try browser.wait(until: "!$('input[role=switch]').disabled")
                let daemon = try laptop.read(StatusReply.self, "status").daemon
                #expect(daemon.name == "den" && daemon.offline)
                // The text of the file that the browser would save.
                try browser.run("URL.createObjectURL = (b) => { window.saved = b; return '#'; };")
                try browser.run("HTMLAnchorElement.prototype.click = () => {};")
                try browser.run(
                    "[...document.querySelectorAll('button')]"
                        + ".find((one) => one.textContent === 'Save as a file').click();"
                )
                try browser.wait(until: "window.saved?.size > 0")
                try laptop.run("session", "leave", "Darts", "--yes")
                try browser.run(
                    """
                    const all = new DataTransfer();
                    all.items.add(new File([window.saved], 'evening.json'));
                    $('input[type=file]').files = all.files;
                    $('input[type=file]').dispatchEvent(new Event('change'));
                    """
                )
                try browser.wait(until: "words('.drop').includes('Darts is new')")
                #expect(try browser.words(".drop").contains("rounds is here already"))
                #expect(try laptop.read(SessionListReply.self, "session", "list").items.count == 1)
                try browser.click(".drop button.primary")
                try browser.wait(until: "words('.drop').includes('Darts added')")
                #expect(try laptop.read(SessionListReply.self, "session", "list").items.count == 2)
                try browser.run(
                    """
                    const other = new DataTransfer();
                    other.items.add(new File(['name,score'], 'scores.csv'));
                    $('input[type=file]').files = other.files;
                    $('input[type=file]').dispatchEvent(new Event('change'));
                    """
                )
                try browser.wait(until: "words('.drop [role=alert]').includes('export')")
                for (format, start) in [("csv", "title,game"), ("bgstats", "{")] {
                    try browser.run(
                        """
                        window.saved = null;
                        $('[name=format]').value = '\(format)';
                        [...$$('button')].find((b) => b.textContent === 'Save as a file').click();
                        """
                    )
                    try browser.wait(until: "window.saved?.size > 0")
                    try browser.run("window.saved.text().then((text) => { window.text = text; });")
                    try browser.wait(until: "window.text?.startsWith('\(start)')")
                }
                let complaints = try browser.complaints()
                #expect(complaints.allSatisfy { $0.contains("/call - Failed") }, "\(complaints)")
            }
        }

        @Test("shows the check-up, and ends when it is quit")
        func checkup() throws {
            let laptop = try laptop()
            try Browser.onApp(of: laptop, at: "#doctor") { browser in
                try browser.wait(until: "words('.passed').includes('Passed')")
                #expect(try !browser.words("main").contains("{"))
                try browser.run("location.hash = '#settings';")
                try browser.wait(until: "!!$('main button.danger')")
                try browser.click("main button.danger")
                try browser.wait(until: "$('#dialog').open")
                try browser.click("#dialog button.primary")
                try browser.wait(until: "words('main').includes('The app has ended')")
                #expect(try browser.complaints() == [])
            }
        }

        @Test(
            "fits windows from 320 pixels to a large screen, and a zoom of 200 %",
            arguments: ["#results", "#results/darts", "#people", "#settings", "#doctor"]
        )
        func widths(hash: String) throws {
            let laptop = try laptop()
            try Browser.onApp(of: laptop, at: hash) { browser in
                try browser.wait(until: "main.children.length > 1")
                for (width, height, zoom) in [
                    (320, 568, 1), (1280, 800, 1), (1280, 800, 2), (3840, 2160, 1),
                ] {
                    try browser.emulate(Browser.Screen(width: width, height: height, zoom: zoom))
                    let needed = "document.documentElement.scrollWidth"
                    #expect(try browser.read("\(needed) <= innerWidth"), "\(hash) \(width)/\(zoom)")
                }
            }
        }
    }
}
