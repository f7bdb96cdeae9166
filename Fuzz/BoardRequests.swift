import BoardSite
import SyncProtocol

/// Requests of anyone on the network to a board: heads, and bodies of submissions.
///
/// The first byte determines how the input is split into a method, a path and headers, which are
/// arbitrary; a path may begin like a valid one.
func fuzzBoardRequests(_ input: [UInt8]) {
    let table = FuzzedBoard.shared
    for isUndo in [false, true] { table.checkForm(input, isUndo: isUndo) }
    if let call = try? OwnerCall(input) {
        precondition(!["negotiate", "watch", "wait", "daemon.stop"].contains(call.method))
    }
    if let claim = try? Claim(input) {
        precondition((claim.player == nil) != (claim.name == nil), "a claim of two players")
    }
    let shape = input.first ?? 0
    let parts = input.dropFirst().split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    func part(_ place: Int, _ good: String, when bit: UInt8) -> String? {
        if shape & bit != 0 { return good }
        return place < parts.count ? parts[place] : nil
    }
    let keys = table.keys
    let beginnings = [keys.joining.path, keys.viewer.path, table.link.path, keys.owner.path]
    var request = BrowserRequest(
        part(1, "POST", when: 4) ?? "GET",
        beginnings[Int(shape & 3)] + (parts.first ?? ""),
        host: part(2, FuzzedBoard.host, when: 8)
    )
    request.origin = part(3, "http://\(FuzzedBoard.host)", when: 16)
    request.fetchSite = part(4, "same-origin", when: 32)
    request.contentType = part(5, "application/json", when: 64)
    request.contentLength = part(6, "\(input.count)", when: 128)
    request.fetchMode = part(7, "navigate", when: 0)
    request.cookie = part(8, "", when: 0)
    table.check(request)
}

/// A board with one link and an owner, and the invariants of its answers.
private struct FuzzedBoard {
    static let shared = FuzzedBoard()
    static let host = "10.0.0.2:47640"
    private static let pages: Set<String> = ["index.html", "phone.html", "join.html", "app.html"]

    let keys: BoardKeys
    let link: PhoneLinks.Link
    private let site = Site(
        files: pages.union(["board.js"]),
        roles: [.viewer, .player, .owner]
    )

    private init() {
        var draws = Draws(Array(0...255))
        var keys = BoardKeys(using: &draws)
        let player = PlayerSummary(id: "a", name: "Ann", seat: 1)
        keys.links.update([player], of: "0123456789abcdef0123456789abcdef", using: &draws)
        guard let link = keys.links.valid.first else { preconditionFailure("there is no link") }
        self.keys = keys
        self.link = link
        demandThatAllAreReached()
    }

    /// Demands that each role is reached, without which the checks below mean nothing.
    private func demandThatAllAreReached() {
        func answer(_ path: String, cookie: String? = nil) -> Site.Response {
            var request = BrowserRequest("GET", path + "events", host: Self.host)
            request.cookie = cookie
            return site.response(to: request, keys, hosts: [Self.host])
        }
        precondition(answer(keys.viewer.path) == .events(.board), "the board is not reached")
        precondition(answer(keys.joining.path) == .events(.joining), "no link is given out")
        precondition(answer(link.path) == .events(.phone(link.token)), "no link is reached")
        let owner = answer(keys.owner.path, cookie: "\(Site.cookie)=\(keys.cookie.text)")
        precondition(owner == .events(.owner(session: nil)), "the owner is not let in")
    }

    func check(_ request: BrowserRequest) {
        let answer = site.response(to: request, keys, hosts: [Self.host])
        if case .error(let error, _) = answer {
            precondition((400..<500).contains(error.status) && !error.json.isEmpty)
            precondition(!error.page.isEmpty)
            return
        }
        let isOwn = request.origin == nil || request.origin?.lowercased() == "http://" + Self.host
        precondition(isOwn, "a page is served to another site")
        precondition(request.host?.lowercased() == Self.host, "another name is served")
        func isBelow(_ path: String) -> Bool {
            request.path.utf8.starts(with: path.utf8.dropLast())
        }
        let paths = [keys.viewer.path, keys.joining.path, link.path, keys.owner.path]
        let below = paths.filter(isBelow)
        switch answer {
        case .file("help.css"): return
        case .redirect(let path): precondition(paths.contains(path) && path == request.path + "/")
        case .unlock: precondition(below == [keys.owner.path] && request.method == "GET")
        case .file("index.html"), .events(.board), .play:
            precondition(below == [keys.viewer.path])
        case .file("join.html"), .events(.joining), .post(.claim):
            precondition(below == [keys.joining.path])
        case .file("phone.html"): precondition(below == [link.path])
        case .events(.phone(let token)), .post(.submission(let token, _)):
            precondition(below == [link.path] && token == link.token)
        case .file("app.html"), .events(.owner), .post(.call), .code:
            precondition(below == [keys.owner.path], "no secret is needed")
            precondition(request.cookie?.contains(keys.cookie.text) == true, "no cookie is needed")
        case .file, .picture: precondition(below.count == 1, "no secret is needed")
        case .error: break
        }
        guard case .post = answer else { return }
        precondition(request.method == "POST")
        precondition(request.fetchSite.map { ["same-origin", "none"].contains($0) } ?? true)
    }

    func checkForm(_ body: [UInt8], isUndo: Bool) {
        guard let submission = try? Submission(body, isUndo: isUndo) else { return }
        precondition(SubmissionID(submission.id.text) == submission.id, "an id is none")
        switch submission.action {
        case .undo: precondition(isUndo, "what enters undoes")
        case .words(let words), .clear(let words), .move(let words, _):
            precondition(!isUndo, "an undo enters")
            precondition((1...Submission.maxWords).contains(words.count), "too many words")
        }
    }
}
