package import JSONCoding
internal import SyncProtocol

/// A call of the owner's page, which is passed to the daemon as it is.
package struct OwnerCall: Sendable {
    /// The maximum length of a call, such as one with lines of an export.
    package static let maxBytes = 4 << 20

    /// The method of the control socket, or one of the board itself, which begins with `app.`.
    package let method: String
    package let parameters: JSONValue?
    /// A name for a connection to the daemon that later calls continue, such as an export; nil for
    /// a connection for this call alone.
    package let connection: String?

    /// Methods that a page has no use for: it negotiates nothing, follows by events, and if it
    /// stopped the daemon it could not start it again.
    private static let excluded: Set<String> = ["negotiate", "watch", "wait", "daemon.stop"]

    /// Decodes a body.
    ///
    /// - Throws: an error of status 400 for a body that no page of the owner sends, 403 for a
    ///   method that a page may not call, and 409 with the question for an export of keys that the
    ///   owner has not confirmed.
    package init(_ json: [UInt8]) throws(HTTPError) {
        let body: JSONValue
        do { body = try JSONText(json).root } catch {
            throw HTTPError(400, "usage", "Cannot read the body: \(error)")
        }
        guard let method = body["method"]?.string, method.utf8.allSatisfy(OwnerCall.isInName),
            body["params"]?.isObject ?? true
        else { throw HTTPError(400, "usage", "A call has a method and an object of params.") }
        guard !OwnerCall.excluded.contains(method) else {
            throw HTTPError(403, "usage", "A page may not call \(method).")
        }
        (self.method, parameters) = (method, body["params"])
        connection = body["connection"]?.string
        if parameters?["withKey"]?.boolean == true, body["confirmed"]?.boolean != true {
            throw HTTPError(
                409,
                "question",
                "The file will contain the key of the session: anyone who has it can join. Save it?"
            )
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}

/// A claim of a player's link on the page that everyone scans.
package struct Claim: Decodable, Hashable, Sendable {
    /// The id of the player who asks; nil for a new player.
    package let player: String?
    /// The name of a new player.
    package let name: String?
    /// Whether the phone that has the link loses it.
    package let handsOver: Bool?
    /// The paths of the player's pages that this phone has opened.
    package let paths: [String]?

    /// Decodes a body.
    ///
    /// - Throws: an error of status 400.
    package init(_ json: [UInt8]) throws(HTTPError) {
        do { self = try ControlJSON.decode(Claim.self, from: json) } catch {
            throw HTTPError(400, "usage", "Cannot read the body: \(error.message)")
        }
        guard (player == nil) != (name == nil) else {
            throw HTTPError(400, "usage", "A claim has either a player or a name.")
        }
    }
}
