import BoardKit
import FoundationEssentials
import LaptopKit
import SyncProtocol
import SyncTestKit
import Testing

// Needs real time: a board closes what does not end within a limit, which is short here.

@Suite("Random requests of a board", .serialized, .timeLimit(.minutes(10)))
struct RandomRequestTests {
    /// The limit of the board, in seconds, and the one that a busy machine adds.
    private static let (limit, slack) = (1, 8)

    private let laptop: Laptop
    private let board: RunningBoard
    private let path: String

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery", "--log-level", "error")
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        let variable = "SCORESYNC_TEST_BOARD_SECONDS=\(Self.limit)"
        board = try RunningBoard(laptop, ["--enter"], adding: [variable])
        path = try #require(try board.links()["Ann"]).path
    }

    /// The text of a request, with a body of this length if it is not empty.
    private func request(_ line: String, _ extra: [String] = [], _ body: String = "") -> String {
        var lines = ["\(line) HTTP/1.1", "Host: 127.0.0.1:\(board.port)"] + extra
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        return (lines + ["", body]).joined(separator: "\r\n")
    }

    private var postHeaders: [String] {
        ["Origin: http://127.0.0.1:\(board.port)", "Content-Type: application/json"]
    }

    /// A score of a phone; the number is the one that a retry repeats.
    private func submission(_ number: Int, value: Int = 7) -> String {
        let digits = String(number, radix: 16)
        let id = String(repeating: "0", count: 16 - digits.count) + digits
        let body = #"{"id":"\#(id)","words":["\#(value)"]}"#
        return request("POST \(path)enter", postHeaders, body)
    }

    /// Any request, damaged.
    private func malformed(_ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let chunked = postHeaders + ["Transfer-Encoding: chunked"]
        let samples = [
            request("GET \(board.root)"), request("GET \(path)"), request("GET /"),
            request("HEAD \(board.root)board.js"), request("PUT \(path)enter"),
            request("OPTIONS *"), request("POST \(path)undo", postHeaders, "{}"),
            request("POST \(path)enter", chunked) + "2\r\n{}\r\n0\r\n\r\n",
            request("GET \(board.root)", ["X: " + String(repeating: "x", count: 30_000)]),
            request("POST \(path)enter", postHeaders, String(repeating: "[", count: 4_000)),
        ]
        let text = random.happens(60) ? submission(number) : random.pick(samples) ?? ""
        return random.damaged(Array(text.utf8))
    }

    /// A connection with the number of the score that was sent; nil if it was malformed.
    private struct Exchange {
        let connection: BrowserConnection
        let number: Int?
    }

    /// The answer to a submission.
    private struct Answer: Decodable {
        let reply: WrittenReply?
    }

    /// The scores that were entered, as far as there was an answer.
    private struct Entered {
        var numbers: [Int] = []
        var malformed = 0
        /// The malformed requests without an answer, such as one that ended before it.
        var unanswered = 0

        /// Reads the response; one that is no success must reveal nothing of the game.
        ///
        /// Only a rule's rejection, which needs a valid link, names that link's player.
        mutating func receive(_ exchange: Exchange, hiding secrets: [String]) throws {
            guard let answer = try exchange.connection.response() else {
                #expect(exchange.number == nil)
                unanswered += 1
                return
            }
            let isSafe =
                answer.status == 200
                || !secrets.contains { secret in
                    answer.body.contains(secret) && (secret, answer.status) != ("Ann", 422)
                }
            #expect(isSafe, "\(answer)")
            let decoded = try? JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8))
            guard answer.status == 200, decoded?.reply != nil else { return }
            if let number = exchange.number { numbers.append(number) } else { malformed += 1 }
        }
    }

    @Test("Random malformed requests are answered or closed in time, and leave nothing behind")
    func random() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random requests: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let secrets = ["Ann", "Bob", laptop.home, path, board.root]
        let wellFormed = 500_005
        #if os(Linux)
        let descriptors = try board.descriptorCount
        #endif
        var entered = Entered()
        for batch in 0..<12 {
            let start = ContinuousClock.now
            // Fewer than the board lets wait.
            let exchanges = try (0..<180).map { index in
                let connection = try BrowserConnection(board.port)
                if random.happens(10) {
                    let number = random.index(below: 40) + 1
                    connection.send(submission(number, value: wellFormed))
                    return Exchange(connection: connection, number: number)
                }
                connection.send(malformed(1_000 * (batch + 1) + index, &random))
                // Others may wait for more, which never comes.
                if random.happens(50) { connection.finishWriting() }
                return Exchange(connection: connection, number: nil)
            }
            for exchange in exchanges {
                try entered.receive(exchange, hiding: secrets)
                #expect(try exchange.connection.isClosed())
            }
            let took = ContinuousClock.now - start
            #expect(took < .seconds(Self.limit + Self.slack), "seed \(seed): \(took)")
        }
        #expect(entered.numbers.count == Set(entered.numbers).count, "seed \(seed)")
        let history = try laptop.read(HistoryReply.self, "history", "--limit", "1000").items
        let count = history.count { $0.value == .integer(Int64(wellFormed)) }
        #expect(count == entered.numbers.count && count > 10, "seed \(seed): \(count)")
        let others = entered.malformed...entered.malformed + entered.unanswered
        #expect(others.contains(history.count - count), "seed \(seed): \(history.count) \(others)")
        #expect(history.allSatisfy { $0.player == "Ann" && $0.phone == true }, "seed \(seed)")
        #expect(try board.request("GET", board.root).status == 200)
        #if os(Linux)
        try eventually(within: .seconds(10), "all connections are closed, seed \(seed)") {
            try board.descriptorCount <= descriptors
        }
        #endif
    }

    @Test("A body that never ends is cut in time, whether it trickles in or stops")
    func endless() throws {
        for isSlow in [false, true] {
            let connection = try BrowserConnection(board.port)
            let start = ContinuousClock.now
            let body = String(repeating: " ", count: 1_000)
            let text = request("POST \(path)enter", postHeaders, body)
            connection.send(Array(text.utf8.dropLast(999)))
            let limits = Duration.milliseconds(900)..<(.seconds(2 * Self.limit + Self.slack))
            var took = Duration.zero
            while try !connection.isClosed(withinMilliseconds: isSlow ? 20 : 20_000),
                took < limits.upperBound
            {
                connection.send(" ")
                took = ContinuousClock.now - start
            }
            took = ContinuousClock.now - start
            #expect(limits.contains(took), "\(isSlow) \(took)")
        }
        #expect(try laptop.read(HistoryReply.self, "history").items.isEmpty)
    }
}
