import BoardSite
import SyncProtocol
import SyncTestKit
import Testing

@Suite("A site")
struct SiteTests {
    private static let host = "127.0.0.1:47640"
    private static let files: Set<String> = [
        "index.html", "phone.html", "join.html", "app.html", "board.js", "help.css",
    ]
    private var site = Site(files: files, roles: [.viewer, .player, .owner])
    private var keys: BoardKeys
    private var generator = SeededGenerator(seed: 7)

    init() {
        keys = BoardKeys(using: &generator)
        let players: [PlayerSummary] = [.sample("a1", "Ann"), .sample("b2", "Bob")]
        keys.links.update(players, of: "friday", using: &generator)
    }

    /// Ann's link, and the paths of the other pages.
    private var path: String { keys.links.valid.first?.path ?? "" }
    private var board: String { keys.viewer.path }
    private var joining: String { keys.joining.path }
    private var owner: String { keys.owner.path }

    private func asked(_ method: String, _ path: String) -> BrowserRequest {
        BrowserRequest(method, path, host: SiteTests.host)
    }

    private func submission(_ path: String) -> BrowserRequest {
        var request = asked("POST", path)
        request.contentType = "application/json"
        return request
    }

    /// A request of a browser that was let in.
    private func owned(_ method: String, _ path: String) -> BrowserRequest {
        var request = asked(method, path)
        request.contentType = "application/json"
        request.cookie = "other=1; scoresync=\(keys.cookie.text)"
        return request
    }

    private func response(
        _ request: BrowserRequest,
        _ hosts: Set<String> = [host, "localhost:47640"]
    ) -> Site.Response {
        site.response(to: request, keys, hosts: hosts)
    }

    private func status(_ request: BrowserRequest) -> UInt32? {
        guard case .error(let error, _) = response(request) else { return nil }
        return error.status
    }

    @Test("serves its pages, their files and the events")
    func paths() throws {
        let link = try #require(keys.links.valid.first)
        #expect(response(asked("GET", board)) == .file("index.html"))
        #expect(response(asked("HEAD", board + "board.js")) == .file("board.js"))
        #expect(response(asked("GET", board + "events")) == .events(.board))
        #expect(response(asked("GET", board + "play.svg")) == .play)
        #expect(status(asked("GET", path + "play.svg")) == 404)
        #expect(response(asked("GET", path)) == .file("phone.html"))
        #expect(response(asked("GET", path + "board.js")) == .file("board.js"))
        #expect(response(asked("GET", path + "events")) == .events(.phone(link.token)))
        let picture = Site.Response.picture(path: path, host: SiteTests.host)
        #expect(response(asked("GET", path + "qr.svg")) == picture)
        let entered = Site.Response.post(.submission(link.token, isUndo: false))
        #expect(response(submission(path + "enter")) == entered)
        let undone = Site.Response.post(.submission(link.token, isUndo: true))
        #expect(response(submission(path + "undo")) == undone)
    }

    @Test("serves the page that gives out links")
    func joiningPage() {
        #expect(response(asked("GET", joining)) == .file("join.html"))
        #expect(response(asked("GET", joining + "board.js")) == .file("board.js"))
        #expect(response(asked("GET", joining + "events")) == .events(.joining))
        #expect(response(submission(joining + "claim")) == .post(.claim))
        let picture = Site.Response.picture(path: joining, host: SiteTests.host)
        #expect(response(asked("GET", joining + "qr.svg")) == picture)
    }

    @Test("serves the owner's page to the browser that was let in")
    func ownerPage() {
        let host = SiteTests.host
        #expect(response(owned("GET", owner)) == .file("app.html"))
        #expect(response(owned("GET", owner + "board.js")) == .file("board.js"))
        #expect(response(owned("GET", owner + "events")) == .events(.owner(session: nil)))
        #expect(response(owned("GET", owner + "events/ab")) == .events(.owner(session: "ab")))
        #expect(response(owned("POST", owner + "call")) == .post(.call))
        let join = Site.Response.picture(path: joining, host: host)
        #expect(response(owned("GET", owner + "join.svg")) == join)
        let shown = Site.Response.picture(path: board, host: host)
        #expect(response(owned("GET", owner + "board.svg")) == shown)
        for text in ["a b", "http://a/b/"] {
            #expect(response(owned("GET", owner + "code/" + text)) == .code(text))
        }
        let long = String(repeating: "a", count: 301)
        for place in ["code/", "code/\(long)", "events/a/b", "call/x", "x", "app.html"] {
            #expect(status(owned("GET", owner + place)) == 404, "\(place)")
        }
        // The address of the key is the only one without the cookie.
        #expect(response(asked("GET", owner + "open/abc")) == .unlock(key: "abc"))
        #expect(status(asked("POST", owner + "open/abc")) == 405)
    }

    @Test("serves the owner's page to nobody without the cookie")
    func cookie() {
        let other = String(repeating: "0", count: 32)
        let own = keys.cookie.text
        for cookie in [
            nil, "", "scoresync", "scoresync=", "scoresync=\(other)", "scoresync=\(own)0",
            "scoresync=\(own.dropLast())", "Scoresync=\(own)", "xscoresync=\(own)",
            "scoresync=\(keys.owner.text)", "scoresync=\(own.uppercased())", own,
        ] {
            for place in ["", "board.js", "events", "events/ab", "join.svg", "code/x", "nothing"] {
                var request = owned("GET", owner + place)
                request.cookie = cookie
                #expect(status(request) == 403, "\(cookie ?? "-") \(place)")
            }
            var call = owned("POST", owner + "call")
            call.cookie = cookie
            #expect(status(call) == 403, "\(cookie ?? "-")")
        }
        let header = Site.cookieHeader(keys)
        #expect(header == "scoresync=\(own); Path=\(owner); HttpOnly; SameSite=Strict")
    }

    @Test("serves the owner's page to no page of another origin, even with the cookie")
    func ownerFromElsewhere() {
        for place in ["", "call", "events", "board.js", "join.svg"] {
            let method = place == "call" ? "POST" : "GET"
            for origin in ["null", "http://evil.example", "http://127.0.0.1:8000"] {
                var request = owned(method, owner + place)
                request.origin = origin
                #expect(status(request) == 403, "\(origin) \(place)")
            }
            for distance in ["cross-site", "same-site"] {
                var request = owned(method, owner + place)
                request.fetchSite = distance
                request.fetchMode = "cors"
                #expect(status(request) == 403, "\(distance) \(place)")
            }
        }
        // A browser opens the address of the key from a file.
        var opened = asked("GET", owner + "open/abc")
        opened.fetchSite = "cross-site"
        opened.fetchMode = "navigate"
        #expect(response(opened) == .unlock(key: "abc"))
        opened.fetchMode = "no-cors"
        #expect(status(opened) == 403)
    }

    @Test("serves the owner's page under no other name and at no other port")
    func ownerHosts() {
        for host in ["evil.example:47640", "127.0.0.1:47641", "192.168.7.3:47640", "127.0.0.1"] {
            for (method, place) in [("GET", ""), ("POST", "call"), ("GET", "open/abc")] {
                var request = owned(method, owner + place)
                request.host = host
                #expect(status(request) == 421, "\(host) \(place)")
            }
        }
    }

    @Test("has no owner's page in the network")
    mutating func network() {
        site = Site(files: SiteTests.files, roles: [.viewer, .player])
        for place in ["", "events", "board.js", "open/abc", "join.svg"] {
            #expect(status(owned("GET", owner + place)) == 404, "\(place)")
        }
        #expect(status(owned("POST", owner + "call")) == 404)
        #expect(status(owned("GET", String(owner.dropLast()))) == 404)
        #expect(response(asked("GET", board)) == .file("index.html"))
    }

    @Test("leads from a path without its slash to the page")
    func slash() {
        for path in [board, path, joining, owner] {
            #expect(response(asked("GET", String(path.dropLast()))) == .redirect(path))
        }
        #expect(status(asked("GET", "/" + String(repeating: "0", count: 32))) == 404)
        var request = asked("GET", String(board.dropLast()))
        request.fetchSite = "cross-site"
        request.fetchMode = "navigate"
        #expect(response(request) == .redirect(board))
        request.fetchMode = "cors"
        #expect(status(request) == 403)
    }

    @Test("answers a browser that opens a page with a page, and a program with JSON")
    func errorPages() throws {
        // A browser sends no mode to a laptop in the network.
        let page = "text/html,application/xhtml+xml,*/*;q=0.8"
        let asking: [(mode: String?, accept: String?, isPage: Bool)] = [
            ("navigate", page, true), ("cors", page, false), (nil, nil, false), (nil, "*/*", false),
            (nil, page, true),
        ]
        for (mode, accept, isPage) in asking {
            var request = asked("GET", "/nothing/")
            (request.fetchMode, request.accept) = (mode, accept)
            guard case .error(let error, isPage) = response(request) else {
                Issue.record("\(mode ?? "-"): \(response(request))")
                continue
            }
            #expect(String(decoding: error.page, as: UTF8.self).contains("<p>Nothing is at this"))
            let json = String(decoding: error.json, as: UTF8.self)
            #expect(json.hasPrefix(#"{"error":{"kind":"not-found","message":"Nothing is at this"#))
        }
        #expect(response(asked("GET", "/help.css")) == .file("help.css"))
    }

    @Test(
        "serves nothing else",
        arguments: [
            "", "/", "/index.html", "ROOT/index.html", "ROOT/phone.html", "ROOT/../", "ROOT//",
            "ROOT/p", "ROOT/p/", "ROOT/p//", "ROOTLINK", "ROOT/pLINK", "ROOT/app.html",
            "ROOT/p/../board.js", "ROOT/enter", "x/ROOT/", "ROOT/qr.svg", "ROOT/call",
            "ROOT/claim", "LINKclaim", "LINKcall", "JOIN/enter", "JOIN/call", "JOIN/join.html",
            "LINK/", "LINKphone.html", "LINKevents/", "LINKp/", "LINK../events",
        ]
    )
    func nowhere(_ place: String) {
        let there = place.replacing("ROOT", with: board.dropLast()).replacing("LINK", with: path)
            .replacing("JOIN", with: joining.dropLast())
        #expect(status(asked("GET", there)) == 404, "\(there)")
        #expect(status(submission(there)) == 404, "\(there)")
    }

    @Test("leads from no part of a link to the board or to another link")
    func partOfLink() throws {
        let link = try #require(keys.links.valid.first)
        let address = LinkView(link, at: "").address + "events"
        for length in 0...address.count {
            for end in ["", "/", "events", "/events"] {
                let there = String(address.prefix(length)) + end
                let answer = response(asked("GET", there))
                switch answer {
                case .error(let error, _): #expect(error.status == 404, "\(there)")
                case .redirect(link.path): #expect(there + "/" == link.path)
                case .file("phone.html"): #expect(there == link.path)
                case .events(.phone(link.token)): #expect(there == link.path + "events")
                default: Issue.record("\(there): \(answer)")
                }
            }
        }
    }

    @Test("has no links if phones may not enter scores")
    mutating func readOnly() {
        site = Site(files: SiteTests.files, roles: [.viewer])
        for place in [path, String(path.dropLast()), joining, joining + "events"] {
            #expect(status(asked("GET", place)) == 404, "\(place)")
        }
        for place in [path + "enter", joining + "claim"] {
            #expect(status(submission(place)) == 404, "\(place)")
        }
    }

    @Test("is served only under its own addresses")
    func hosts() {
        for host in [nil, "", "evil.example:47640", "127.0.0.1", "127.0.0.1:80", "[::1]:47640"] {
            #expect(status(BrowserRequest("GET", board, host: host)) == 421, "\(host ?? "-")")
        }
        let request = BrowserRequest("GET", board, host: "LOCALHOST:47640")
        #expect(response(request) == .file("index.html"))
    }

    @Test("is served on port 80 to browsers, which omit that port")
    func usualPort() {
        let hosts: Set = ["127.0.0.1:80"]
        for host in ["127.0.0.1", "127.0.0.1:80"] {
            var request = BrowserRequest("GET", board, host: host)
            request.origin = "http://\(host)"
            #expect(response(request, hosts) == .file("index.html"), "\(host)")
        }
        for host in ["", ":80", "evil.example", "127.0.0.1:47640", "127.0.0.1:80:80"] {
            let answer = response(BrowserRequest("GET", board, host: host), hosts)
            guard case .error(let error, _) = answer, error.status == 421 else {
                Issue.record("\(host): \(answer)")
                continue
            }
        }
    }

    @Test("is not served to pages of other sites")
    func origins() throws {
        let token = try #require(keys.links.valid.first).token
        var own = submission(path + "enter")
        own.origin = "http://\(SiteTests.host)"
        own.fetchSite = "same-origin"
        #expect(response(own) == .post(.submission(token, isUndo: false)))
        for origin in ["null", "", "http://evil.example", "https://127.0.0.1:47640"] {
            var foreign = own
            foreign.origin = origin
            #expect(status(foreign) == 403, "\(origin)")
        }
        for distance in ["cross-site", "same-site", ""] {
            var foreign = own
            foreign.fetchSite = distance
            #expect(status(foreign) == 403, "\(distance)")
        }
    }

    @Test("opens its pages from links elsewhere, and serves them nothing else")
    func opening() {
        for (place, status) in [("", nil), ("board.js", 403), ("events", 403)] as [(_, UInt32?)] {
            var request = asked("GET", board + place)
            request.fetchSite = "cross-site"
            request.fetchMode = "navigate"
            #expect(self.status(request) == status, "\(place)")
            request.fetchMode = "no-cors"
            #expect(self.status(request) == 403, "\(place)")
        }
    }

    @Test("allows its own methods for each path, and names them")
    func methods() {
        let all = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""]
        for (place, allowed) in [
            (board, "GET, HEAD"), (board + "events", "GET"), (joining + "claim", "POST"),
            (path + "qr.svg", "GET, HEAD"),
            (path + "enter", "POST"), (path + "undo", "POST"),
        ] {
            for method in all where !allowed.split(separator: ", ").contains("\(method)") {
                var request = asked(method, place)
                request.contentType = "application/json"
                guard case .error(let error, _) = response(request) else {
                    Issue.record("\(method) \(place) is served")
                    continue
                }
                #expect(error.status == 405)
                #expect(error.headers == ["Allow": allowed])
            }
        }
    }

    @Test("requires a submission to be JSON of limited length")
    func bodies() {
        for (type, status) in [
            (nil, 415), ("text/plain", 415), ("application/x-www-form-urlencoded", 415),
            ("application/jsonp", 415), ("application/json; charset=utf-8", nil),
            ("Application/JSON", nil),
        ] as [(String?, UInt32?)] {
            var request = submission(path + "enter")
            request.contentType = type
            #expect(self.status(request) == status, "\(type ?? "-")")
        }
        for (length, status) in [
            ("4096", nil), ("4097", 413), ("-1", 413), ("99999999999999999999", 413), ("x", 413),
        ] as [(String, UInt32?)] {
            var request = submission(path + "enter")
            request.contentLength = length
            #expect(self.status(request) == status, "\(length)")
        }
    }

    @Test("remembers a link after its player has left")
    mutating func gone() {
        let path = path
        keys.links.update([.sample("b2", "Bob")], of: "friday", using: &generator)
        #expect(status(asked("GET", path)) == 410)
        #expect(status(submission(path + "enter")) == 410)
        let players: [PlayerSummary] = [.sample("a1", "Anna"), .sample("b2", "Bob")]
        keys.links.update(players, of: "friday", using: &generator)
        #expect(response(asked("GET", path)) == .file("phone.html"))
    }

    @Test("serves a link whose player took part in an earlier game only")
    mutating func leftBehind() throws {
        let path = path
        let token = try #require(keys.links.valid.first).token
        keys.links.update([.sample("b2", "Bob")], of: "saturday", using: &generator)
        #expect(response(asked("GET", path)) == .file("phone.html"))
        #expect(response(asked("GET", path + "events")) == .events(.phone(token)))
        let entry = response(submission(path + "enter"))
        #expect(entry == .post(.submission(token, isUndo: false)))
        #expect(response(submission(path + "undo")) == .post(.submission(token, isUndo: true)))
    }
}

@Suite("Idle connections")
struct IdleConnectionsTests {
    @Test("are closed for newer ones, the longest idle first")
    func giveWay() {
        var idle = IdleConnections()
        for number in 1...Int32(IdleConnections.maxConnections) { #expect(idle.add(number) == nil) }
        idle.remove(1)
        #expect(idle.add(1) == nil)
        #expect(idle.add(1000) == 2)
        #expect(idle.add(1001) == 3)
    }
}
