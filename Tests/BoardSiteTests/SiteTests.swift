import BoardSite
import SyncProtocol
import SyncTestKit
import Testing

@Suite("A site")
struct SiteTests {
    private let site: Site
    private var links = PhoneLinks()
    private static let host = "127.0.0.1:47640"

    init() {
        var generator = SeededGenerator(seed: 7)
        site = Site(
            PathToken(using: &generator),
            hosts: [SiteTests.host, "localhost:47640"],
            files: ["index.html", "phone.html", "board.js"],
            allowsPhones: true
        )
        links.update([.sample("a1", "Ann"), .sample("b2", "Bob")], using: &generator)
    }

    private var path: String { links.valid.first?.path ?? "" }

    private func asked(_ method: String, _ path: String) -> BrowserRequest {
        BrowserRequest(method, path, host: SiteTests.host)
    }

    private func submission(_ path: String) -> BrowserRequest {
        var request = asked("POST", path)
        request.contentType = "application/json"
        return request
    }

    private func status(_ request: BrowserRequest) -> UInt32? {
        guard case .error(let error) = site.response(to: request, links) else { return nil }
        return error.status
    }

    @Test("serves its pages, their files and the events")
    func paths() throws {
        let link = try #require(links.valid.first)
        #expect(site.response(to: asked("GET", site.root), links) == .file("index.html"))
        #expect(
            site.response(to: asked("HEAD", site.root + "board.js"), links) == .file("board.js")
        )
        #expect(site.response(to: asked("GET", site.root + "events"), links) == .events(.board))
        #expect(site.response(to: asked("GET", path), links) == .file("phone.html"))
        #expect(site.response(to: asked("GET", path + "board.js"), links) == .file("board.js"))
        #expect(site.response(to: asked("GET", path + "events"), links) == .events(.phone("a1")))
        let picture = Site.Response.picture(link, host: SiteTests.host)
        #expect(site.response(to: asked("GET", path + "qr.svg"), links) == picture)
        let entered = Site.Response.submission(player: "a1", isUndo: false)
        #expect(site.response(to: submission(path + "enter"), links) == entered)
        let undone = Site.Response.submission(player: "a1", isUndo: true)
        #expect(site.response(to: submission(path + "undo"), links) == undone)
    }

    @Test(
        "serves nothing else",
        arguments: [
            "", "/", "/index.html", "ROOT/index.html", "ROOT/phone.html", "ROOT/../", "ROOT//",
            "ROOT/p", "ROOT/p/", "ROOT/p//", "ROOTLINK", "ROOT/pLINK",
            "ROOT/p/../board.js", "ROOT/enter", "ROOT", "x/ROOT/", "ROOT/qr.svg",
            "LINK/", "LINKphone.html", "LINKevents/", "LINKp/", "LINK../events",
        ]
    )
    func nowhere(_ place: String) {
        let root = String(site.root.dropLast())
        let there = place.replacing("ROOT", with: root).replacing("LINK", with: path)
        #expect(status(asked("GET", there)) == 404, "\(there)")
        #expect(status(submission(there)) == 404, "\(there)")
    }

    @Test("leads from no part of a link to the board or to another link")
    func partOfLink() throws {
        let link = try #require(links.valid.first)
        let address = LinkView(link, at: "").address + "events"
        for length in 0...address.count {
            for end in ["", "/", "events", "/events"] {
                let there = String(address.prefix(length)) + end
                let answer = site.response(to: asked("GET", there), links)
                switch answer {
                case .error(let error): #expect(error.status == 404, "\(there)")
                case .file("phone.html"): #expect(there == link.path)
                case .events(.phone(link.player)): #expect(there == link.path + "events")
                default: Issue.record("\(there): \(answer)")
                }
            }
        }
    }

    @Test("has no links if phones may not enter scores")
    func readOnly() {
        var generator = SeededGenerator(seed: 7)
        let site = Site(
            PathToken(using: &generator),
            hosts: [SiteTests.host],
            files: ["index.html"],
            allowsPhones: false
        )
        let answer = site.response(to: submission(path + "enter"), links)
        guard case .error(let error) = answer else {
            Issue.record("served: \(answer)")
            return
        }
        #expect(error.status == 404)
    }

    @Test("is served only under its own addresses")
    func hosts() {
        for host in [nil, "", "evil.example:47640", "127.0.0.1", "127.0.0.1:80", "[::1]:47640"] {
            #expect(status(BrowserRequest("GET", site.root, host: host)) == 421, "\(host ?? "-")")
        }
        let request = BrowserRequest("GET", site.root, host: "LOCALHOST:47640")
        #expect(site.response(to: request, links) == .file("index.html"))
    }

    @Test("is served on port 80 to browsers, which omit that port")
    func usualPort() {
        var generator = SeededGenerator(seed: 7)
        let site = Site(
            PathToken(using: &generator),
            hosts: ["127.0.0.1:80"],
            files: ["index.html"],
            allowsPhones: false
        )
        for host in ["127.0.0.1", "127.0.0.1:80"] {
            var request = BrowserRequest("GET", site.root, host: host)
            request.origin = "http://\(host)"
            #expect(site.response(to: request, links) == .file("index.html"), "\(host)")
        }
        for host in ["", ":80", "evil.example", "127.0.0.1:47640", "127.0.0.1:80:80"] {
            let answer = site.response(to: BrowserRequest("GET", site.root, host: host), links)
            guard case .error(let error) = answer, error.status == 421 else {
                Issue.record("\(host): \(answer)")
                continue
            }
        }
    }

    @Test("is not served to pages of other sites")
    func origins() {
        var own = submission(path + "enter")
        own.origin = "http://\(SiteTests.host)"
        own.fetchSite = "same-origin"
        #expect(site.response(to: own, links) == .submission(player: "a1", isUndo: false))
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
            var request = asked("GET", site.root + place)
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
            (site.root, "GET, HEAD"), (site.root + "events", "GET"), (path + "qr.svg", "GET, HEAD"),
            (path + "enter", "POST"), (path + "undo", "POST"),
        ] {
            for method in all where !allowed.split(separator: ", ").contains("\(method)") {
                var request = asked(method, place)
                request.contentType = "application/json"
                guard case .error(let error) = site.response(to: request, links) else {
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
        var generator = SeededGenerator(seed: 8)
        links.update([.sample("b2", "Bob")], using: &generator)
        #expect(status(asked("GET", path)) == 410)
        #expect(status(submission(path + "enter")) == 410)
        links.update([.sample("a1", "Anna"), .sample("b2", "Bob")], using: &generator)
        #expect(site.response(to: asked("GET", path), links) == .file("phone.html"))
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
