import BoardKit
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@Suite("Phones at a board")
struct PhoneTests {
    private let laptop: Laptop

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
    }

    /// The response to a submission.
    private struct Reply<Content: Decodable>: Decodable {
        let reply: Content?
        let known: Bool?
    }

    /// The response to a rejected submission.
    private struct Refused: Decodable {
        let error: Reason

        struct Reason: Decodable {
            let kind: String
            let message: String
        }
    }

    private func totals() throws -> [Points] {
        try laptop.read(ShowDocument.self, "show").players.map(\.total)
    }

    @Test("enter scores for their player, once for each id, and undo the last entry")
    func submissions() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        let board = try RunningBoard(laptop, "--enter")
        let path = try #require(try board.links()["Bob"]).path
        let body = #"{"id":"00000000000000a1","words":["7"]}"#
        let first = try board.post(path + "enter", body)
        #expect(first.status == 200)
        let written = try first.decoded(as: Reply<WrittenReply>.self)
        #expect(written.known != true)
        #expect(written.reply?.player == "Bob")
        #expect(written.reply?.total == 7)
        let second = try board.post(path + "enter", body).decoded(as: Reply<WrittenReply>.self)
        #expect(second.known == true && second.reply == nil)
        #expect(try totals() == [0, 7])
        #expect(try laptop.run("history").contains("ann-laptop, by phone"))
        let undo = #"{"id":"00000000000000a2"}"#
        #expect(try board.post(path + "undo", undo).status == 200)
        let again = try board.post(path + "undo", undo).decoded(as: Reply<WrittenReply>.self)
        #expect(again.known == true)
        #expect(try totals() == [0, 0])
        let nothing = try board.post(path + "undo", #"{"id":"00000000000000a3"}"#)
        #expect(nothing.status == 422)
    }

    @Test("enter nothing twice when the board and the daemon restart")
    func restarts() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let body = #"{"id":"00000000000000b1","words":["7"]}"#
        for known in [false, true] {
            let board = try RunningBoard(laptop, "--enter")
            let path = try #require(try board.links()["Ann"]).path
            let answer = try board.post(path + "enter", body)
            #expect(try answer.decoded(as: Reply<WrittenReply>.self).known == known)
            laptop.kill()
            let away = try board.post(path + "enter", body)
            #expect(away.status == 503)
            #expect(away.headers["retry-after"] == "1")
            #expect(try away.decoded(as: Refused.self).error.kind == "no-daemon")
            try laptop.start("--no-discovery")
        }
        #expect(try totals() == [7])
    }

    @Test("get the messages of the rules, and cannot enter scores of others")
    func refusals() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        let board = try RunningBoard(laptop, "--enter")
        let path = try #require(try board.links()["Ann"]).path
        for (words, text) in [
            (#"["Bob","7"]"#, "“Bob” is not a score. This phone enters scores for Ann only"),
            (#"["Bob=7"]"#, "there is no row “Bob”"), (#"["--session=x"]"#, "no row"),
            (#"["round.0=7"]"#, "round"), (#"[""]"#, "is not a score"), (#"["round.1=x"]"#, "x"),
        ] {
            let body = #"{"id":"00000000000000c1","words":WORDS}"#.replacing("WORDS", with: words)
            let answer = try board.post(path + "enter", body)
            #expect(answer.status == 422, "\(words)")
            let message = try answer.decoded(as: Refused.self).error.message
            #expect(message.contains(text), "\(words): \(message)")
        }
        #expect(try board.post(path + "enter", "{}").status == 400)
        #expect(try totals() == [0, 0])
        #expect(try !laptop.run("history").contains("phone"))
    }

    @Test("enter scores only in games that the board has shown")
    func sessions() throws {
        try laptop.run("session", "new", "rounds", "--title", "First", "--player", "Ann")
        let first = try laptop.read(ShowDocument.self, "show").session.id
        try laptop.run("session", "new", "--again", "--yes", "--title", "Second")
        let second = try laptop.read(ShowDocument.self, "show").session.id
        try laptop.run("session", "reopen", "First")
        let board = try RunningBoard(laptop, "Second", "--enter")
        let path = try #require(try board.links()["Ann"]).path
        // The player is the same in both.
        for (session, status) in [(first, 422), ("First", 422), ("", 422), (second, 200)] {
            let body = #"{"id":"00000000000000f1","words":["7"],"session":"WHICH"}"#
            let answer = try board.post(path + "enter", body.replacing("WHICH", with: session))
            #expect(answer.status == status, "\(session)")
        }
        #expect(try laptop.read(ShowDocument.self, "show", "First").players.map(\.total) == [0])
    }

    /// Starts a game in which Ann plays, and a board that lets phones in; returns Ann's link.
    private func firstGame() throws -> (id: String, board: RunningBoard, link: RunningBoard.Link) {
        try laptop.run("session", "new", "rounds", "--title", "First", "--player", "Ann")
        let id = try laptop.read(ShowDocument.self, "show").session.id
        let board = try RunningBoard(laptop, "--enter")
        return (id, board, try #require(try board.links()["Ann"]))
    }

    /// Enters 5 in the first game, which is shown no longer.
    private func enterLate(in first: String, by path: String, of board: RunningBoard) throws {
        let late = #"{"id":"00000000000000b3","words":["5"],"session":"\#(first)"}"#
        #expect(try board.post(path + "enter", late).status == 200)
        #expect(try laptop.read(ShowDocument.self, "show", "First").players.map(\.total) == [5])
    }

    @Test("keep their links in the next game, and submit to the game in which they typed")
    func evening() throws {
        let (first, board, link) = try firstGame()
        let path = link.path
        let phone = try EventStream(board, path)
        _ = try phone.next("snapshot")
        try laptop.run("session", "new", "--again", "--yes", "--title", "Second")
        var title = ""
        while title != "Second" {
            let show = try phone.next("snapshot").decoded(as: ShowReply.self)
            title = show.document.session.title
        }
        // The board asks for the players after the snapshot; the first game accepts nothing more.
        try eventually(within: .seconds(10), "a submission in the second game") {
            let body = #"{"id":"00000000000000b2","words":["7"]}"#
            _ = try board.post(path + "enter", body)
            return try laptop.read(ShowDocument.self, "show", "Second").players[0].total == 7
        }
        try laptop.run("session", "reopen", "First")
        try enterLate(in: first, by: path, of: board)
        #expect(try laptop.read(ShowDocument.self, "show", "Second").players.map(\.total) == [7])
    }

    @Test("go along to another game under their name, and submit to the earlier one, too")
    func otherGame() throws {
        let (first, board, link) = try firstGame()
        let phone = try EventStream(board, link.path)
        let events = try EventStream(board)
        #expect(try phone.next("you").data.contains(link.player))
        let players = ["--player", "Bob", "--player", "Ann"]
        try laptop.run(["session", "new", "points", "--title", "Second"] + players)
        var you = link.player
        while you == link.player {
            let data = try phone.next("you").decoded(as: [String: String].self)
            you = data["player"] ?? ""
        }
        let second = try laptop.read(ShowDocument.self, "show").players
        #expect(you == second.last?.id && second.last?.name == "Ann")
        var title = ""
        while title != "Second" {
            title = try events.next("snapshot").decoded(as: ShowReply.self).document.session.title
        }
        let now = #"{"id":"00000000000000c1","words":["9"]}"#
        #expect(try board.post(link.path + "enter", now).status == 200)
        try enterLate(in: first, by: link.path, of: board)
        #expect(
            try laptop.read(ShowDocument.self, "show", "Second").players.map(\.total) == [0, 9]
        )
    }

    @Test("submit to the game in which they took part while they are in none that is shown")
    func leftBehind() throws {
        let (first, board, link) = try firstGame()
        let events = try EventStream(board)
        try laptop.run("session", "new", "rounds", "--title", "Second", "--player", "Bob")
        while try events.next("links").decoded(as: [RunningBoard.Link].self).map(\.name) != ["Bob"]
        {}
        #expect(try EventStream(board, link.path).next("you").data.contains(link.player))
        let now = #"{"id":"00000000000000d1","words":["9"]}"#
        #expect(try board.post(link.path + "enter", now).status == 410)
        try enterLate(in: first, by: link.path, of: board)
    }

    @Test("keep their links when the board restarts, until new ones are asked for")
    func keptLinks() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        func opened(_ flags: String...) throws -> (root: String, links: [String], opened: [Bool]) {
            let board = try RunningBoard(laptop, ["--enter"] + flags)
            let links = try board.links().sorted { $0.key < $1.key }.map(\.value)
            let first = try #require(links.first)
            if flags.isEmpty { _ = try EventStream(board, first.path).next("you") }
            _ = try board.end(by: 2)
            return (board.root, links.map(\.path), links.map(\.opened))
        }
        let first = try opened()
        let second = try opened()
        #expect(second.root == first.root && second.links == first.links)
        #expect(first.opened == [false, false] && second.opened == [true, false])
        let renewed = try opened("--new-links")
        #expect(renewed.root != first.root && renewed.opened == [false, false])
        #expect(Set(renewed.links).isDisjoint(with: first.links))
    }

    @Test("lead without their slash to the page, and errors of opened pages are pages")
    func addresses() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let board = try RunningBoard(laptop, "--enter")
        let link = try #require(try board.links()["Ann"])
        for path in [link.path, board.root] {
            let answer = try board.request("GET", String(path.dropLast()))
            #expect((answer.status, answer.headers["location"]) == (308, path))
        }
        let opening = ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none"]
        let wrong = "/" + String(repeating: "0", count: 32)
        for (headers, status) in [(opening, 404), (opening.merging(["Host": "x"]) { $1 }, 421)] {
            let answer = try board.request("GET", wrong, headers)
            #expect(answer.status == status)
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            #expect(answer.body.contains("<h1>ScoreSync</h1>"))
        }
        let program = try board.request("GET", wrong)
        #expect(try program.decoded(as: Refused.self).error.kind == "not-found")
        #expect(try board.request("GET", "/help.css").status == 200)
    }

    @Test("have no links on a board that is only looked at")
    func viewers() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        var path = ""
        do { path = try #require(try RunningBoard(laptop, "--enter").links()["Ann"]).path }
        let board = try RunningBoard(laptop)
        let events = try EventStream(board)
        var names: [String] = []
        // A score before the first sheet would be part of it.
        while names.last != "snapshot" { names.append(try #require(try events.next()).name) }
        try laptop.run("score", "Ann", "5")
        while names.last != "change" { names.append(try #require(try events.next()).name) }
        #expect(!names.contains("links"))
        #expect(try board.request("GET", path).status == 404)
        #expect(try board.post(path + "enter", "{}").status == 404)
    }

    @Test("are limited in rate")
    func rate() throws {
        try laptop.run("session", "new", "points", "--player", "Ann")
        let board = try RunningBoard(laptop, "--enter")
        let path = try #require(try board.links()["Ann"]).path
        let body = #"{"id":"00000000000000d1","words":["7"]}"#
        let answers = try (0..<40).map { _ in try board.post(path + "enter", body) }
        let slow = try #require(answers.first { $0.status != 200 })
        #expect(slow.status == 429)
        #expect(slow.headers["retry-after"] == "1")
        #expect(answers.count { $0.status == 200 } >= 20)
    }

    @Test("play moves on their turn, and undo them")
    func darts() throws {
        try laptop.run("session", "new", "darts", "--player", "Ann", "--player", "Bob")
        let board = try RunningBoard(laptop, "--enter")
        let links = try board.links()
        let (ann, bob) = (try #require(links["Ann"]).path, try #require(links["Bob"]).path)
        func move(_ id: String, _ words: String, _ path: String) throws -> BoardResponse {
            let body = #"{"id":"ID","move":["WORDS"],"details":{"darts":"3"}}"#
            return try board.post(
                path + "enter",
                body.replacing("ID", with: id).replacing("WORDS", with: words)
            )
        }
        let early = try move("00000000000000e1", "60", bob)
        #expect(early.status == 422)
        let expected = try laptop.attempt("play", "60", "--player", "Bob", "--darts", "3").errors
        let message = try early.decoded(as: Refused.self).error.message
        #expect(expected.contains(message), "\(expected): \(message)")
        let visit = try move("00000000000000e1", "60", ann).decoded(as: Reply<PlayReply>.self)
        #expect(visit.reply?.turn == "Bob")
        #expect(try move("00000000000000e2", "179", bob).status == 422)
        #expect(try move("00000000000000e3", "45", bob).status == 200)
        let hole = try board.post(ann + "undo", #"{"id":"00000000000000e4"}"#)
        #expect(hole.status == 422)
        #expect(try hole.decoded(as: Refused.self).error.message.contains("has moved since"))
        #expect(try board.post(bob + "undo", #"{"id":"00000000000000e5"}"#).status == 200)
        #expect(try board.post(ann + "undo", #"{"id":"00000000000000e6"}"#).status == 200)
        let show = try laptop.read(ShowDocument.self, "show")
        #expect(show.turn == links["Ann"]?.player)
        #expect(show.players.flatMap(\.cells).allSatisfy { $0.value == .null })
    }
}
