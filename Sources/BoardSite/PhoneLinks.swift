package import SyncProtocol

/// An unguessable part of a path: 128 random bits as 32 hexadecimal digits.
package struct PathToken: Hashable, Sendable {
    package let text: String

    package init(using generator: inout some RandomNumberGenerator) {
        text = (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}

/// The links by which phones enter scores: one for each player, valid while that player takes part
/// and is not played by a computer.
///
/// Players keep their links from game to game, since they keep their ids.
package struct PhoneLinks: Sendable {
    package struct Link: Hashable, Sendable {
        /// The id of the player.
        package let player: String
        /// The player's latest name.
        package fileprivate(set) var name: String
        package fileprivate(set) var isValid = true
        fileprivate let token: PathToken
        fileprivate var limiter = SubmissionLimiter()

        /// The path of its page.
        ///
        /// It is not below the board's: the holder of a link must not learn the address of the
        /// board, which shows everyone's links.
        package var path: String { "/\(token.text)/" }
    }

    /// The maximum number of links ever made: players can be added without end.
    package static let maxLinks = 1024

    private var links: [Link] = []
    private var seats: [String] = []

    package init() {}

    /// The valid links, in the order of the seats.
    package var valid: [Link] { seats.compactMap { seat in links.first { $0.player == seat } } }

    /// Makes links for new players and invalidates those of players who left.
    package mutating func update(
        _ players: [PlayerSummary],
        using generator: inout some RandomNumberGenerator
    ) {
        let seated = players.filter { !$0.removed && $0.computer == nil }
        seats = seated.map(\.id)
        for index in links.indices { links[index].isValid = seats.contains(links[index].player) }
        for player in seated {
            if let index = links.firstIndex(where: { $0.player == player.id }) {
                links[index].name = player.name
            } else if links.count < PhoneLinks.maxLinks {
                let token = PathToken(using: &generator)
                links.append(Link(player: player.id, name: player.name, token: token))
            }
        }
    }

    func link(_ token: some StringProtocol) -> Link? { links.first { $0.token.text == token } }

    /// Counts a submission by a player.
    ///
    /// - Throws: `tooFast`.
    package mutating func admit(_ player: String, at now: Int64) throws(HTTPError) {
        guard let index = links.firstIndex(where: { $0.player == player }) else { throw .gone }
        try links[index].limiter.consume(at: now)
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

    /// Creates a link as the board at `server` shows it, an address without a path.
    package init(_ link: PhoneLinks.Link, at server: String) {
        player = link.player
        name = link.name
        path = link.path
        address = server + link.path
        qr = link.path + Site.picture
    }
}
