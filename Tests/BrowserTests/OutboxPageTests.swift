import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("A phone's outbox")
    struct OutboxPageTests {
        @Test(
            "an undo of an item that is then rejected is removed with it, and undoes nothing else"
        )
        func undoOfRefused() throws {
            try Browser.onPhone(playing: "wingspan", "Ann") { browser, ann in
                try browser.press("5", "Enter")
                try browser.waitUntilAnswered(at: "5")
                try browser.holdSubmissions()
                try browser.press("minus", "5", "Enter", "Undo")
                try browser.wait(until: "$$('#outbox li').length === 2")
                try browser.run("release()")
                try browser.wait(until: "$('#outbox [role=alert]')")
                #expect(try browser.read("$$('#outbox li').length === 1"))
                try browser.press("Discard")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try ann.cells(of: "Ann") == ["birds=5"])
                try browser.press("Undo")
                try browser.wait(until: "words('#told') === 'Undone.'")
                #expect(try ann.cells(of: "Ann") == [])
            }
        }

        @Test("two undos after a submission in flight undo it and the one before")
        func twoUndos() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.press("1", "1", "Enter")
                try browser.waitUntilAnswered(at: "11")
                try browser.press("2", "2", "Enter")
                try browser.waitUntilAnswered(at: "33")
                try browser.holdSubmissions()
                // An entry that never left the phone is only removed from it.
                try browser.press("4", "4", "Enter", "5", "5", "Enter", "Undo", "Undo", "Undo")
                try browser.wait(until: "$$('#outbox li').length === 3")
                try browser.run("release()")
                try browser.waitUntilAnswered(at: "11")
                #expect(try ann.cells(of: "Ann") == ["round.1=11"])
            }
        }

        @Test("a confirmed entry stays in its row until the sheet shows it")
        func confirmed() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.holdEvents()
                try browser.visit(try browser.read("location.href"))
                try browser.wait(until: "words('#pad-title') === 'Round 1'")
                try browser.run("window.held = []")
                try browser.press("7", "Enter")
                try browser.wait(until: "words('#told') === 'Round 1: 7.'")
                try browser.wait(until: "$('#outbox').hidden")
                #expect(try browser.words("#pad-title") == "Round 2")
                #expect(try browser.words("#rows li") == "Round 1 7 …")
                try browser.press("Undo")
                try browser.wait(until: "words('#told') === 'Undone.'")
                try browser.wait(until: "words('#pad-title') === 'Round 1'")
                try browser.press("8", "Enter")
                try browser.wait(until: "words('#rows li') === 'Round 1 8 …'")
                try browser.run("const events = held; held = null; for (const one of events) one()")
                try browser.waitUntilAnswered(at: "8")
                #expect(try browser.words("#rows li") == "Round 1 8")
                #expect(try ann.cells(of: "Ann") == ["round.1=8"])
            }
        }

        @Test("an entry for an earlier game leaves the rows of the next one alone")
        func elsewhere() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("7", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Round 2'")
                try ann.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
                try browser.wait(until: "words('#pad-title') === 'Round 1'")
                try browser.run("release()")
                try browser.wait(until: "words('#told') === 'Round 1: 7.'")
                #expect(try browser.words("#pad-title") == "Round 1")
                #expect(try browser.words("#rows li") == "Round 1 –")
                #expect(try browser.complaints() == [])
            }
        }

        @Test("an entry arrives although its player is not in the next game")
        func leftBehind() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("7", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Round 2'")
                let first = try ann.read(ShowDocument.self, "show").session.id
                try ann.run("session", "new", "rounds", "--player", "Bob")
                try browser.wait(until: "words('#turn') === 'You are not playing in this game.'")
                try browser.visit(try browser.read("location.href"))
                try browser.wait(until: "words('#turn') === 'You are not playing in this game.'")
                try browser.wait(until: "$('#outbox').hidden")
                let sheet = try ann.read(ShowDocument.self, "show", first)
                #expect(sheet.players.flatMap(\.cells).map { "\($0.value)" } == ["7"])
            }
        }

        @Test("an entry that a closed page left arrives, although the next game has begun")
        func closedPage() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                let page: String = try browser.read("location.href")
                try browser.holdSubmissions()
                try browser.press("7", "Enter")
                try browser.wait(until: "words('#pad-title') === 'Round 2'")
                let first = try ann.read(ShowDocument.self, "show").session.id
                try browser.visit("about:blank")
                try ann.run("session", "new", "rounds", "--player", "Bob", "--player", "Ann")
                try browser.visit(page)
                try browser.wait(until: "words('#told') === 'Round 1: 7.'")
                let sheet = try ann.read(ShowDocument.self, "show", first)
                #expect(sheet.players.flatMap(\.cells).map { "\($0.value)" } == ["7"])
            }
        }

        @Test("the response of a captive portal is not mistaken for the board's")
        func portal() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.run(
                    """
                    const real = window.fetch;
                    const answers = [
                      new Response('<p>Welcome'), Response.json({ error: 'no' }, { status: 410 }),
                    ];
                    window.fetch = async (...call) => answers.shift() ?? real(...call);
                    """
                )
                try browser.press("7", "Enter")
                try browser.waitUntilAnswered(at: "7")
                #expect(try browser.read("$('#away').hidden"))
                #expect(try ann.cells(of: "Ann") == ["round.1=7"])
            }
        }

        @Test("works in older browsers")
        func olderBrowser() throws {
            let ann = try Laptop(playing: "rounds", "Ann")
            let board = try Board(of: ann, "--lan", "--enter")
            try Browser.open(.phone) { browser in
                try browser.prepare("delete AbortSignal.timeout; delete Intl.Segmenter;")
                try browser.openPhone(of: "Ann", at: board)
                try browser.press("7", "Enter")
                try browser.waitUntilAnswered(at: "7")
                try browser.visit(board.address)
                try browser.wait(until: "$('#chart .end').textContent.includes('Ann')")
            }
        }

        @Test("sends items that do not fit into storage, and stores no stale ones")
        func fullStorage() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.press("1", "1", "Enter")
                try browser.waitUntilAnswered(at: "11")
                try browser.run(
                    """
                    Storage.prototype.setItem = () => {
                      throw new DOMException('full', 'QuotaExceededError');
                    };
                    """
                )
                try browser.press("2", "2", "Enter")
                try browser.waitUntilAnswered(at: "33")
                try browser.press("3", "3", "Enter")
                try browser.waitUntilAnswered(at: "66")
                #expect(try ann.cells(of: "Ann") == ["round.1=11", "round.2=22", "round.3=33"])
            }
        }

        @Test("waiting items are sent when an invalid link is valid again")
        func restored() throws {
            try Browser.onPhone(playing: "rounds", "Ann", "Bob") { browser, ann in
                try browser.holdSubmissions()
                try browser.press("7", "Enter")
                try ann.run("player", "remove", "Ann")
                try browser.wait(until: "words('#turn') === 'You are not playing in this game.'")
                try browser.run("release()")
                try browser.wait(until: "words('#away').startsWith('You are not in the game')")
                try ann.run("player", "restore", "Ann")
                try browser.waitUntilAnswered(at: "7")
                #expect(try browser.read("$('#away').hidden && !$('#pad').hidden"))
                #expect(try ann.cells(of: "Ann") == ["round.1=7"])
            }
        }

        @Test("items of another page of the player are sent too, and not overwritten")
        func twoPages() throws {
            try Browser.onPhone(playing: "rounds", "Ann") { browser, ann in
                try browser.press("1", "1", "Enter")
                try browser.waitUntilAnswered(at: "11")
                try browser.run(
                    """
                    const place = Object.keys(localStorage)
                      .find((key) => key.startsWith('scoresync.outbox.'));
                    localStorage.setItem(place, JSON.stringify([{
                      id: '00000000000000a1', path: 'enter', label: 'Round 3: 22',
                      body: { words: ['round.3=22'] },
                    }]));
                    """
                )
                try browser.press("3", "3", "Enter")
                try browser.waitUntilAnswered(at: "66")
                let cells = try ann.cells(of: "Ann")
                #expect(cells == ["round.1=11", "round.2=33", "round.3=22"])
            }
        }
    }
}

extension Browser {
    /// Keeps what the page sends until it runs `release()`.
    func holdSubmissions() throws {
        try run(
            """
            const real = window.fetch;
            const held = new Promise((release) => { window.release = release; });
            window.fetch = async (...call) => {
              await held;
              return real(...call);
            };
            """
        )
    }

    /// Lets the next pages keep the events of the board in `held` while that is an array.
    fileprivate func holdEvents() throws {
        try prepare(
            """
            // Pages without shared workers receive their events themselves.
            window.SharedWorker = undefined;
            window.held = null;
            const { addEventListener: add } = EventSource.prototype;
            EventSource.prototype.addEventListener = function (name, receive) {
              add.call(this, name, (event) => {
                if (held) held.push(() => receive(event));
                else receive(event);
              });
            };
            """
        )
    }
}
