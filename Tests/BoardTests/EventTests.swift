import BoardKit
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import scoresync_board

@Suite("Event streams of a board")
struct EventTests {
    private let laptop: Laptop

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
    }

    private func total(_ show: ShowReply) -> [Points] { show.document.players.map(\.total) }

    @Test("start with a snapshot and then send each change")
    func changes() throws {
        try laptop.run("score", "Ann", "5")
        let board = try RunningBoard(laptop)
        let events = try EventStream(board)
        var show = try events.next("snapshot").decoded(as: ShowReply.self)
        #expect(total(show) == [5, 0])
        try laptop.run("score", "Bob", "7")
        while total(show) != [5, 7] {
            let event = try #require(try events.next())
            switch event.name {
            case "change": show.apply(try event.decoded(as: ShowChange.self))
            case "snapshot": show = try event.decoded(as: ShowReply.self)
            case "chart": _ = try event.decoded(as: ChartReply.self)
            default: Issue.record("unexpected: \(event.name)")
            }
        }
        #expect(show.document == (try laptop.read(ShowDocument.self, "show")))
    }

    @Test("contain names unchanged, with any characters")
    func names() throws {
        let name = "<script>alert(1)</script> \u{202E}👩‍👩‍👧"
        try laptop.run("player", "add", name)
        let board = try RunningBoard(laptop)
        let show = try EventStream(board).next("snapshot")
        #expect(try show.decoded(as: ShowReply.self).document.players.last?.name == name)
    }

    @Test("report a lost daemon, and send a snapshot when it is back")
    func away() throws {
        let board = try RunningBoard(laptop)
        let events = try EventStream(board)
        _ = try events.next("snapshot")
        laptop.kill()
        _ = try events.next("away")
        // A new page sees the last sheet, and that the daemon is away.
        let late = try EventStream(board)
        var names: [String] = []
        while names.last != "away" { names.append(try #require(try late.next()).name) }
        #expect(names.filter { $0 != "chart" } == ["snapshot", "away"])
        try laptop.start("--no-discovery")
        try laptop.run("score", "Ann", "5")
        for page in [events, late] {
            var show = try page.next("snapshot").decoded(as: ShowReply.self)
            while total(show) != [5, 0] {
                show.apply(try page.next("change").decoded(as: ShowChange.self))
            }
        }
    }

    @Test("continue with the current session if theirs was left, and wait if there is none")
    func left() throws {
        let board = try RunningBoard(laptop, "--enter")
        let events = try EventStream(board)
        _ = try events.next("links")
        try laptop.run("session", "leave", "--yes")
        _ = try events.next("away")
        try laptop.run("session", "new", "points", "--title", "Second", "--player", "Cem")
        let show = try events.next("snapshot").decoded(as: ShowReply.self)
        #expect(show.document.session.title == "Second")
        let links = try events.next("links").decoded(as: [RunningBoard.Link].self)
        #expect(links.map(\.name) == ["Cem"])
        #expect(board.isRunning)
    }

    @Test("name the code that hands a play over once it has ended, and the next one after a change")
    func play() throws {
        struct Play: Decodable { let path: String? }
        let board = try RunningBoard(laptop)
        let events = try EventStream(board)
        _ = try events.next("snapshot")
        #expect(try board.request("GET", board.root + "play.svg").status == 404)
        var pictures: [String] = []
        for score in ["5", "6"] {
            try laptop.run("score", "Ann", "round.1=\(score)")
            try laptop.run("session", "finish", "--yes")
            let path = try #require(try events.next("play").decoded(as: Play.self).path)
            let picture = try board.request("GET", board.root + path)
            #expect(picture.headers["content-type"] == "image/svg+xml")
            let link = try laptop.run("export", "--link").split(separator: "\n")[0]
            #expect(picture.body == QRCode(String(link))?.svg)
            pictures.append(picture.body)
            let late = try EventStream(board).next("play").decoded(as: Play.self)
            #expect(late.path == path)
            try laptop.run("session", "reopen")
            #expect(try events.next("play").decoded(as: Play.self).path == nil)
        }
        #expect(Set(pictures).count == 2)
    }

    @Test("send links to boards at first and after changes, and never to phones")
    func links() throws {
        let board = try RunningBoard(laptop, "--enter")
        let events = try EventStream(board)
        let links = try events.next("links").decoded(as: [RunningBoard.Link].self)
        #expect(links.map(\.name) == ["Ann", "Bob"])
        #expect(Set(links.map(\.path)).count == 2)
        let phone = try EventStream(board, links[1].path)
        let you = try #require(try phone.next())
        #expect(you.name == "you")
        #expect(try you.decoded(as: [String: String].self) == ["player": links[1].player])
        #expect(try phone.next()?.name == "snapshot")
        for board in [events, try EventStream(board)] {
            let links = try board.next("links").decoded(as: [RunningBoard.Link].self)
            #expect(links.map(\.opened) == [false, true])
        }
        try laptop.run("player", "remove", "Ann")
        try laptop.run("player", "add", "Cem")
        var after = links
        while after.map(\.name) != ["Bob", "Cem"] {
            after = try events.next("links").decoded(as: [RunningBoard.Link].self)
        }
        #expect(after[0].path == links[1].path && after[0].opened)
        #expect(try board.request("GET", links[0].path).status == 410)
        #expect(try phone.next()?.name == "snapshot")
    }
}
