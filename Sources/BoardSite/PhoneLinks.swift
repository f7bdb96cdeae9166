internal import SessionCRDT
package import SyncProtocol

/// An unguessable part of a path: 128 random bits as 32 hexadecimal digits.
package struct PathToken: Codable, Hashable, Sendable {
    package let text: String

    package init(using generator: inout some RandomNumberGenerator) {
        text = (0..<2).map { _ in Hexadecimal.text(of: generator.next() as UInt64) }.joined()
    }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The path of the pages of this token.
    package var path: String { "/\(text)/" }

    /// Whether a text is this token, compared in a time that does not depend on the text.
    package func matches(_ other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        return own.count == other.count && zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The links by which phones enter scores: one for each player, valid while that player takes part
/// and is not played by a computer.
///
/// Players keep their links from game to game. In a next game they have the same ids; in another
/// game a player of the same name gets the link.
package struct PhoneLinks: Codable, Sendable {
    package struct Link: Codable, Hashable, Sendable {
        /// The player in a session.
        fileprivate struct Seat: Codable, Hashable {
            let session: String
            let player: String
            /// Whether the player took part no longer when the session was last shown; nil for no.
            var hasLeft: Bool?
        }

        /// The id of the player in the latest session.
        package var player: String { seats.last?.player ?? "" }
        /// The player's latest name.
        package fileprivate(set) var name: String
        package fileprivate(set) var token: PathToken
        /// Whether a phone has opened the link.
        package fileprivate(set) var isOpened = false
        /// The sessions that were played with this link, the latest last.
        fileprivate var seats: [Seat] = []
        fileprivate var limiter = SubmissionLimiter()

        /// The path of its page.
        ///
        /// It is not below the board's: the holder of a link must not learn the address of the
        /// board, which shows everyone's links.
        package var path: String { token.path }

        fileprivate enum CodingKeys: CodingKey { case name, token, isOpened, seats }

        fileprivate init(name: String, token: PathToken) { (self.name, self.token) = (name, token) }

        /// Returns the id of the player in a session; nil for a session in which the player never took
        /// part, or does so no longer.
        package func player(in session: String) -> String? {
            seats.last { $0.session == session && $0.hasLeft != true }?.player
        }

        /// Whether a phone may open the link: for the session that is shown, or to submit what was
        /// typed in an earlier one.
        package var isUsable: Bool { seats.contains { $0.hasLeft != true } }

        fileprivate mutating func sit(as player: String, in session: String) {
            seats =
                seats.filter { $0.session != session } + [Seat(session: session, player: player)]
            if seats.count > PhoneLinks.maxSessions { seats.removeFirst() }
        }

        fileprivate mutating func leave(_ session: String) {
            for index in seats.indices where seats[index].session == session {
                seats[index].hasLeft = true
            }
        }
    }

    /// The maximum number of links ever made: players can be added without end.
    package static let maxLinks = 1024
    /// The maximum number of sessions to which a phone may still submit.
    package static let maxSessions = 64

    private var links: [Link] = []
    /// The ids of the players who may have a link, in seat order.
    private var seated: [String] = []
    /// The session that is shown.
    package private(set) var session = ""

    package init() {}

    /// The valid links, in the order of the seats.
    package var valid: [Link] {
        seated.compactMap { id in links.first { $0.player == id } }
    }

    /// The valid links, and those of players who took part in earlier sessions only.
    package var usable: [Link] { links.filter(\.isUsable) }

    /// Makes links for new players of the session that is shown, and invalidates those of others.
    package mutating func update(
        _ players: [PlayerSummary],
        of session: String,
        using generator: inout some RandomNumberGenerator
    ) {
        self.session = session
        let present = players.filter { !$0.removed && $0.computer == nil }
        seated = present.map(\.id)
        let known = present.filter { player in links.contains { $0.player == player.id } }
        for player in known + present.filter({ !known.contains($0) }) {
            let index =
                links.firstIndex { $0.player == player.id }
                ?? links.firstIndex { $0.name == player.name && !seated.contains($0.player) }
            if let index {
                links[index].name = player.name
                links[index].sit(as: player.id, in: session)
            } else if links.count < PhoneLinks.maxLinks {
                var link = Link(name: player.name, token: PathToken(using: &generator))
                link.sit(as: player.id, in: session)
                links.append(link)
            }
        }
        for index in links.indices where !seated.contains(links[index].player) {
            links[index].leave(session)
        }
    }

    package func link(_ token: some StringProtocol) -> Link? {
        links.first { $0.token.matches(token) }
    }

    /// Marks that a phone has opened a link; returns whether it is the first one.
    package mutating func markOpened(_ token: PathToken) -> Bool {
        guard let index = links.firstIndex(where: { $0.token == token && !$0.isOpened })
        else { return false }
        links[index].isOpened = true
        return true
    }

    /// Gives a player's link to the phone that asks: the first one, again to the one that knows its
    /// path, or if the player hands over, a new link, which ends the old one.
    ///
    /// - Throws: `gone` for a player who has no link, `taken` if another phone has it.
    package mutating func claim(
        _ player: String,
        knowing paths: [String] = [],
        handsOver: Bool,
        using generator: inout some RandomNumberGenerator
    ) throws(HTTPError) -> Link {
        guard seated.contains(player),
            let index = links.firstIndex(where: { $0.player == player })
        else { throw .gone }
        let isOwn = paths.contains { links[index].token.matches($0.dropFirst().dropLast()) }
        if links[index].isOpened, !isOwn {
            guard handsOver else { throw .taken(links[index].name) }
            links[index].token = PathToken(using: &generator)
        }
        links[index].isOpened = true
        return links[index]
    }

    /// Replaces all links by new ones.
    package mutating func renew(using generator: inout some RandomNumberGenerator) {
        for index in links.indices {
            links[index].token = PathToken(using: &generator)
            links[index].isOpened = false
        }
    }

    /// Counts a submission by a link, and returns the link.
    ///
    /// - Throws: `tooFast`, and `notFound` for a link that was renewed.
    package mutating func admit(_ token: PathToken, at now: Int64) throws(HTTPError) -> Link {
        guard let index = links.firstIndex(where: { $0.token == token }) else { throw .notFound }
        try links[index].limiter.consume(at: now)
        return links[index]
    }
}

/// A player's link as the board shows it, to be scanned.
package struct LinkView: Encodable, Hashable, Sendable {
    /// The id of the player.
    package let player: String
    package let name: String
    package let path: String
    /// The full URL.
    package let address: String
    /// The path of the QR code.
    package let qr: String
    /// Whether a phone has opened the link.
    package let opened: Bool

    /// Creates a link as the board at `server` shows it, an address without a path.
    package init(_ link: PhoneLinks.Link, at server: String) {
        player = link.player
        name = link.name
        path = link.path
        address = server + link.path
        qr = link.path + Site.picture
        opened = link.isOpened
    }
}

/// A player as the page shows who asks for a link: without the link.
package struct SeatView: Encodable, Hashable, Sendable {
    package let player: String
    package let name: String
    /// Whether a phone has this player's link.
    package let taken: Bool

    package init(_ link: PhoneLinks.Link) {
        (player, name, taken) = (link.player, link.name, link.isOpened)
    }
}

/// The paths, links and settings of a board, kept in the home so that its addresses stay valid.
package struct BoardKeys: Codable, Sendable {
    /// The paths of the board, of the page that gives out links, and of the owner's page.
    package var viewer: PathToken
    package var joining: PathToken
    package var owner: PathToken
    /// The value of the cookie of the owner's browser.
    package var cookie: PathToken
    package var links = PhoneLinks()
    /// The port on which the board was last served, and for the owner's board, the one on which the
    /// network is.
    package var port: UInt16?
    package var networkPort: UInt16?
    /// Whether the owner serves the network.
    package var isShared = false
    /// Whether people who scan the common code may add themselves as players.
    package var acceptsNewPlayers = true
    /// The address that the owner chose to be shown; nil for the best one.
    package var address: String?

    package init(using generator: inout some RandomNumberGenerator) {
        viewer = PathToken(using: &generator)
        joining = PathToken(using: &generator)
        owner = PathToken(using: &generator)
        cookie = PathToken(using: &generator)
    }

    /// Replaces the board's path and all links by new ones.
    package mutating func renewLinks(using generator: inout some RandomNumberGenerator) {
        viewer = PathToken(using: &generator)
        joining = PathToken(using: &generator)
        links.renew(using: &generator)
    }
}
