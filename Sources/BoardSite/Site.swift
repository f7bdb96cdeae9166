/// The part of a request that decides its response.
package struct BrowserRequest: Hashable, Sendable {
    package var method: String
    /// The path, decoded and without a query.
    package var path: String
    /// The headers, each nil if absent; `Sec-Fetch-*` as in Fetch Metadata (W3C).
    package var host: String?
    package var origin: String?
    package var fetchSite: String?
    package var fetchMode: String?
    package var accept: String?
    package var contentType: String?
    package var contentLength: String?
    package var cookie: String?
    /// Whether one of these headers is present more than once: a proxy may have read another one.
    package var isAmbiguous = false

    package init(_ method: String, _ path: String, host: String?) {
        (self.method, self.path, self.host) = (method, path, host)
    }

    /// Whether the request only reads, and so has no body.
    package var isRead: Bool { method == "GET" || method == "HEAD" }

    /// Whether a browser opens a page, so that an error must be a page, too.
    ///
    /// Browsers send `Sec-Fetch-Mode` only to this machine and over HTTPS, not to a laptop in the
    /// network.
    var isNavigation: Bool {
        if let fetchMode { return fetchMode == "navigate" }
        let types = (accept ?? "").lowercased().split { $0 == "," || $0 == ";" || $0 == " " }
        return types.contains("text/html")
    }
}

/// The routes of the server and the rules for who may use them.
///
/// Each role has a path with a random token: the viewers' board, each player's link, the page that
/// gives out these links, and the owner's page, which also needs a cookie. A request is served only
/// if it names this server by one of its own addresses and does not come from another site's page.
package struct Site: Sendable {
    /// A group of people who use the server, each with pages of its own.
    package enum Role: Hashable, Sendable {
        case viewer
        case player
        /// The person at this laptop.
        case owner
    }

    package enum Page: Hashable, Sendable {
        case board
        /// The page of a player's link.
        case phone(PathToken)
        /// The page that gives out the links.
        case joining
        /// The owner's page of a session, or without one, of the current session.
        case owner(session: String?)
    }

    /// A request with a body.
    package enum Post: Hashable, Sendable {
        /// A player's submission.
        case submission(PathToken, isUndo: Bool)
        /// A claim of a player's link.
        case claim
        /// A call of the owner.
        case call

        /// The maximum length of the body.
        package var maxBytes: Int {
            switch self {
            case .submission, .claim: Submission.maxBytes
            case .call: OwnerCall.maxBytes
            }
        }
    }

    package enum Response: Hashable, Sendable {
        /// A file of the pages, by name.
        case file(String)
        /// The same page at its only path.
        case redirect(String)
        /// The event stream of a page.
        case events(Page)
        /// The QR code of a path, at the host by which the board was opened: others can most
        /// likely reach it by that, too.
        case picture(path: String, host: String)
        /// The QR code of a text.
        case code(String)
        /// The QR code that hands the play that has ended over to BG Stats.
        case play
        case post(Post)
        /// The owner's page for the browser that brings a key, which is checked and works once.
        case unlock(key: String)
        /// An error, as a page for a browser that opens one.
        case error(HTTPError, isPage: Bool)
    }

    private static let boardPage = "index.html"
    private static let phonePage = "phone.html"
    private static let joinPage = "join.html"
    private static let ownerPage = "app.html"
    private static let pages = [boardPage, phonePage, joinPage, ownerPage]
    static let picture = "qr.svg"
    package static let playPicture = "play.svg"
    /// The style of error pages, the only file that everyone may read.
    private static let publicFile = "help.css"
    /// The name of the owner's cookie.
    package static let cookie = "scoresync"
    private static let maxCodeBytes = 300

    private let files: Set<String>
    private let roles: Set<Role>

    package init(files: Set<String>, roles: Set<Role>) { (self.files, self.roles) = (files, roles) }

    /// Headers of every response: nothing but the board's own files is ever loaded or run.
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

    /// Returns the header that lets a browser into the owner's pages.
    ///
    /// The cookie is sent only there, so that no other server of this machine ever receives it.
    package static func cookieHeader(_ keys: BoardKeys) -> String {
        "\(cookie)=\(keys.cookie.text); Path=\(keys.owner.path); HttpOnly; SameSite=Strict"
    }

    /// Decides the response to a request.
    ///
    /// `hosts` are the accepted values of `Host`: each `HOST:PORT` of this server. A page whose own
    /// name was made to resolve to this machine sends that name (DNS rebinding).
    package func response(
        to request: BrowserRequest,
        _ keys: BoardKeys,
        hosts: Set<String>
    ) -> Response {
        do throws(HTTPError) {
            if request.isAmbiguous { throw HTTPError(400, "usage", "A header is repeated.") }
            let host = try checkedHost(of: request, hosts)
            let response = try route(request, host, keys)
            try check(request, for: response)
            return response
        } catch { return .error(error, isPage: request.isNavigation) }
    }

    private func route(
        _ request: BrowserRequest,
        _ host: String,
        _ keys: BoardKeys
    ) throws(HTTPError) -> Response {
        var parts = request.path.utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count > 1, parts.removeFirst().isEmpty else { throw .notFound }
        let token = parts.removeFirst()
        guard !parts.isEmpty else {
            if token == Site.publicFile { return .file(token) }
            guard isKnown(token, keys) else { throw .notFound }
            return .redirect("/\(token)/")
        }
        let name = parts.removeFirst()
        if roles.contains(.owner), keys.owner.matches(token) {
            return try ownerRoute(name, parts, request, host, keys)
        }
        guard parts.isEmpty else { throw .notFound }
        if keys.viewer.matches(token) {
            switch name {
            case "": return .file(Site.boardPage)
            case "events": return .events(.board)
            case Site.playPicture: return .play
            default: return try file(name)
            }
        }
        guard roles.contains(.player) else { throw .notFound }
        if keys.joining.matches(token) {
            switch name {
            case "": return .file(Site.joinPage)
            case "events": return .events(.joining)
            case "claim": return .post(.claim)
            case Site.picture: return .picture(path: keys.joining.path, host: host)
            default: return try file(name)
            }
        }
        guard let link = keys.links.link(token) else { throw .notFound }
        guard link.isUsable else { throw .gone }
        switch name {
        case "": return .file(Site.phonePage)
        case "events": return .events(.phone(link.token))
        case Site.picture: return .picture(path: link.path, host: host)
        case "enter": return .post(.submission(link.token, isUndo: false))
        case "undo": return .post(.submission(link.token, isUndo: true))
        default: return try file(name)
        }
    }

    private func ownerRoute(
        _ name: String,
        _ arguments: [String],
        _ request: BrowserRequest,
        _ host: String,
        _ keys: BoardKeys
    ) throws(HTTPError) -> Response {
        let argument = arguments.first
        if name == "open", arguments.count == 1, let argument { return .unlock(key: argument) }
        let cookies = (request.cookie ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        guard
            cookies.contains(where: {
                $0.hasPrefix(Site.cookie + "=")
                    && keys.cookie.matches($0.dropFirst(Site.cookie.count + 1))
            })
        else { throw .locked }
        if name == "code" {
            let text = arguments.joined(separator: "/")
            guard (1...Site.maxCodeBytes).contains(text.utf8.count) else { throw .notFound }
            return .code(text)
        }
        guard arguments.count <= 1 else { throw .notFound }
        switch (name, argument) {
        case ("", nil): return .file(Site.ownerPage)
        case ("events", let session): return .events(.owner(session: session))
        case ("call", nil): return .post(.call)
        case ("join.svg", nil): return .picture(path: keys.joining.path, host: host)
        case ("board.svg", nil): return .picture(path: keys.viewer.path, host: host)
        case (_, nil): return try file(name)
        default: throw .notFound
        }
    }

    /// Whether pages are below a token; without a cookie, too, if they are the owner's.
    private func isKnown(_ token: String, _ keys: BoardKeys) -> Bool {
        if keys.viewer.matches(token) || roles.contains(.owner) && keys.owner.matches(token) {
            return true
        }
        guard roles.contains(.player) else { return false }
        return keys.joining.matches(token) || keys.links.link(token) != nil
    }

    /// Each page has only one URL, so that its relative links always resolve alike.
    private func file(_ name: String) throws(HTTPError) -> Response {
        guard files.contains(name), !Site.pages.contains(name) else { throw .notFound }
        return .file(name)
    }

    // MARK: Requests of other sites

    private func checkedHost(
        of request: BrowserRequest,
        _ hosts: Set<String>
    ) throws(HTTPError) -> String {
        // Browsers omit the default port of HTTP (RFC 9110, 4.2.1).
        guard let host = request.host?.lowercased(),
            hosts.contains(host) || hosts.contains(host + ":80")
        else { throw .otherHost }
        return host
    }

    /// Rejects another method, a page of another site, and another kind of body.
    private func check(_ request: BrowserRequest, for response: Response) throws(HTTPError) {
        let ownOrigin = request.host.map { "http://\($0.lowercased())" }
        if let origin = request.origin, origin.lowercased() != ownOrigin { throw Site.foreign }
        if let site = request.fetchSite, site != "same-origin", site != "none" {
            // A page may be opened by a link from anywhere.
            guard request.isNavigation, request.method == "GET", opensPage(response)
            else { throw Site.foreign }
        }
        let methods =
            switch response {
            case .post: ["POST"]
            case .events, .unlock: ["GET"]
            case .file, .redirect, .picture, .code, .play, .error: ["GET", "HEAD"]
            }
        guard methods.contains(request.method) else {
            let allowed = ["Allow": methods.joined(separator: ", ")]
            throw HTTPError(405, "usage", "This method is not allowed here.", allowed)
        }
        if case .post(let post) = response { try checkBody(of: request, post.maxBytes) }
    }

    private func opensPage(_ response: Response) -> Bool {
        switch response {
        case .file(let name): Site.pages.contains(name)
        case .redirect, .unlock: true
        case .events, .picture, .code, .play, .post, .error: false
        }
    }

    /// Requires JSON, which another site's page can send only after a CORS preflight.
    private func checkBody(of request: BrowserRequest, _ maxBytes: Int) throws(HTTPError) {
        let type = request.contentType?.prefix { $0 != ";" }.lowercased()
        guard type?.split(separator: " ") == ["application/json"] else {
            throw HTTPError(415, "usage", "The body must be application/json.")
        }
        guard let length = request.contentLength else { return }
        guard let count = UInt(length), count <= maxBytes else { throw .tooLong(maxBytes) }
    }

    private static let foreign = HTTPError(403, "usage", "Only the board's own pages may do this.")
}
