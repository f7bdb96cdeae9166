import BoardKit
import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

// Needs real time: other clients must be served within a time limit.

@Suite("Strangers at a board", .serialized)
struct StrangerTests {
    private let laptop: Laptop

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
    }

    private func client() throws -> ControlClient {
        try ControlClient(path: laptop.home + "/control.sock", client: "test")
    }

    /// The first player of a snapshot.
    private struct Sheet: Decodable {
        let document: Document
        var name: String? { document.players.first?.name }

        struct Document: Decodable { let players: [Player] }

        struct Player: Decodable { let name: String }
    }

    @Test("that stall 300 connections in every way slow down no page, score or phone")
    func stalled() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        let board = try RunningBoard(laptop, "--enter")
        let events = try EventStream(board)
        _ = try events.next("snapshot")
        let path = try #require(try board.links()["Ann"]).path
        var stalled: [BrowserConnection] = []
        for number in 0..<300 {
            let connection = try BrowserConnection(board.port, receiveBytes: 2048)
            switch number % 6 {
            case 0: break
            case 1: connection.send("GET \(board.root) HTT")
            case 2:
                connection.send("GET \(board.root) HTTP/1.1\r\nHost: 127.0.0.1:\(board.port)\r\n")
            case 3: connection.request("GET", board.root + "board.js", board.headers)
            case 4: connection.request("GET", board.root + "events", board.headers)
            default:
                var headers = board.headers
                headers["Content-Type"] = "application/json"
                headers["Content-Length"] = "4000"
                connection.request("POST", path + "enter", headers)
            }
            stalled.append(connection)
        }
        let start = ContinuousClock.now
        #expect(try board.request("GET", board.root).status == 200)
        let body = #"{"id":"00000000000000a1","words":["7"]}"#
        #expect(try board.post(path + "enter", body).status == 200)
        let change = try events.next("change").decoded(as: ShowChange.self)
        #expect(change.document.players?.first?.total == 7)
        // It takes milliseconds, but the machine may be busy.
        #expect(ContinuousClock.now - start < .seconds(2))
        withExtendedLifetime(stalled) {}
    }

    @Test("that send no request displace only each other")
    func idle() throws {
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let board = try RunningBoard(laptop)
        let events = try EventStream(board)
        _ = try events.next("snapshot")
        let idle = try (0..<230).map { _ in try BrowserConnection(board.port) }
        #expect(try idle[0].isClosed())
        #expect(try idle[29].isClosed())
        let last = try #require(idle.last)
        last.request("GET", board.root, board.headers)
        #expect(try last.response()?.status == 200)
        try laptop.run("score", "Ann", "7")
        _ = try events.next("change")
    }

    @Test("that read no events are disconnected, and others get each event in time")
    func slow() throws {
        let names = (1...40).map { "Player \($0)" }
        try laptop.run(["session", "new", "rounds"] + names.flatMap { ["--player", $0] })
        let client = try client()
        for name in names {
            let words = [name] + (1...15).map { "\($0 * 1000)" }
            _ = try client.call(.score, .init(words: words))
        }
        let board = try RunningBoard(laptop)
        let reader = try EventStream(board)
        _ = try reader.next("snapshot")
        let slow = try (0..<10).map { _ in try EventStream(board, receiveBytes: 2048) }
        // Each new name brings a snapshot, and they exceed the queue of a page.
        for number in 0..<20 {
            let name = "Player 1.\(number)"
            _ = try client.call(.renamePlayer, .init(player: "Player 1", name: name))
            _ = try client.call(.renamePlayer, .init(player: name, name: "Player 1"))
            var shown: String?
            while shown != name { shown = try reader.next("snapshot").decoded(as: Sheet.self).name }
        }
        for page in slow { #expect(try page.connection.isClosed()) }
        try laptop.run("score", "Player 1", "7")
        _ = try reader.next("change")
    }
}
