/// What is served, and to whom: the board and each link under a path of its own that nobody
/// guesses, to who asks for it by an address of this machine and from no page of somebody else.
package struct Site: Sendable {
    /// The path of the board, such as `/6f…/`.
    package let root: String
    /// What a browser may say that it asks: each `HOST:PORT` of this server.
    ///
    /// A page of somebody else whose name was made to lead here says its own name (DNS rebinding).
    private let hosts: Set<String>
    /// The names of the files of the pages.
    private let files: Set<String>
    /// Whether phones may enter.
    private let letsPhonesEnter: Bool

    /// What a page or a phone is.
    package enum Visitor: Hashable, Sendable {
        /// Somebody who looks.
        case board
        /// The phone of a player, by id.
        case phone(String)
    }

    /// What a browser is answered.
    package enum Answer: Hashable, Sendable {
        /// A file of the pages, by its name.
        case file(String)
        /// The sheet, as it is and as it changes.
        case events(Visitor)
        /// The picture of a link, for cameras; with the name by which the board was asked, and so
        /// can be by whoever looks at it.
        case picture(PhoneLinks.Link, host: String)
        /// Whatever the body that follows says is to be entered for a player.
        case submission(player: String, isUndo: Bool)
        /// It is not served.
        case refusal(Refusal)
    }

    /// The file to which the path of the board itself leads.
    static let boardPage = "index.html"
    /// The file to which the path of a link itself leads.
    static let phonePage = "phone.html"

    /// The name of a link's picture.
    static let picture = "qr.svg"

    /// The site at a path, under these names, with these files.
    package init(_ secret: Secret, hosts: Set<String>, files: Set<String>, letsPhonesEnter: Bool) {
        root = "/\(secret.text)/"
        self.hosts = hosts
        self.files = files
        self.letsPhonesEnter = letsPhonesEnter
    }

    /// The answer to a request.
    package func answer(_ request: BrowserRequest, _ links: PhoneLinks) -> Answer {
        do throws(Refusal) {
            try checkHost(of: request)
            let parts = request.path.utf8
                .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let answer = try self.answer(to: parts, of: request.host ?? "", links)
            try check(request, for: answer)
            return answer
        } catch { return .refusal(error) }
    }

    private func answer(
        to parts: [String],
        of host: String,
        _ links: PhoneLinks
    ) throws(Refusal) -> Answer {
        guard parts.count == 3, parts[0].isEmpty else { throw .nothing }
        if "/\(parts[1])/".utf8.elementsEqual(root.utf8) {
            return try answer(to: parts[2], of: .board, host, nil)
        }
        guard letsPhonesEnter, let link = links.link(parts[1]) else { throw .nothing }
        guard link.isGood else { throw .gone }
        return try answer(to: parts[2], of: .phone(link.player), host, link)
    }

    private func answer(
        to name: String,
        of visitor: Visitor,
        _ host: String,
        _ link: PhoneLinks.Link?
    ) throws(Refusal) -> Answer {
        switch (name, link) {
        case ("", let link): return .file(link == nil ? Site.boardPage : Site.phonePage)
        case ("events", _): return .events(visitor)
        case (Site.picture, let link?): return .picture(link, host: host.lowercased())
        case ("enter", let link?): return .submission(player: link.player, isUndo: false)
        case ("undo", let link?): return .submission(player: link.player, isUndo: true)
        default:
            // A page has one address, so that no link within it leads elsewhere than it is meant.
            let pages = [Site.boardPage, Site.phonePage]
            guard files.contains(name), !pages.contains(name) else { throw .nothing }
            return .file(name)
        }
    }
}

// MARK: Strangers

extension Site {
    private func checkHost(of request: BrowserRequest) throws(Refusal) {
        // Browsers leave out the port that HTTP has by itself (RFC 9110, 4.2.1).
        guard let host = request.host?.lowercased(),
            hosts.contains(host) || hosts.contains(host + ":80")
        else {
            throw Refusal(421, "usage", "This board is not served under that name.")
        }
    }

    /// Refuses what the answer is not for: another method, a page of somebody else, another body.
    private func check(_ request: BrowserRequest, for answer: Answer) throws(Refusal) {
        if let origin = request.origin, origin.lowercased() != ownOrigin(request) {
            throw Site.foreign
        }
        if let site = request.fetchSite, site != "same-origin", site != "none" {
            // A page may be opened from wherever its address was read.
            let opens = request.fetchMode == "navigate" && request.method == "GET"
            guard opens, case .file(let name) = answer,
                [Site.boardPage, Site.phonePage].contains(name)
            else { throw Site.foreign }
        }
        switch answer {
        case .submission:
            try check(request, isOneOf: ["POST"])
            try checkBody(of: request)
        case .events: try check(request, isOneOf: ["GET"])
        case .file, .picture, .refusal: try check(request, isOneOf: ["GET", "HEAD"])
        }
    }

    private func check(_ request: BrowserRequest, isOneOf methods: [String]) throws(Refusal) {
        guard !methods.contains(request.method) else { return }
        let allowed = methods.joined(separator: ", ")
        throw Refusal(405, "usage", "That is not done there.", ["Allow": allowed])
    }

    /// A form of somebody else's page has other types, and cannot have this one unasked.
    private func checkBody(of request: BrowserRequest) throws(Refusal) {
        let type = request.contentType?.prefix { $0 != ";" }.lowercased()
        guard type?.trimmingSpaces == "application/json" else {
            throw Refusal(415, "usage", "What is entered is sent as application/json.")
        }
        guard let length = request.contentLength else { return }
        guard let count = UInt(length), count <= Submission.mostBytes else { throw .tooLong }
    }

    private func ownOrigin(_ request: BrowserRequest) -> String? {
        request.host.map { "http://\($0.lowercased())" }
    }

    private static let foreign = Refusal(403, "usage", "Only the board's own pages may ask that.")
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " }
        return start.dropLast(start.reversed().prefix { $0 == " " }.count)
    }
}

extension Site {
    /// What every answer says, so that nothing but the board's own files is ever loaded or run.
    package static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]
}

/// What a browser asks for, as far as the answer depends on it.
package struct BrowserRequest: Hashable, Sendable {
    /// The method, such as `GET`.
    package var method: String
    /// The path, decoded and without what follows a question mark.
    package var path: String
    /// The name and port by which it asks.
    package var host: String?
    /// The site whose page asks, where the browser says it.
    package var origin: String?
    /// How far that site is from this one, by the browser (`Sec-Fetch-Site`).
    package var fetchSite: String?
    /// Whether it opens a page, by the browser (`Sec-Fetch-Mode`).
    package var fetchMode: String?
    /// What the body is said to be.
    package var contentType: String?
    /// How long the body is said to be.
    package var contentLength: String?

    /// A request of a browser that says little.
    package init(_ method: String, _ path: String, host: String?) {
        self.method = method
        self.path = path
        self.host = host
    }

    /// Whether it asks for something to read, and has no body.
    package var isOnlyRead: Bool { method == "GET" || method == "HEAD" }
}
