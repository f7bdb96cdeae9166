import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("The app's first pages")
    struct AppHomeTests {
        private let tab = Keys.tab
        private let enter = Keys.enter

        /// Returns the names of the current session's players, in seat order.
        private func seats(of laptop: Laptop) throws -> [String] {
            try laptop.read(ShowDocument.self, "show").players.map(\.name)
        }

        /// Drops a file on the page.
        private func drop(_ name: String, _ text: String, in browser: Browser) throws {
            let content = text.replacing("\\", with: "\\\\").replacing("`", with: "\\`")
            try browser.run(
                """
                const data = new DataTransfer();
                data.items.add(new File([`\(content)`], "\(name)", {type: "application/json"}));
                for (const type of ["dragover", "drop"]) {
                  $("main").dispatchEvent(new DragEvent(
                    type, {dataTransfer: data, bubbles: true, cancelable: true}));
                }
                """
            )
        }

        @Test("lead from an empty home to a started game by clicks only")
        func clicks() throws {
            try Browser.onNewApp { browser, laptop in
                try laptop.run("people", "add", "Ann", "Bob", "Cem")
                try browser.wait(until: "words('main').includes('Welcome to ScoreSync')")
                try browser.click("main a[href='#new']")
                try browser.wait(until: "!!$('a[href=\"#new/darts\"]')")
                try browser.click("a[href='#new/darts']")
                try browser.press("Add Cem", "Add Ann", "Add Bob", "Move up Ann", "Bob is me")
                try browser.press("Remove Cem", "Add Cem")
                try browser.run(
                    """
                    const legs = $("[name=option-legs]");
                    legs.value = 3;
                    legs.dispatchEvent(new Event("change"));
                    """
                )
                try browser.press("Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                #expect(try seats(of: laptop) == ["Ann", "Bob", "Cem"])
                let session = try laptop.read(SessionReply.self, "session", "show").session
                #expect(session.game == "darts" && session.me == "Bob")
                #expect(session.options == ["legs": .integer(3)])
                try browser.run("history.go(-2);")
                try browser.wait(until: "words('main h2') === 'Played last'")
                #expect(try browser.words("a.tile b") == "Darts")
                #expect(try browser.complaints().isEmpty)
            }
        }

        @Test("lead from home to a started game by keyboard only")
        func keyboard() throws {
            try Browser.onNewApp { browser, laptop in
                try browser.tab(until: "focused.matches('main a[href=\"#new\"]')")
                try browser.type(enter)
                try browser.wait(until: "document.activeElement.type === 'search'")
                try browser.type("nectar")
                try browser.wait(until: "$$('a.tile').length === 1")
                #expect(try browser.words(".found") == "Row: Nectar forest")
                try browser.type(enter)
                try browser.wait(until: "words('h1') === 'Wingspan' && !!$('.seats')")
                try browser.tab(until: "focused.name === 'new-player'")
                try browser.type("Ann, Bob\(enter)")
                try browser.wait(until: "$$('.seats li').length === 2")
                try browser.type("ann\(enter)")
                try browser.wait(
                    until: "words('.lineup [role=alert]').startsWith('ann plays already')"
                )
                try browser.tab(until: "focused.name === 'option-oceania'")
                try browser.type(" ")
                try browser.tab(until: "focused.innerText === 'Start'")
                try browser.type(enter)
                try browser.wait(until: "location.hash.startsWith('#table/')")
                #expect(try seats(of: laptop) == ["Ann", "Bob"])
                let session = try laptop.read(SessionReply.self, "session", "show").session
                #expect(session.options == ["oceania": .boolean(true)])
            }
        }

        @Test("say what is wrong with the file of a game, and add it when it is right")
        func ownGame() throws {
            try Browser.onNewApp { browser, laptop in
                try browser.run("location.hash = '#new';")
                try browser.wait(until: "!!$('.drop') && !!$('a.tile')")
                let sheet = #"{"id": "pairs", "name": "Pairs", "rows": [ROW]}"#
                let row = #"{"id": "coins", "label": "Coins", "kind": "number"}"#
                try drop("bad.json", sheet.replacing("ROW", with: "{}"), in: browser)
                try browser.wait(until: "words('.drop [role=alert]').startsWith('bad.json: ')")
                #expect(try browser.words(".drop [role=alert]").contains("rows"))
                try drop("pairs.json", sheet.replacing("ROW", with: row), in: browser)
                try browser.press("Add “Pairs”")
                try browser.wait(until: "words('h1') === 'Pairs' && words('dt') === 'Coins'")
                #expect(try laptop.run("games").contains("Your games"))
                try browser.press("Remove this game")
                try browser.wait(until: "words('#dialog').includes('Remove “Pairs”')")
                try browser.press("Remove")
                try browser.wait(until: "location.hash === '#new' && !!$('a.tile')")
                #expect(try !laptop.run("games").contains("Your games"))
            }
        }

        @Test("say beside the players that there are too many, and why the game does not start")
        func tooMany() throws {
            try Browser.onNewApp { browser, laptop in
                try browser.run("location.hash = '#new/scythe';")
                let names = (1...6).map { "P\($0)" }.joined(separator: ",")
                try browser.fill("[name=new-player]", names + enter)
                try browser.wait(
                    until: "words('.count') === 'Scythe is for 1 to 5 players; 6 are chosen.'"
                )
                try browser.press("Start")
                try browser.wait(until: "words('.start [role=alert]').includes('invaders')")
                #expect(try browser.read("location.hash") == "#new/scythe")
                // The expansion admits more players.
                let invaders = "[name=option-invaders]"
                try browser.run("$('\(invaders)').scrollIntoView({ block: 'center' })")
                try browser.click(invaders)
                try browser.wait(until: "words('.count') === '6 players'")
                try browser.press("Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                #expect(try seats(of: laptop).count == 6)
            }
        }

        @Test("seat a computer, and put partners into teams")
        func computerAndTeams() throws {
            try Browser.onNewApp { browser, laptop in
                try browser.run("location.hash = '#new/reversi';")
                try browser.fill("[name=new-player]", "Ann" + enter)
                try browser.press("Add a computer", "Move up Computer", "Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                let players = try laptop.read(PlayersReply.self, "player", "list").items
                #expect(players.map(\.name) == ["Computer", "Ann"])
                #expect(players[0].computer?.depth == 5)
                try browser.run("location.hash = '#new/spades';")
                try browser.wait(until: "words('h1') === 'Spades'")
                try browser.fill("[name=new-player]", "Bob, Cem, Dee" + enter)
                try browser.press("Teams", "Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                let show = try laptop.read(ShowDocument.self, "show")
                #expect(show.players.map(\.team) == ["Team A", "Team B", "Team A", "Team B"])
            }
        }

        @Test("seat players by dragging and by chance, with motion or without")
        func order() throws {
            try Browser.onNewApp { browser, laptop in
                try browser.run("location.hash = '#new/rounds';")
                try browser.fill("[name=new-player]", "Ann, Bob, Cem" + enter)
                try browser.run(
                    """
                    const [first, , last] = $$(".seats li");
                    const drag = (node, type, clientY = 0) => node.dispatchEvent(new DragEvent(
                      type, {dataTransfer: new DataTransfer(), bubbles: true, clientY}));
                    drag(first, "dragstart");
                    drag(last, "dragover", last.getBoundingClientRect().bottom - 1);
                    drag(first, "dragend");
                    """
                )
                #expect(try browser.words(".seats").contains("1 Bob"))
                #expect(try browser.words(".lineup [role=status]") == "Bob, Cem, Ann")
                for motion in [true, false] {
                    try browser.emulate(.init(width: 1280, height: 800, showsMotion: motion))
                    try browser.run("$('.lineup [role=status]').textContent = '';")
                    try browser.press("Shuffle the seats")
                    try browser.wait(until: "words('.lineup [role=status]').includes(' starts: ')")
                }
                let shown: String = try browser.read("$('.lineup [role=status]').innerText")
                try browser.press("Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                let seats = try seats(of: laptop)
                #expect(shown == "\(seats[0]) starts: \(seats.joined(separator: ", "))")
                #expect(seats.sorted() == ["Ann", "Bob", "Cem"])
            }
        }

        @Test("join friends by their code in any writing")
        func join() throws {
            let host = try Laptop(playing: "rounds", "Ann")
            let code = try #require(try host.read(InviteReply.self, "session", "invite").code)
            let port = try host.read(StatusReply.self, "status").daemon.port
            try Browser.onNewApp { browser, laptop in
                let typed = code.lowercased().replacing("-", with: " ")
                try browser.fill("[name=code]", typed)
                try browser.click("summary")
                try browser.fill("[name=peer]", "127.0.0.1:\(port)" + enter)
                // Whoever sits here says who they are.
                try browser.wait(until: "words('#dialog-title') === 'Who are you?'")
                try browser.press("Ann")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                #expect(try seats(of: laptop) == ["Ann"])
                let sessions = try laptop.read(SessionListReply.self, "session", "list").items
                #expect(sessions.map { $0.me != nil } == [true])
            }
        }

        @Test("deal Smash Up from the sets that are ticked, and remember options for the next game")
        func sets() throws {
            try Browser.onNewApp { browser, laptop in
                try browser.run("location.hash = '#new/smash-up';")
                try browser.fill("[name=new-player]", "Ann, Bob" + enter)
                try browser.run(
                    """
                    const ticks = Object.fromEntries($$(".sets .tick").map((tick) =>
                      [tick.innerText, tick.querySelector("input")]));
                    ticks["Core Set"].click();
                    ticks["Munchkin"].click();
                    """
                )
                try browser.fill("[name=option-target]", "20" + tab)
                try browser.press("Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                #expect(try laptop.run("show").contains("Sets: 8 factions to deal from"))
                try browser.run("location.hash = '#new/smash-up';")
                try browser.wait(until: "$('[name=option-target]')?.value === '20'")
                try browser.press("Usual options")
                try browser.wait(until: "$('[name=option-target]').value === '15'")
            }
        }

        @Test("show live who leads, and play again with the same people")
        func home() throws {
            let laptop = try Laptop(playing: "rounds", "Ann", "Bob")
            try Browser.onApp(of: laptop) { browser in
                try browser.wait(until: "words('.now').includes('nothing entered yet')")
                try laptop.run("score", "Bob", "12")
                try browser.wait(until: "words('.now').includes('Rounds · Bob leads')")
                try browser.press("More for rounds", "Rename")
                try browser.fill("#dialog [name=title]", "Friday" + enter)
                try browser.wait(until: "words('.now h2') === 'Friday'")
                try laptop.run("session", "finish")
                try browser.wait(until: "words('.now').includes('Bob won')")
                try browser.press("Play again", "Start")
                try browser.wait(until: "location.hash.startsWith('#table/')")
                try browser.run("location.hash = '';")
                try browser.wait(until: "words('.now h2') === 'Friday 2'")
                try browser.wait(until: "words('main').includes('Today Friday Rounds · Bob won')")
                try browser.press("More for Friday 2", "Leave this game", "Leave")
                try browser.wait(until: "!words('main').includes('Friday 2')")
            }
        }

        @Test("say that nobody leads before the first leg is won")
        func noLeader() throws {
            let laptop = try Laptop(playing: "darts", "Ann", "Bob")
            try laptop.run("play", "60", "--darts", "3")
            try Browser.onApp(of: laptop) { browser in
                try browser.wait(until: "words('.now').includes('nobody leads yet · Bob to move')")
            }
        }

        @Test("say beside the code why nobody can be joined, and that ScoreSync is not running")
        func problems() throws {
            let laptop = try Laptop(playing: "rounds", "Ann", "Bob")
            try Browser.onApp(of: laptop) { browser in
                try browser.fill("[name=code]", "no code" + enter)
                try browser.wait(until: "words('form [role=alert]').length > 0")
                laptop.kill()
                try browser.wait(until: "words('main').includes('ScoreSync is not running')")
                try laptop.start("--no-discovery")
                try browser.wait(until: "words('.now').includes('nothing entered yet')")
                try browser.wait(until: "!words('main').includes('ScoreSync is not running')")
            }
        }

        @Test("fit a screen of 320 pixels")
        func narrow() throws {
            let laptop = try Laptop(playing: "rounds", "Ann", "Bob")
            let screen = Browser.Screen(width: 320, height: 568)
            try Browser.onApp(of: laptop, screen) { browser in
                for (hash, ready) in [
                    ("", ".now h2"), ("new", "a.tile"), ("new/wingspan", ".seats li"),
                    ("new/smash-up", ".sets"),
                ] {
                    try browser.run("location.hash = '#\(hash)';")
                    try browser.wait(until: "!!$('\(ready)')")
                    let width: Int = try browser.read("document.documentElement.scrollWidth")
                    #expect(width <= 320, "\(hash)")
                }
            }
        }
    }
}
