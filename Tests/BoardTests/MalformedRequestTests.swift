import BoardKit
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

// Needs real time: a board of slow browsers must answer within a time limit.

@Suite("Malformed requests of a board", .serialized)
struct MalformedRequestTests {
    private let laptop: Laptop
    private let board: RunningBoard
    private let path: String

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery", "--log-level", "error")
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        board = try RunningBoard(laptop, "--enter")
        path = try #require(try board.links()["Ann"]).path
    }

    /// A request of which each line can be given twice.
    private func request(_ lines: [String], _ body: String) -> String {
        (["POST \(path)enter HTTP/1.1"] + lines + ["", body]).joined(separator: "\r\n")
    }

    private func lines(_ body: String) -> [String] {
        [
            "Host: 127.0.0.1:\(board.port)", "Origin: http://127.0.0.1:\(board.port)",
            "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
    }

    private func submission(_ id: Int) -> String {
        let digits = String(id, radix: 16)
        let zeros = String(repeating: "0", count: 16 - digits.count)
        return #"{"id":"\#(zeros)\#(digits)","words":["7"]}"#
    }

    private func status(of text: String) throws -> Int? {
        let connection = try BrowserConnection(board.port)
        connection.send(text)
        return try connection.response()?.status
    }

    @Test("A header that is repeated, in any spelling and even with the same value, is refused")
    func repeated() throws {
        let body = submission(1)
        for (index, line) in lines(body).enumerated() {
            for other in [line, line.uppercased(), line.split(separator: ":")[0] + ": x"] {
                for isFirst in [true, false] {
                    var lines = lines(body)
                    lines.insert(other, at: isFirst ? 0 : index + 1)
                    #expect(try status(of: request(lines, body)) == 400, "\(lines)")
                }
            }
        }
        #expect(try laptop.read(HistoryReply.self, "history").items.isEmpty)
        #expect(try status(of: request(lines(body), body)) == 200)
    }

    @Test("Hundreds of slow browsers, each sending and reading byte by byte, delay no score")
    func slow() throws {
        let events = try EventStream(board)
        _ = try events.next("snapshot")
        let text = Array("GET \(board.root)board.js HTTP/1.1\r\nX: 1\r\nY: 2\r\n".utf8)
        let slow = try (0..<300).map { number in
            let connection = try BrowserConnection(board.port, receiveBytes: 2_048)
            if number % 3 == 0 { connection.request("GET", board.root + "events", board.headers) }
            return connection
        }
        var slowest = Duration.zero
        for round in 1...40 {
            for (number, connection) in slow.enumerated() where number % 3 != 0 {
                connection.send([text[min(round, text.count) - 1]])
            }
            let start = ContinuousClock.now
            try laptop.run("score", "Bob", "round.\(round)=1")
            var total: Points?
            while total != Points(Int64(round)) {
                let change = try events.next("change").decoded(as: ShowChange.self)
                total = change.document.players?.compactMap(\.total).last ?? total
            }
            #expect(try board.request("GET", board.root).status == 200)
            slowest = max(slowest, ContinuousClock.now - start)
        }
        // It takes milliseconds, but the machine may be busy.
        #expect(slowest < .seconds(3), "\(slowest)")
    }
}
