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
