import SessionCRDT

/// Which factions are dealt from.
///
/// What is stored is one option of the session for each faction somebody switched, `faction.ninjas`
/// yes or no, and nothing for sets: a set is chosen as far as its factions are. So choosing a
/// faction chooses its set by itself, a set and its factions never contradict each other, and what
/// two devices switch at once merges faction by faction. What nobody switched is as the sheet says
/// of its set; on the built-in sheet that is the Core Set on and the others off.
struct FactionChoice: Hashable {
    /// The sets of the sheet.
    let sets: [FactionSet]
    /// The factions that are dealt from.
    let chosen: Set<Symbol>
    /// What somebody switched to something that is neither yes nor no.
    let flags: [Flag]

    /// The choice of a book.
    init(_ sheet: Sheet, _ book: Book) {
        var chosen: Set<Symbol> = []
        var flags: [Flag] = []
        for set in sheet.sets {
            for faction in set.factions {
                let value = book.options[faction.option] ?? .null
                if value.boolean ?? set.isChosen { chosen.insert(faction.id) }
                guard value != .null, value.boolean == nil else { continue }
                let takes = OptionKind.boolean(default: set.isChosen).words
                let reason = RuleViolation.wrongOption(
                    faction.option,
                    takes: takes,
                    found: value.words
                )
                flags.append(Flag(.option(faction.option), reason))
            }
        }
        sets = sheet.sets
        self.chosen = chosen
        self.flags = flags
    }

    /// The factions that are dealt from, in the order of the sheet.
    var pool: [Faction] { sets.flatMap(\.factions).filter { chosen.contains($0.id) } }

    /// How many factions are dealt from, in words.
    static func words(ofPool count: Int) -> String {
        count == 1 ? "1 faction to deal from" : "\(count) factions to deal from"
    }

    /// The chosen sets, a line each: `Core Set (8)`, `Monster Smash: Vampires, Werewolves`.
    var lines: [String] {
        sets.compactMap { set in
            let used = set.factions.filter { chosen.contains($0.id) }
            guard !used.isEmpty else { return nil }
            return used.count == set.factions.count
                ? "\(set.name) (\(used.count))"
                : "\(set.name): \(used.map(\.name).joined(separator: ", "))"
        }
    }

    /// The ids of the sets of which nothing is chosen.
    var unused: [Symbol] {
        sets.filter { set in !set.factions.contains { chosen.contains($0.id) } }.map(\.id)
    }
}

extension FactionChoice {
    /// What can be named: a set, a faction, or `all`.
    private struct Named {
        let id: String
        let name: String
        let factions: [Faction]
    }

    /// The options that a switch of sets and factions, which may be shortened, records.
    func options(
        of change: FactionSwitch,
        _ words: [String]
    ) throws(RuleViolation) -> [Symbol: Value] {
        guard !words.isEmpty else {
            throw SmashUpWording.nothingNamed(change, known: sets.map(\.id)).violation
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
        let all = Named(id: "all", name: "all", factions: sets.flatMap(\.factions))
        let named =
            [all]
            + sets.map { Named(id: $0.id.description, name: $0.name, factions: $0.factions) }
            + all.factions.map { Named(id: $0.id.description, name: $0.name, factions: [$0]) }
        switch Match(word, among: named, \.id, \.name) {
        case .one(let one): return one.factions
        case .none: throw SmashUpWording.unknownFaction(word, known: sets.map(\.id)).violation
        case .many(let many):
            throw SmashUpWording.ambiguousFaction(word, candidates: many.map(\.id)).violation
        }
    }
}
