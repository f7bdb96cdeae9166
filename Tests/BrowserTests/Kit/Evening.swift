import Foundation
import LaptopKit
import Testing

/// An evening at one laptop, whose app is used from its first page on by clicks and keys alone.
struct Evening {
    let laptop: Laptop
    let app: App
    let browser: Browser

    /// Opens the app of a new laptop, and expects no complaints of its page.
    init(_ browser: Browser) throws {
        laptop = try Laptop("kitchen")
        try laptop.start("--no-discovery")
        app = try App(of: laptop)
        self.browser = browser
        try browser.open(app)
    }

    /// Spends an evening in a new browser.
    static func spend(_ body: (Evening) throws -> Void) throws {
        try Browser.open { browser in
            let evening = try Evening(browser)
            try body(evening)
            #expect(try browser.complaints() == [])
        }
    }

    /// Chooses a game and who plays; the first one plays at this laptop.
    func choose(_ game: String, _ players: String...) throws {
        try browser.click("main a[href='#new']")
        try browser.wait(until: "!!$('a[href=\"#new/\(game)\"]')")
        try browser.click("a[href='#new/\(game)']")
        try browser.wait(until: "!!$('input[name=new-player]')")
        for player in players {
            try browser.click("input[name=new-player]")
            try browser.type(player + Keys.enter)
            try browser.wait(until: "words('.seats').includes('\(player)')")
        }
        try browser.tap("\(players[0]) is me")
    }

    /// Starts the game that was chosen.
    func start() throws {
        try browser.tap("Start")
        try browser.wait(until: "/^#table\\/\\w{32}$/.test(location.hash) && !$('#pad').hidden")
    }

    /// Opens a phone by the code that all scan, which says whose it is.
    func joinByPhone(as player: String, _ body: (Browser) throws -> Void) throws {
        let address = try app.joiningAddress()
        try Browser.open(.phone) { phone in
            try phone.visit(address)
            try phone.tap(player)
            try phone.wait(until: "words('#name') === '\(player)' && !$('#pad').hidden")
            try body(phone)
        }
    }

    /// Waits for the end of the game, with this sentence about the winner.
    func celebrate(_ sentence: String) throws {
        try browser.wait(until: "words('#ceremony-title') === '\(sentence)'")
    }

    /// Plays again; `wishes` are selectors of what is clicked before.
    func playAgain(_ wishes: String...) throws {
        let before: String = try browser.read("location.hash")
        try browser.tap("Play again")
        for wish in wishes { try browser.click(wish) }
        try browser.tap("Start")
        try browser.wait(until: "location.hash !== '\(before)' && $('#ceremony').hidden")
    }

    /// Opens the results and statistics of a game, and returns their text.
    func results(of game: String) throws -> String {
        try browser.click("nav a[href='#results']")
        try browser.wait(until: "!!$('main a[href=\"#results/\(game)\"]')")
        try browser.click("main a[href='#results/\(game)']")
        try browser.wait(until: "!!$('main select')")
        return try browser.words("main")
    }
}

extension Browser {
    /// Takes the laptop of an app offline, or back online, and goes on with the game.
    func toggleOffline() throws {
        let box = "$('main [role=switch]')"
        try click("nav a[href='#settings']")
        try wait(until: "\(box)?.parentElement.textContent === 'Offline'")
        let wasOffline: Bool = try read("\(box).checked")
        try click("main [role=switch]")
        try wait(until: "\(box).checked !== \(wasOffline) && !\(box).disabled")
        try click("nav a[href='#']")
        try wait(until: "!!$('.now a.primary')")
        try click(".now a.primary")
        try wait(until: "!$('#pad').hidden")
    }

    /// Presses Tab until the element with the focus, `focused`, fulfills a condition.
    func tab(until condition: String) throws {
        for _ in 0..<60 {
            try type(Keys.tab)
            if try read("((focused) => !!(\(condition)))(document.activeElement)") { return }
        }
        throw Failure("Tab does not lead to \(condition)")
    }
}

/// Codes of WebDriver for keys without a character.
enum Keys {
    static let (enter, tab, escape) = ("\u{E007}", "\u{E004}", "\u{E00C}")
    static let (left, up, right, down) = ("\u{E012}", "\u{E013}", "\u{E014}", "\u{E015}")
}
