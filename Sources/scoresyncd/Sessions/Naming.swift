import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Validates the names that users give, and finds the players that they refer to.
enum Naming {
    /// Returns a valid name: trimmed, 1–200 bytes, without control characters.
    static func name(_ text: String, of what: String) throws(ControlError) -> String {
        let name = text.drop(while: \.isWhitespace)
        let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) }
        let trimmed = String(name[..<(end ?? name.endIndex)])
        guard (1...200).contains(trimmed.utf8.count),
            trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw .refused("\(what) must have 1 to 200 bytes and no control characters")
        }
        let isVisible = trimmed.unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace
                && properties.generalCategory != .format
        }
        guard isVisible else { throw .refused("\(what) must not be invisible") }
        return trimmed
    }

    /// The maximum number of players, so that their ids fit into the value of the seats.
    private static let maxPlayers = 100

    /// Validates the names of new players, which must differ from those of other players.
    static func newNames(
        _ texts: [String],
        differingFrom others: [Player]
    ) throws(ControlError) -> [String] {
        var taken = Set(others.filter(\.isPresent).map { $0.name.lowercased() })
        var names: [String] = []
        for text in texts {
            let name = try name(text, of: "a player's name")
            guard !ScoreParser.isScore(name) else {
                throw .refused("“\(name)” can be read as a score; choose another name")
            }
            guard taken.insert(name.lowercased()).inserted else {
                throw .refused(
                    "a player named “\(name)” already exists; add a letter to distinguish them"
                )
            }
            names.append(name)
        }
        guard others.count + names.count <= maxPlayers else {
            throw .refused("a session has at most \(maxPlayers) players")
        }
        return names
    }

    /// Returns the player that a text refers to.
    ///
    /// Players with the same name are distinguished by the beginning of their ids, which the error
    /// shows.
    static func player(_ text: String, among players: [Player]) throws(ControlError) -> Player {
        try Match(text, among: players, named: \.name, id: \.id.description).only(
            of: text,
            "players",
            missing: "there is no player “\(text)”",
            known: players.map(\.name),
            precise: { uniqueName($0.name, id: $0.id.description) }
        )
    }

    /// Returns a name with the beginning of an id, by which several of one name are told apart.
    static func uniqueName(_ name: String, id: String) -> String { "\(name) (\(id.prefix(8)))" }

    /// Returns the players that texts refer to, without duplicates.
    static func players(
        _ texts: [String],
        among players: [Player]
    ) throws(ControlError) -> [Player] {
        guard !texts.isEmpty else { throw .usage("no player given") }
        var named: [Player] = []
        for text in texts {
            let player = try player(text, among: players)
            if !named.contains(player) { named.append(player) }
        }
        return named
    }
}

extension Match {
    /// The number of digits from which the beginning of an id counts: a shorter text is the name of
    /// something that is not there, and the ids of others begin with it by chance.
    private static var minIDDigits: Int { 6 }

    /// Matches a text against names and, if it is none, against ids, or both as errors show them.
    init(
        _ text: String,
        among items: [Item],
        named name: @escaping (Item) -> String,
        id: @escaping (Item) -> String
    ) {
        self = Match(text, among: items, name)
        guard case .none = self else { return }
        if text.hasSuffix(")") {
            self = Match(text, among: items) { Naming.uniqueName(name($0), id: id($0)) }
        } else if text.count >= Self.minIDDigits {
            self = Match(text, among: items, id)
        }
    }

    /// Returns the only item that a text refers to; throws an error that lists the candidates if
    /// there are several.
    ///
    /// `plural` is the noun for several items, as in “could be several players”. `missing` is the
    /// message if there is none, shown with a hint and the `known` names. `precise` returns a text
    /// that distinguishes one of several items.
    func only(
        of text: String,
        _ plural: String,
        missing: String,
        hint: String? = nil,
        known: [String],
        precise: (Item) -> String
    ) throws(ControlError) -> Item {
        switch self {
        case .one(let item): return item
        case .none: throw .notFound(missing, hint: hint, candidates: known)
        case .many(let items):
            throw .notFound("“\(text)” could be several \(plural)", candidates: items.map(precise))
        }
    }
}
