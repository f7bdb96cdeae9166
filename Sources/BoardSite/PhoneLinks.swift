package import SyncProtocol

/// The links by which phones enter: one for each player, good as long as that one plays and no
/// computer moves for them.
///
/// A player keeps the link from game to game, since players keep their ids.
package struct PhoneLinks: Sendable {
    /// A link of one player.
    package struct Link: Hashable, Sendable {
        /// The id of the player.
        package let player: String
        /// The name, as it was last told.
        package fileprivate(set) var name: String
        /// Whether it is good now.
        package fileprivate(set) var isGood = true
        /// The part of the path that nobody guesses.
        fileprivate let token: Secret
        fileprivate var allowance = SubmissionAllowance()

        /// The path of its page, beside that of the board: who has it learns nothing of the board,
        /// which shows everybody's links.
        package var path: String { "/\(token.text)/" }
    }

    /// The most links that are ever made: players can be added without end.
    package static let most = 1024

    private var links: [Link] = []
    private var seats: [String] = []

    /// No link yet.
    package init() {}

    /// The good links, in the order of the seats.
    package var good: [Link] {
        seats.compactMap { seat in links.first { $0.player == seat } }
    }

    /// Takes in who plays now: newcomers get a link, and only those who play have a good one.
    package mutating func seat(
        _ players: [PlayerSummary],
        using generator: inout some RandomNumberGenerator
    ) {
        let seated = players.filter { !$0.removed && $0.computer == nil }
        seats = seated.map(\.id)
        for place in links.indices { links[place].isGood = seats.contains(links[place].player) }
        for player in seated {
            if let place = links.firstIndex(where: { $0.player == player.id }) {
                links[place].name = player.name
            } else if links.count < PhoneLinks.most {
                let token = Secret(using: &generator)
                links.append(Link(player: player.id, name: player.name, token: token))
            }
        }
    }

    /// The link with this token; nil where there never was one.
    func link(_ token: some StringProtocol) -> Link? { links.first { $0.token.text == token } }

    /// Takes one submission off what the link of a player may enter.
    ///
    /// - Throws: that it is too fast.
    package mutating func admit(_ player: String, at now: Int64) throws(Refusal) {
        guard let place = links.firstIndex(where: { $0.player == player }) else { throw .gone }
        try links[place].allowance.take(at: now)
    }
}

/// A link of a player, as the board shows it to be scanned.
package struct ShownLink: Encodable, Hashable, Sendable {
    /// The id of the player.
    package let player: String
    /// The name.
    package let name: String
    /// The path of the link.
    package let path: String
    /// The whole address, for a phone.
    package let address: String
    /// The path of its picture for cameras.
    package let qr: String

    /// A link at the address of the server, without a path.
    package init(_ link: PhoneLinks.Link, at server: String) {
        player = link.player
        name = link.name
        path = link.path
        address = server + link.path
        qr = link.path + Site.picture
    }
}

/// A part of an address that nobody guesses: 128 random bits.
package struct Secret: Hashable, Sendable {
    /// As it stands in the address: 32 hexadecimal digits.
    package let text: String

    /// A new one.
    package init(using generator: inout some RandomNumberGenerator) {
        text = (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
