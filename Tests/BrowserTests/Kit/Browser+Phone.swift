import LaptopKit

extension Browser {
    /// Opens the page of Ann's phone, at a board of her laptop, where these people begin a game.
    static func onPhone(
        playing game: String,
        _ players: String...,
        options: String...,
        body: (Browser, Laptop) throws -> Void
    ) throws {
        let ann = try Laptop(playing: game, players, options: options)
        let board = try Board(of: ann, "--lan", "--enter")
        try open(.phone) { browser in
            try browser.openPhone(of: "Ann", at: board)
            try body(browser, ann)
        }
    }

    /// Opens a player's phone by the link that the board shows, and waits until it can enter.
    func openPhone(of name: String, at board: Board) throws {
        try visit(board.address)
        let link = "$$('#links a').find((link) => link.innerText.startsWith('\(name),'))"
        try wait(until: "!!\(link)")
        try visit(try read("\(link).href"))
        try wait(until: "words('#name') === '\(name)' && !$('#pad').hidden")
    }

    /// Waits until the phone's player has this and everything that was typed has its answer: the
    /// sheet is told at times before the submission is answered.
    func waitUntilAnswered(at own: String) throws {
        try wait(until: "words('#own').startsWith('\(own)') && $('#outbox').hidden")
    }

    /// Presses keys by what they are called, as a finger does.
    func press(_ names: String...) throws {
        for name in names {
            let called = "key.ariaLabel ?? (key.querySelector('.label') ?? key).textContent"
            let key = "$$('button').find((key) => key.offsetWidth && (\(called)) === '\(name)')"
            try wait(until: "!!\(key)")
            try run("\(key).click()")
        }
    }
}
