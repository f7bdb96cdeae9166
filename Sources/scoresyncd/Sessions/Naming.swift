import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Names that people give, and the players that they mean by them.
enum Naming {
    /// A name that people gave: trimmed, 1–200 bytes, without control characters.
    static func name(_ text: String, of what: String) throws(ControlError) -> String {
        let name = text.drop(while: \.isWhitespace)
        let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) }
        let trimmed = String(name[..<(end ?? name.endIndex)])
        guard (1...200).contains(trimmed.utf8.count),
            trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw ControlError(
                .refused,
                "\(what) has 1 to 200 bytes and no control characters"
            )
        }
        return trimmed
    }

    /// The most players of a session: their seats must fit one value.
    private static let mostPlayers = 100

    /// Checks the names of new players: sound, and unlike those of the others.
    static func newNames(
        _ texts: [String],
        beside others: [Player]
    ) throws(ControlError) -> [String] {
        var taken = Set(others.filter(\.isPresent).map { $0.name.lowercased() })
        var names: [String] = []
        for text in texts {
            let name = try name(text, of: "a player's name")
            guard !ScoreParser.isScore(name) else {
                throw ControlError(
                    .refused,
                    "“\(name)” reads as a score; choose a name that does not"
                )
            }
            guard taken.insert(name.lowercased()).inserted else {
                throw ControlError(
                    .refused,
                    "there is a player “\(name)” already; add a letter to tell both apart"
                )
            }
            names.append(name)
        }
        guard others.count + names.count <= mostPlayers else {
            throw ControlError(.refused, "a session has at most \(mostPlayers) players")
        }
        return names
    }

    /// The player that a text names, among those given; of several of one name by the beginning of
    /// an id, as the refusal offers it.
    static func player(_ text: String, among players: [Player]) throws(ControlError) -> Player {
        // Spelled out for everybody only where it can be meant: each score looks a name up.
        if text.hasSuffix(")"),
            let player = players.first(where: { precise($0).lowercased() == text.lowercased() })
        {
            return player
        }
        return try Match(text, among: players, \.name, \.id.description).only(
            of: text,
            "players",
            missing: "there is no player “\(text)”",
            known: players.map(\.name),
            precise: precise
        )
    }

    /// A name that nobody else can have.
    private static func precise(_ player: Player) -> String {
        "\(player.name) (\(player.id.description.prefix(8)))"
    }

    /// The players that texts name, each once.
    static func players(
        _ texts: [String],
        among players: [Player]
    ) throws(ControlError) -> [Player] {
        guard !texts.isEmpty else { throw ControlError(.usage, "name a player") }
        var named: [Player] = []
        for text in texts {
            let player = try player(text, among: players)
            if !named.contains(player) { named.append(player) }
        }
        return named
    }
}

extension Match {
    /// The only item that was meant, or an error that lists those that could be.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - plural: what several such items are called, as in “could be several players”.
    ///   - missing: what is said when there is none.
    ///   - known: the names to choose from then.
    ///   - precise: what tells one of several from the others.
    /// - Returns: the item.
    /// - Throws: `notFound` with the candidates.
    func only(
        of text: String,
        _ plural: String,
        missing: String,
        known: [String],
        precise: (Item) -> String
    ) throws(ControlError) -> Item {
        switch self {
        case .one(let item): return item
        case .none: throw ControlError(.notFound, missing, candidates: known)
        case .many(let items):
            throw ControlError(
                .notFound,
                "“\(text)” could be several \(plural)",
                candidates: items.map(precise)
            )
        }
    }
}
