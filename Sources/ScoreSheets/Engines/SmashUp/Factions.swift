package import SessionCRDT

/// Half a deck of Smash Up; every player is dealt two.
package struct Faction: Hashable, Sendable {
    /// The word that players type: `bear-cavalry`.
    package let id: Symbol
    package let name: String
    /// The option of the session that includes it in the deal.
    package let option: Symbol

    /// Creates a faction; nil if the id is too long for the name of an option.
    init?(id: Symbol, name: String) {
        guard let option = Symbol("faction.\(id)"), Field.option(option) != nil else { return nil }
        self.id = id
        self.name = name
        self.option = option
    }

    /// Returns the id of a faction with only a name: `Grimms' Tales` is `grimms-tales`.
    ///
    /// Nil for names without a letter a–z or a digit, which need an id of their own.
    static func id(of name: String) -> Symbol? {
        var words: [String] = [""]
        for character in name.lowercased() where character != "'" && character != "\u{2019}" {
            if ("a"..."z").contains(character) || ("0"..."9").contains(character) {
                words[words.count - 1].append(character)
            } else {
                words.append("")
            }
        }
        return Symbol(words.filter { !$0.isEmpty }.joined(separator: "-"))
    }
}

/// A box of factions that people own, and choose as a whole.
package struct FactionSet: Hashable, Sendable {
    /// The word that players type: `core`.
    package let id: Symbol
    package let name: String
    package let isDealtByDefault: Bool
    /// The factions in the order of the box; at least one.
    package let factions: [Faction]
}

extension FactionSet: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case id
        case name
        case chosen
        case factions
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        id = try fields.symbol(.id)
        name = try fields.factionName(.name)
        isDealtByDefault = try fields.decodeIfPresent(Bool.self, forKey: .chosen) ?? false
        factions = try fields.decode([Faction].self, forKey: .factions)
        guard (1...Sheet.Limits.factions).contains(factions.count) else {
            throw fields.refusal(
                .factions,
                "a set has 1 to \(Sheet.Limits.factions) factions, not \(factions.count)"
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(id.description, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(isDealtByDefault, forKey: .chosen)
        try fields.encode(factions, forKey: .factions)
    }
}

extension Faction: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case id
        case name
    }

    /// Decodes `"Bear Cavalry"`, or `{"id": …, "name": …}` if the name has no usable id.
    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            guard text.unicodeScalars.count <= Sheet.Limits.label, let id = Faction.id(of: text),
                let faction = Faction(id: id, name: text)
            else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "\(text.quoted) makes no id that can be typed; "
                            + #"write {"id": …, "name": …}"#
                    )
                )
            }
            self = faction
        } else {
            let fields = try decoder.fields(Fields.self)
            let id = try fields.symbol(.id)
            guard let faction = Faction(id: id, name: try fields.factionName(.name)) else {
                throw fields.refusal(.id, "it is too long")
            }
            self = faction
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if Faction.id(of: name) == id {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        } else {
            var fields = encoder.container(keyedBy: Fields.self)
            try fields.encode(id.description, forKey: .id)
            try fields.encode(name, forKey: .name)
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func factionName(_ key: Key) throws -> String {
        let name = try label(key)
        guard name.unicodeScalars.count <= Sheet.Limits.label else {
            throw refusal(key, "it is longer than \(Sheet.Limits.label) characters")
        }
        return name
    }
}

extension Sheet.Limits {
    package static let sets = 64
    package static let factions = 64
    /// The maximum number of players in a game that deals factions: a deal is one value of at most
    /// 4 KiB.
    package static let dealtPlayers: Int64 = 24
}

extension Sheet {
    var factions: [Faction] { sets.flatMap(\.factions) }

    /// The flaws of the sets, and of numbers that the engine of Smash Up cannot add up.
    var factionFlaws: [SheetFlaw] {
        guard gameEngine.rules is SmashUpRules.Type else {
            return sets.isEmpty ? [] : [SheetFlaw(["sets"], "only the engine smashup has sets")]
        }
        var flaws: [SheetFlaw] = []
        if !(1...Limits.sets).contains(sets.count) {
            let reason = "the engine smashup takes 1 to \(Limits.sets) sets, not \(sets.count)"
            flaws.append(SheetFlaw(["sets"], reason))
        }
        if players.to > Limits.dealtPlayers {
            let reason = "the engine smashup is for at most \(Limits.dealtPlayers) players"
            flaws.append(SheetFlaw(["players"], reason))
        }
        var seen: Set<Symbol> = []
        // Sets and factions are named by the same words, so that their ids must differ.
        let ids = sets.map(\.id) + factions.map(\.id)
        for id in ids where !seen.insert(id).inserted {
            flaws.append(SheetFlaw(["sets"], "the id \(id) is there twice"))
        }
        return flaws + SmashUpRow.allCases.compactMap(flaw(of:))
    }

    private func flaw(of fact: SmashUpRow) -> SheetFlaw? {
        guard let index = rows.firstIndex(where: { $0.id == fact.id }),
            rows[index].kind == fact.kind
        else { return nil }
        let row = rows[index]
        if fact.kind.repeats, row.lastRound != Cell.lastRound {
            return SheetFlaw(["rows", AnyField(index), "last"], "the engine needs every round")
        }
        // Sums within these bounds cannot overflow.
        let most: ClosedRange<Int64>? =
            switch fact {
            case .points: -9999...9999
            case .madness: 0...9999
            case .turn, .deal, .reveal: nil
            }
        guard let most, !most.contains(row.range.from) || !most.contains(row.range.to) else {
            return nil
        }
        let reason = "the engine smashup needs it within \(most.lowerBound) and \(most.upperBound)"
        return SheetFlaw(["rows", AnyField(index), "range"], reason)
    }
}

package enum FactionSwitch: String, Hashable, CaseIterable {
    case use
    case without
    /// Uses these and no others.
    case only
}

/// The factions to deal.
///
/// Stored as one option of the session for each faction that was switched, `faction.ninjas` yes or
/// no, and nothing for sets: choosing a set chooses its factions. So a set and its factions never
/// contradict each other, and changes of disconnected devices merge faction by faction. Factions
/// that no player switched have the default of their set; on the built-in sheet the Core Set is
/// chosen.
struct FactionChoice: Hashable {
    let sets: [FactionSet]
    let chosen: Set<Symbol>
    /// Flags on the options of factions with a value other than yes or no.
    let flags: [Flag]

    init(_ sheet: Sheet, _ book: Book) {
        var chosen: Set<Symbol> = []
        var flags: [Flag] = []
        for set in sheet.sets {
            for faction in set.factions {
                let value = book.options[faction.option] ?? .null
                if value.boolean ?? set.isDealtByDefault { chosen.insert(faction.id) }
                guard value != .null, value.boolean == nil else { continue }
                let reason = RuleViolation.wrongValue(
                    faction.option,
                    accepts: "yes or no",
                    found: value.words
                )
                flags.append(Flag(.option(faction.option), reason))
            }
        }
        sets = sheet.sets
        self.chosen = chosen
        self.flags = flags
    }

    /// The factions to deal, in the order of the sheet.
    var pool: [Faction] { sets.flatMap(\.factions).filter { chosen.contains($0.id) } }

    /// `8 factions to deal from`.
    var poolWords: String {
        pool.count == 1 ? "1 faction to deal from" : "\(pool.count) factions to deal from"
    }

    /// A line for each chosen set: `Core Set (8)`, `Monster Smash: Vampires, Werewolves`.
    var lines: [String] {
        sets.compactMap { set in
            let used = set.factions.filter { chosen.contains($0.id) }
            guard !used.isEmpty else { return nil }
            return used.count == set.factions.count
                ? "\(set.name) (\(used.count))"
                : "\(set.name): \(used.map(\.name).joined(separator: ", "))"
        }
    }

    /// The sets without a chosen faction.
    var unused: [Symbol] {
        sets.filter { set in !set.factions.contains { chosen.contains($0.id) } }.map(\.id)
    }

    /// Returns the options that a change of sets and factions records; names may be shortened.
    func options(
        of change: FactionSwitch,
        _ words: [String]
    ) throws(RuleViolation) -> [Symbol: Value] {
        guard !words.isEmpty else {
            let example = sets.first?.id.description ?? "all"
            throw RuleViolation(
                "no set or faction given; sets: all, \(sets.map(\.id).list)",
                hint: "for example: scorectl play \(change.rawValue) \(example)"
            )
        }
        var options: [Symbol: Value] = [:]
        for word in words {
            for faction in try factions(word) {
                options[faction.option] = .boolean(change != .without)
            }
        }
        if change == .only {
            for faction in pool where options[faction.option] == nil {
                options[faction.option] = .boolean(false)
            }
        }
        return options
    }

    private func factions(_ word: String) throws(RuleViolation) -> [Faction] {
        let all = sets.flatMap(\.factions)
        let named: [(id: String, name: String, factions: [Faction])] =
            [("all", "all", all)] + sets.map { ($0.id.description, $0.name, $0.factions) }
            + all.map { ($0.id.description, $0.name, [$0]) }
        switch Match(word, among: named, { $0.id }, { $0.name }) {
        case .one(let one): return one.factions
        case .none:
            throw RuleViolation(
                "there is no set or faction \(word.quoted); the sets are: all, "
                    + sets.map(\.id).list
            )
        case .many(let many):
            let names = many.map { $0.id }.joined(separator: ", ")
            throw RuleViolation("\(word.quoted) could be any of: \(names)")
        }
    }
}

/// The factions of each player, dealt at random and recorded once.
///
/// A deal is one value of one cell. If disconnected devices deal at the same time, the deal of the
/// last writer counts as a whole on all of them, and no faction is dealt twice, as it could be if
/// each player's hand had a cell of its own.
struct FactionDeal: Hashable {
    struct Hand: Hashable {
        let player: PlayerID
        let factions: [Symbol]
    }

    static let factionsEach = 2

    /// The hands in the order of the seats at the time of the deal.
    let hands: [Hand]

    /// Deals to players from a pool of at least two factions per player.
    init(
        to players: [PlayerID],
        from pool: [Faction],
        using chance: inout any RandomNumberGenerator
    ) {
        let dealt = pool.map(\.id).shuffled(using: &chance)
        hands = players.enumerated().map { index, player in
            let first = index * FactionDeal.factionsEach
            let last = min(first + FactionDeal.factionsEach, dealt.count)
            return Hand(player: player, factions: Array(dealt[min(first, last)..<last]))
        }
    }

    private init(_ hands: [Hand]) { self.hands = hands }

    /// Parses a deal to players of the session from the factions of the sheet.
    ///
    /// Returns nil for any other value, and for a deal with duplicates. The factions need not be
    /// chosen any more: they were when they were dealt.
    init?(_ value: Value, by setup: SmashUpSetup) {
        guard let text = value.string else { return nil }
        var players: Set<PlayerID> = []
        var dealt: Set<Symbol> = []
        var hands: [Hand] = []
        // By bytes, which is faster; unusual texts fail the comparison below.
        for word in text.utf8.split(separator: UInt8(ascii: " ")) {
            let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 2, let player = PlayerID(Substring(parts[0])),
                setup.seats[player] != nil, players.insert(player).inserted
            else { return nil }
            let factions = parts[1].split(separator: UInt8(ascii: "+"))
                .compactMap { Symbol(String(Substring($0))) }
            let isSound = factions.allSatisfy {
                setup.factionNames[$0] != nil && dealt.insert($0).inserted
            }
            guard isSound, factions.count == FactionDeal.factionsEach else { return nil }
            hands.append(Hand(player: player, factions: factions))
        }
        self.hands = hands
        // A deal has only one valid spelling, so that a reveal can refer to the deal by its text.
        guard !hands.isEmpty, value == self.value else { return nil }
    }

    /// The recorded value: `PLAYER:FACTION+FACTION` for each player.
    var value: Value {
        let words = hands.map { hand in
            "\(hand.player):\(hand.factions.map(\.description).joined(separator: "+"))"
        }
        return .text(words.joined(separator: " "))
    }

    func dealt(to players: [PlayerID]) -> FactionDeal? {
        let players = Set(players)
        let hands = hands.filter { players.contains($0.player) }
        return hands.isEmpty ? nil : FactionDeal(hands)
    }

    /// Returns the factions of a player; empty for players who came later.
    func factions(of player: PlayerID) -> [Symbol] {
        hands.first { $0.player == player }?.factions ?? []
    }
}
