import BoardSite
import SyncProtocol

/// Requests of anyone on the network to a board: heads, and bodies of submissions.
///
/// The first byte determines how the input is split into a method, a path and headers, which are
/// arbitrary; a path may begin like a valid one.
func fuzzBoardRequests(_ input: [UInt8]) {
    let table = FuzzedBoard.shared
    for isUndo in [false, true] { table.checkForm(input, isUndo: isUndo) }
    let shape = input.first ?? 0
    let parts = input.dropFirst().split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    func part(_ place: Int, _ good: String, when bit: UInt8) -> String? {
        if shape & bit != 0 { return good }
        return place < parts.count ? parts[place] : nil
    }
    let beginnings = ["", table.site.root, table.link.path, "/"]
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
    table.check(request)
}

/// A board with one link, and the invariants of its answers.
private struct FuzzedBoard {
    static let shared = FuzzedBoard()
    static let host = "10.0.0.2:47640"
    private static let files: Set<String> = ["index.html", "phone.html", "board.js"]

    let site: Site
    let link: PhoneLinks.Link
    private let links: PhoneLinks

    private init() {
        var draws = Draws(Array(0...255))
        var links = PhoneLinks()
        let player = PlayerSummary(id: "a", name: "Ann", seat: 1)
        links.update([player], using: &draws)
        guard let link = links.valid.first else { preconditionFailure("there is no link") }
        self.links = links
        self.link = link
        site = Site(
            PathToken(using: &draws),
            hosts: [FuzzedBoard.host],
            files: FuzzedBoard.files,
            allowsPhones: true
        )
        demandThatBothAreReached()
    }

    /// Demands that the board and the link are reached, without which the checks below mean
    /// nothing.
    private func demandThatBothAreReached() {
        func answer(_ path: String) -> Site.Response {
            site.response(to: BrowserRequest("GET", path, host: Self.host), links)
        }
        precondition(answer(site.root + "events") == .events(.board), "the board is not reached")
        precondition(answer(link.path + "events") == .events(.phone("a")), "no link is reached")
    }

    func check(_ request: BrowserRequest) {
        let answer = site.response(to: request, links)
        if case .error(let error) = answer {
            precondition((400..<500).contains(error.status) && !error.json.isEmpty)
            return
        }
        let isOwn = request.origin == nil || request.origin?.lowercased() == "http://" + Self.host
        precondition(isOwn, "a page is served to another site")
        precondition(request.host?.lowercased() == Self.host, "another name is served")
        let isOfBoard = request.path.utf8.starts(with: site.root.utf8)
        let isOfLink = request.path.utf8.starts(with: link.path.utf8)
        precondition(isOfBoard != isOfLink, "no secret is needed")
        switch answer {
        case .file(let name):
            precondition(Self.files.contains(name), "a file that is not there")
            precondition(name != (isOfLink ? "index.html" : "phone.html"), "the other's page")
        case .events(.board): precondition(isOfBoard && request.method == "GET")
        case .events(.phone(let player)): precondition(isOfLink && player == "a")
        case .picture(let found, let host):
            precondition(isOfLink && found == link && host == Self.host)
        case .submission(let player, _):
            precondition(isOfLink && player == "a" && request.method == "POST")
            precondition(request.fetchSite.map { ["same-origin", "none"].contains($0) } ?? true)
        case .error: break
        }
    }

    func checkForm(_ body: [UInt8], isUndo: Bool) {
        guard let submission = try? Submission(body, isUndo: isUndo) else { return }
        precondition(SubmissionID(submission.id.text) == submission.id, "an id is none")
        switch submission.action {
        case .undo: precondition(isUndo, "what enters undoes")
        case .words(let words), .move(let words, _):
            precondition(!isUndo, "an undo enters")
            precondition((1...Submission.maxWords).contains(words.count), "too many words")
        }
    }
}
