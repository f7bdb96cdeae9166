import BoardKit
import CPlatform
import Foundation
import LaptopKit
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@Suite("The app of a laptop")
struct AppTests {
    private let laptop: Laptop

    init() throws {
        laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
    }

    private struct Refused: Decodable {
        let error: Reason

        struct Reason: Decodable {
            let kind: String
            let message: String
        }
    }

    private func kind(_ answer: BoardResponse) throws -> String {
        try answer.decoded(as: Refused.self).error.kind
    }

    private var keyFile: String { laptop.home + "/open-app.html" }

    // MARK: Letting in

    @Test("lets a browser in by a key that works once")
    func replayedKey() throws {
        let app = try RunningApp(laptop)
        #expect(try app.request("GET", app.root).status == 200)
        let replayed = try app.request("GET", app.opened)
        #expect(replayed.status == 403)
        #expect(replayed.headers["set-cookie"] == nil)
        #expect(replayed.body.contains("This address worked once."))
        let (first, second) = (try app.newKey(), try app.newKey())
        #expect(try app.request("GET", first).status == 403)
        #expect(try app.request("GET", app.root + "open/").status == 403)
        let other = String(repeating: "0", count: 32)
        #expect(try app.request("GET", app.root + "open/\(other)").status == 403)
        // The wrong ones did not end the right one.
        #expect(try app.request("GET", second).status == 200)
    }

    @Test("lets nobody in by a key that is older than a minute")
    func oldKey() throws {
        let app = try RunningApp(laptop)
        for (age, status) in [(50, 200), (61, 403)] {
            let key = try app.newKey()
            let time = Date(timeIntervalSinceNow: -Double(age))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: keyFile)
            #expect(try app.request("GET", key).status == status, "\(age) s")
            #expect(try app.request("GET", key).status == 403)
        }
    }

    @Test("keeps its keys in files that only this user can read")
    func files() throws {
        let app = try RunningApp(laptop)
        _ = try app.newKey()
        for file in [keyFile, laptop.home + "/app.json"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(file)")
        }
        let mode = try FileManager.default.attributesOfItem(atPath: laptop.home)[.posixPermissions]
        #expect(mode as? Int == 0o700)
    }

    @Test("gives a stranger, another page and a rebinding name nothing")
    func strangers() throws {
        let app = try RunningApp(laptop)
        let call = #"{"method":"session.leave","params":{}}"#
        let json = ["Content-Type": "application/json"]
        let zeros = String(repeating: "0", count: 32)
        for (headers, status) in [
            (["Cookie": ""], 403), (["Cookie": "scoresync=\(zeros)"], 403),
            (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403),
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
            (["Host": "evil.example:\(app.port)"], 421), (["Host": "127.0.0.1:1"], 421),
        ] {
            let called = try app.request(
                "POST",
                app.root + "call",
                json.merging(headers) { $1 },
                call
            )
            #expect(called.status == status, "\(headers)")
            #expect(!called.body.contains("question"), "\(headers)")
            for place in ["", "events", "board.js"] {
                let answer = try app.request("GET", app.root + place, headers)
                #expect(answer.status == status, "\(headers) \(place)")
            }
        }
        let plain = ["Content-Type": "text/plain"]
        #expect(try app.request("POST", app.root + "call", plain, call).status == 415)
        #expect(try laptop.read(SessionListReply.self, "session", "list").items.count == 1)
    }

    // MARK: Calls

    @Test("passes calls to the daemon, and its errors and questions back")
    func calls() throws {
        let app = try RunningApp(laptop)
        let score = try app.call("score", #"{"words":["Ann","7"]}"#)
        #expect(try score.decoded(as: WrittenReply.self).total == 7)
        let unknown = try app.call("score", #"{"words":["Zed","7"]}"#)
        #expect((unknown.status, try kind(unknown)) == (422, "not-found"))
        #expect(try app.call("session.leave").body.contains("\"question\""))
        #expect(try app.call("no.method").status != 200)
        #expect(try kind(app.call("score", #"{"words":7}"#)) == "usage")
    }

    @Test("does not pass on what would end it, and asks before it exports a key")
    func notAllowed() throws {
        let app = try RunningApp(laptop)
        for method in ["daemon.stop", "watch", "wait", "negotiate"] {
            #expect(try app.call(method).status == 403, "\(method)")
        }
        let export = try app.call("export.begin", #"{"withKey":true}"#)
        #expect((export.status, try kind(export)) == (409, "question"))
        let confirmed = #"{"method":"export.begin","params":{"withKey":true},"confirmed":true}"#
        #expect(try app.post(app.root + "call", confirmed).status == 200)
        #expect(try app.call("export.begin", #"{"withKey":false}"#).status == 200)
        #expect(laptop.isRunning)
    }

    @Test("passes an export on in pieces, on a connection of its own")
    func export() throws {
        let app = try RunningApp(laptop)
        func call(_ method: String, _ name: String) throws -> BoardResponse {
            let body = #"{"method":"M","params":{"withKey":false},"connection":"C"}"#
            let json = body.replacing("M", with: method).replacing("C", with: name)
            return try app.post(app.root + "call", json)
        }
        #expect(try call("export.begin", "one").status == 200)
        #expect(try call("export.next", "other").status == 422)
        let part = try call("export.next", "one").decoded(as: ExportNextReply.self)
        #expect(part.text.contains("Friday"))
    }

    @Test("survives random calls and claims", arguments: [1, 2] as [UInt64])
    func random(seed: UInt64) throws {
        let app = try RunningApp(laptop)
        let joining = try app.share().joining
        var random = SeededGenerator(seed: seed)
        let calls = [
            #"{"method":"score","params":{"words":["Ann","7"]}}"#,
            #"{"method":"export.begin","params":{"withKey":true},"connection":"e"}"#,
            #"{"method":"app.change","params":{"newPlayers":false,"address":"10.0.0.1"}}"#,
            #"{"method":"app.state"}"#, #"{"method":"results","params":{"game":"rounds"}}"#,
        ]
        let claims = [#"{"name":"Dora"}"#, #"{"player":"0123","handsOver":true}"#]
        for number in 1...300 {
            let isCall = random.happens(2)
            let text = random.pick(isCall ? calls : claims) ?? ""
            let bytes = random.damaged(Array(text.utf8))
            let path = isCall ? app.root + "call" : joining + "claim"
            let connection = try BrowserConnection(app.port)
            var headers = app.headers
            headers["Content-Type"] = "application/json"
            headers["Content-Length"] = "\(bytes.count)"
            connection.request("POST", path, headers)
            connection.send(bytes)
            let status = try connection.response()?.status ?? 0
            let known = [200, 400, 403, 409, 410, 422]
            #expect(known.contains(status), "seed \(seed), \(number): \(status)")
        }
        #expect(app.isRunning && laptop.isRunning)
    }

    // MARK: Phones

    private struct Seat: Decodable, Hashable {
        let player: String
        let name: String
        let taken: Bool
    }

    private struct Claimed: Decodable {
        let path: String
    }

    @Test("gives links by one address, to one phone for each player")
    func claims() throws {
        try laptop.run("player", "add", "Bob")
        let app = try RunningApp(laptop)
        let joining = try app.share().joining
        let page = try EventStream(app, joining)
        var seats = try page.next("seats").decoded(as: [Seat].self)
        while seats.count < 2 { seats = try page.next("seats").decoded(as: [Seat].self) }
        let ann = try #require(seats.first)
        #expect(seats.map(\.name) == ["Ann", "Bob"] && !ann.taken)
        func claim(_ body: String) throws -> BoardResponse {
            try app.post(joining + "claim", body)
        }
        let body = #"{"player":"\#(ann.player)"}"#
        let first = try claim(body).decoded(as: Claimed.self).path
        #expect(try app.request("GET", first).status == 200)
        #expect(try page.next("seats").decoded(as: [Seat].self).map(\.taken) == [true, false])
        let phone = try EventStream(app, first)
        _ = try phone.next("snapshot")
        let taken = try claim(body)
        #expect((taken.status, try kind(taken)) == (409, "taken"))
        #expect(try taken.decoded(as: Refused.self).error.message.contains("Ann"))
        // The phone that has the link already gets it again.
        let again = try claim(#"{"player":"\#(ann.player)","paths":["/x/","\#(first)"]}"#)
        #expect(try again.decoded(as: Claimed.self).path == first)
        // The other phone takes over, and the first one's link ends.
        let over = try claim(#"{"player":"\#(ann.player)","handsOver":true}"#)
        let second = try over.decoded(as: Claimed.self).path
        #expect(second != first)
        #expect(try app.request("GET", first).status == 404)
        while try phone.next() != nil {}
        let score = #"{"id":"00000000000000a1","words":["7"]}"#
        #expect(try app.post(first + "enter", score).status == 404)
        #expect(try app.post(second + "enter", score).status == 200)
        #expect(try claim(#"{"player":"nobody"}"#).status == 410)
    }

    @Test("adds people who scan the code, by the daemon's rules and if the owner lets them")
    func newcomers() throws {
        let app = try RunningApp(laptop)
        let joining = try app.share().joining
        func claim(_ name: String) throws -> BoardResponse {
            try app.post(joining + "claim", #"{"name":"\#(name)"}"#)
        }
        let dora = try claim("Dora").decoded(as: Claimed.self)
        #expect(try app.post(dora.path + "enter", submission(1)).status == 200)
        for name in ["", "Ann", "Dora", "a\\nb", String(repeating: "x", count: 300)] {
            let answer = try claim(name)
            #expect(answer.status == 422, "\(name)")
            #expect(try !answer.decoded(as: Refused.self).error.message.isEmpty)
        }
        #expect(try app.call("app.change", #"{"newPlayers":false}"#).status == 200)
        #expect(try claim("Eve").status == 403)
        let names = try laptop.read(ShowDocument.self, "show").players.map(\.name)
        #expect(names == ["Ann", "Dora"])
    }

    private func submission(_ number: Int, in session: String? = nil) -> String {
        let id = "00000000000000b\(number)"
        let session = session.map { #","session":"\#($0)""# } ?? ""
        return #"{"id":"\#(id)","words":["7"]\#(session)}"#
    }

    @Test("serves board and phones in the network, and its owner's page only on this laptop")
    func network() throws {
        let app = try RunningApp(laptop)
        let (joining, port) = try app.share()
        func status(_ path: String) throws -> Int? {
            let connection = try BrowserConnection(port)
            let headers = app.headers.merging(["Host": "127.0.0.1:\(port)"]) { $1 }
            connection.request("GET", path, headers)
            return try connection.response()?.status
        }
        #expect(try status(joining) == 200)
        for place in ["", "events", "app.js", "open/abc", "join.svg"] {
            #expect(try status(app.root + place) == 404, "\(place)")
        }
        #expect(try status(String(app.root.dropLast())) == 404)
        #expect(try app.call("app.change", #"{"shared":false}"#).status == 200)
        #expect(throws: (any Error).self) { try BrowserConnection(port) }
    }

    // MARK: Its life

    @Test("keeps its address, its browser and the links over a restart, until they are renewed")
    func restart() throws {
        struct State: Decodable {
            let boardPath: String
            let links: [RunningBoard.Link]
        }
        func state(_ app: RunningApp) throws -> State {
            try eventually(within: .seconds(10), "the links") {
                try !app.call("app.state").decoded(as: State.self).links.isEmpty
            }
            return try app.call("app.state").decoded(as: State.self)
        }
        func quit(_ app: RunningApp) throws {
            #expect(try app.call("app.quit").status == 200)
            #expect(try app.outcome().status == 0)
        }
        // Boards of other tests take the usual ports.
        try quit(try RunningApp(laptop))
        try keepPort(.random(in: 20_000..<30_000))
        let first = try RunningApp(laptop)
        let before = try state(first)
        try quit(first)
        let second = try RunningApp(laptop)
        #expect((second.port, second.root) == (first.port, first.root))
        #expect(second.cookie == first.cookie)
        let after = try state(second)
        #expect(after.boardPath == before.boardPath)
        #expect(after.links == before.links)
        let link = try #require(after.links.first)
        #expect(try second.request("GET", link.path).status == 200)
        let renewed = try second.call("app.renew").decoded(as: State.self)
        #expect(renewed.boardPath != before.boardPath)
        #expect(try second.request("GET", link.path).status == 404)
        #expect(try second.request("GET", before.boardPath).status == 404)
    }

    /// Makes the app listen on a port when it starts again.
    private func keepPort(_ port: Int) throws {
        let file = URL(filePath: laptop.home + "/app.json")
        let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
        var keys = try #require(object as? [String: Any])
        keys["port"] = port
        try JSONSerialization.data(withJSONObject: keys).write(to: file)
    }

    @Test("follows the current session, and shows any other")
    func sessions() throws {
        let app = try RunningApp(laptop)
        let current = try EventStream(app)
        let friday = try current.next("snapshot").decoded(as: ShowReply.self).document.session
        #expect(friday.title == "Friday")
        try laptop.run("session", "new", "points", "--title", "Next", "--player", "Cem")
        var title = ""
        while title != "Next" {
            title = try current.next("snapshot").decoded(as: ShowReply.self).document.session.title
        }
        let other = try EventStream(app, session: friday.id)
        #expect(try other.next("snapshot").decoded(as: ShowReply.self).document.session == friday)
    }
}
