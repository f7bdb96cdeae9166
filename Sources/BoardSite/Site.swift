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
    package var contentType: String?
    package var contentLength: String?
    /// Whether one of these headers is present more than once: a proxy may have read another one.
    package var isAmbiguous = false

    package init(_ method: String, _ path: String, host: String?) {
        (self.method, self.path, self.host) = (method, path, host)
    }

    /// Whether the request only reads, and so has no body.
    package var isRead: Bool { method == "GET" || method == "HEAD" }
}

/// The routes of the server and the rules for who may use them.
///
/// The board and each player's link have a path with a random token. A request is served only if it
/// names this server by one of its own addresses and does not come from another site's page.
package struct Site: Sendable {
    /// The path of the board, such as `/6f…/`.
    package let root: String
    /// The accepted values of `Host`: each `HOST:PORT` of this server.
    ///
    /// A page whose own name was made to resolve to this machine sends that name (DNS rebinding).
    private let hosts: Set<String>
    private let files: Set<String>
    private let allowsPhones: Bool

    package enum Page: Hashable, Sendable {
        case board
        /// The page of a player, by id.
        case phone(String)
    }

    package enum Response: Hashable, Sendable {
        /// A file of the pages, by name.
        case file(String)
        /// The event stream of a page.
        case events(Page)
        /// The QR code of a link, at the host by which the board was opened: others can most
        /// likely reach it by that, too.
        case picture(PhoneLinks.Link, host: String)
        /// The player's submission in the body that follows.
        case submission(player: String, isUndo: Bool)
        case error(HTTPError)
    }

    private static let boardPage = "index.html"
    private static let phonePage = "phone.html"
    static let picture = "qr.svg"

    package init(_ token: PathToken, hosts: Set<String>, files: Set<String>, allowsPhones: Bool) {
        root = "/\(token.text)/"
        (self.hosts, self.files, self.allowsPhones) = (hosts, files, allowsPhones)
    }

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

    package func response(to request: BrowserRequest, _ links: PhoneLinks) -> Response {
        do throws(HTTPError) {
            if request.isAmbiguous { throw HTTPError(400, "usage", "A header is repeated.") }
            let host = try checkedHost(of: request)
            let response = try route(request.path, host, links)
            try check(request, for: response)
            return response
        } catch { return .error(error) }
    }

    private func route(
        _ path: String,
        _ host: String,
        _ links: PhoneLinks
    ) throws(HTTPError) -> Response {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 3, parts[0].isEmpty else { throw .notFound }
        if "/\(parts[1])/".utf8.elementsEqual(root.utf8) {
            return try route(parts[2], of: .board, host, nil)
        }
        guard allowsPhones, let link = links.link(parts[1]) else { throw .notFound }
        guard link.isValid else { throw .gone }
        return try route(parts[2], of: .phone(link.player), host, link)
    }

    private func route(
        _ name: String,
        of page: Page,
        _ host: String,
        _ link: PhoneLinks.Link?
    ) throws(HTTPError) -> Response {
        switch (name, link) {
        case ("", let link): return .file(link == nil ? Site.boardPage : Site.phonePage)
        case ("events", _): return .events(page)
        case (Site.picture, let link?): return .picture(link, host: host)
        case ("enter", let link?): return .submission(player: link.player, isUndo: false)
        case ("undo", let link?): return .submission(player: link.player, isUndo: true)
        default:
            // Each page has only one URL, so that its relative links always resolve alike.
            let pages = [Site.boardPage, Site.phonePage]
            guard files.contains(name), !pages.contains(name) else { throw .notFound }
            return .file(name)
        }
    }

    // MARK: Requests of other sites

    private func checkedHost(of request: BrowserRequest) throws(HTTPError) -> String {
        // Browsers omit the default port of HTTP (RFC 9110, 4.2.1).
        guard let host = request.host?.lowercased(),
            hosts.contains(host) || hosts.contains(host + ":80")
        else {
            throw HTTPError(
                421,
                "usage",
                "Unknown host name. Open the address that the board printed."
            )
        }
        return host
    }

    /// Rejects another method, a page of another site, and another kind of body.
    private func check(_ request: BrowserRequest, for response: Response) throws(HTTPError) {
        let ownOrigin = request.host.map { "http://\($0.lowercased())" }
        if let origin = request.origin, origin.lowercased() != ownOrigin { throw Site.foreign }
        if let site = request.fetchSite, site != "same-origin", site != "none" {
            // A page may be opened by a link from anywhere.
            let opens = request.fetchMode == "navigate" && request.method == "GET"
            guard opens, case .file(let name) = response,
                [Site.boardPage, Site.phonePage].contains(name)
            else { throw Site.foreign }
        }
        let methods =
            switch response {
            case .submission: ["POST"]
            case .events: ["GET"]
            case .file, .picture, .error: ["GET", "HEAD"]
            }
        guard methods.contains(request.method) else {
            let allowed = ["Allow": methods.joined(separator: ", ")]
            throw HTTPError(405, "usage", "This method is not allowed here.", allowed)
        }
        if case .submission = response { try checkBody(of: request) }
    }

    /// Requires JSON, which another site's page can send only after a CORS preflight.
    private func checkBody(of request: BrowserRequest) throws(HTTPError) {
        let type = request.contentType?.prefix { $0 != ";" }.lowercased()
        guard type?.split(separator: " ") == ["application/json"] else {
            throw HTTPError(415, "usage", "The body must be application/json.")
        }
        guard let length = request.contentLength else { return }
        guard let count = UInt(length), count <= Submission.maxBytes else { throw .tooLong }
    }

    private static let foreign = HTTPError(403, "usage", "Only the board's own pages may do this.")
}
