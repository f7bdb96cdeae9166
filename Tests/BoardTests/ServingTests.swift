import BoardKit
import CPlatform
import FoundationEssentials
import LaptopKit
import Testing

@Suite("A board")
struct ServingTests {
    private let laptop: Laptop

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
    }

    /// The files of a page, and the files that they refer to.
    private func files(of page: String, on board: RunningBoard) throws -> [String: BoardResponse] {
        var found: [String: BoardResponse] = [:]
        var names = [""]
        while let name = names.popLast() {
            guard found[name] == nil else { continue }
            let answer = try board.request("GET", page + name)
            found[name] = answer
            for mark in ["src=\"", "href=\"", "from \"./", "import \"./"] {
                let rest = answer.body.ranges(of: mark).map { answer.body[$0.upperBound...] }
                names += rest.map { String($0.prefix { $0 != "\"" }) }
                    .filter { !$0.hasPrefix("#") && !$0.contains("${") }
            }
        }
        return found
    }

    @Test("serves its pages with all their files, and forbids to load or run anything else")
    func pages() throws {
        let board = try RunningBoard(laptop, "--enter")
        let link = try #require(try board.links()["Ann"])
        for page in [board.root, link.path] {
            let files = try files(of: page, on: board)
            for (name, answer) in files {
                #expect(answer.status == 200, "\(page)\(name)")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
                #expect(!policy.contains("unsafe"))
            }
            #expect(files[""]?.headers["content-type"] == "text/html; charset=utf-8")
        }
        let picture = try board.request("GET", link.qr)
        #expect(picture.headers["content-type"] == "image/svg+xml")
        #expect(picture.body.hasPrefix("<svg xmlns="))
        #expect(link.address == "http://127.0.0.1:\(board.port)\(link.path)")
    }

    @Test("responds to several requests on one connection, and to HEAD without a body")
    func connection() throws {
        let board = try RunningBoard(laptop)
        let connection = try BrowserConnection(board.port)
        for _ in 0..<3 {
            connection.request("GET", board.root + "board.css", board.headers)
            #expect(try connection.response()?.status == 200)
        }
        connection.request("HEAD", board.root, board.headers)
        #expect(try connection.head()?.status == 200)
        connection.request("GET", board.root + "no.css", board.headers)
        #expect(try connection.response()?.status == 404)
    }

    @Test("is served only at its path, under its own address and to its own pages")
    func strangers() throws {
        let board = try RunningBoard(laptop, "--enter")
        let link = try #require(try board.links()["Ann"])
        let enter = link.path + "enter"
        #expect(try board.request("GET", "/").status == 404)
        #expect(
            try board.request("GET", "/" + String(repeating: "0", count: 32) + "/").status == 404
        )
        #expect(try board.request("GET", board.root, ["Host": "evil.example"]).status == 421)
        #expect(try board.request("POST", board.root, [:], "x").status == 405)
        #expect(try board.request("DELETE", enter).status == 405)
        let foreign = ["Origin": "http://evil.example", "Content-Type": "application/json"]
        #expect(try board.request("POST", enter, foreign, "{}").status == 403)
        #expect(
            try board.request("POST", enter, ["Content-Type": "text/plain"], "{}").status == 415
        )
        #expect(
            try board.request("GET", board.root, ["Sec-Fetch-Site": "cross-site"]).status == 403
        )
        // No prefix of a link is the board.
        let server = "http://127.0.0.1:\(board.port)"
        let parts = link.address.dropFirst(server.count).split(separator: "/")
        for count in 0..<parts.count {
            let left = "/" + parts.prefix(count).map { "\($0)/" }.joined()
            for place in [left, left + "events"] {
                #expect(try board.request("GET", place).status == 404, "\(place)")
            }
        }
        let nameless = try BrowserConnection(board.port)
        nameless.send("GET \(board.root) HTTP/1.1\r\n\r\n")
        #expect(try nameless.response()?.status == 400)
    }

    @Test("limits the length of requests")
    func bounds() throws {
        let board = try RunningBoard(laptop, "--enter")
        let enter = try #require(try board.links()["Ann"]).path + "enter"
        let long = String(repeating: "a", count: 40_000)
        #expect(try board.request("GET", board.root + long).status == 414)
        #expect(try board.request("GET", board.root, ["Cookie": long]).status == 431)
        #expect(try board.post(enter, long).status == 413)
        // A chunked body that is too long ends with the connection.
        let endless = try BrowserConnection(board.port)
        var headers = board.headers
        headers["Content-Type"] = "application/json"
        headers["Transfer-Encoding"] = "chunked"
        endless.request("POST", enter, headers)
        endless.send("1fff\r\n" + String(repeating: "a", count: 0x1FFF) + "\r\n")
        #expect(try endless.isClosed())
        let reader = try BrowserConnection(board.port)
        reader.request("GET", board.root, board.headers, "a body")
        #expect(try reader.isClosed())
        #expect(try board.request("GET", board.root).status == 200)
    }

    @Test("prints its addresses, and ends on a signal or after its time, with its pages")
    func ends() throws {
        for signal in [platform_signal_interrupt(), platform_signal_terminate()] {
            let board = try RunningBoard(laptop)
            #expect(board.addresses.schema == 1)
            #expect(board.addresses.url == "http://127.0.0.1:\(board.port)\(board.root)")
            #expect(board.addresses.lan.isEmpty)
            let events = try EventStream(board)
            #expect(try events.next()?.name == "snapshot")
            #expect(try board.end(by: signal).status == 0)
            while let event = try events.next() { #expect(event.name == "chart") }
        }
        #expect(try RunningBoard(laptop, "--for", "1s").outcome().status == 0)
    }

    @Test("says when it ends, and that phones need the network")
    func told() throws {
        let said = try laptop.attempt("board", "--no-open", "--enter", "--for", "1s")
        #expect(said.status == 0)
        #expect(said.output.contains("ends at") && said.output.contains("has ended"))
        #expect(said.errors.contains("--lan"))
        let json = try laptop.attempt("board", "--no-open", "--json", "--for", "1s")
        #expect(json.output.split(separator: "\n").count == 1)
    }

    @Test("fails for an unknown session and for a port in use")
    func refusals() throws {
        let board = try RunningBoard(laptop)
        let taken = try laptop.attempt("board", "--no-open", "--port", "\(board.port)")
        #expect(taken.status == 1)
        #expect(
            taken.errors == "scorectl board: cannot listen on port \(board.port): it is in use\n"
        )
        #expect(try laptop.attempt("board", "nothing").status == 4)
        #expect(try laptop.attempt("board", "--for", "8d").status == 2)
        #expect(try laptop.attempt("board", "--port", "0").status == 2)
    }

    @Test("has an address on each network, and accepts no other name")
    func room() throws {
        let board = try RunningBoard(laptop, "--lan", "--enter")
        for room in board.addresses.lan {
            let host = try #require(URL(string: room.url)?.host)
            #expect(room.url == "http://\(host):\(board.port)\(board.root)")
            let named = ["Host": "\(host):\(board.port)"]
            #expect(try board.request("GET", board.root, named).status == 200)
        }
        let link = try #require(try board.links()["Ann"])
        let shown = try #require(
            URL(string: board.addresses.lan.first?.url ?? board.addresses.url)?.host
        )
        #expect(link.address == "http://\(shown):\(board.port)\(link.path)")
        #expect(
            try board.request("GET", board.root, ["Host": "10.9.8.7:\(board.port)"]).status == 421
        )
    }
}
