import SessionCRDT

extension Sheet: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case id
        case name
        case version
        case summary
        case help
        case players
        case engine
        case rows
        case options
        case wins
        case tieBreakers
        case target
        case sets
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        id = try fields.symbol(.id)
        name = try fields.label(.name)
        version = try fields.integer(.version) ?? 1
        summary = try fields.text(.summary)
        help = try fields.text(.help)
        players = try fields.decodeIfPresent(Bounds.self, forKey: .players) ?? .anybody
        engine = try fields.contains(.engine) ? fields.word(.engine) : .rows
        rows = try fields.decode([Row].self, forKey: .rows)
        options = try fields.decodeIfPresent([SheetOption].self, forKey: .options) ?? []
        wins =
            try fields.decodeIfPresent(Setting<WinRule>.self, forKey: .wins) ?? .always(.highest)
        tieBreakers = try fields.decodeIfPresent([TieBreaker].self, forKey: .tieBreakers) ?? []
        target = try fields.decodeIfPresent(Setting<Int64>.self, forKey: .target)
        sets = try fields.decodeIfPresent([FactionSet].self, forKey: .sets) ?? []

        guard version >= 1 else { throw fields.refusal(.version, "versions count from 1") }
        guard players.from >= 0 else { throw fields.refusal(.players, "fewer than nobody") }
        guard !rows.isEmpty else { throw fields.refusal(.rows, "a sheet has a row at least") }
        if let twice = repeated(rows.map(\.id)) {
            throw fields.refusal(.rows, "the id \(twice) is there twice")
        }
        if let twice = repeated(options.map(\.name)) {
            throw fields.refusal(.options, "the name \(twice) is there twice")
        }
        if let stray = tieBreakers.first(where: { row($0.row) == nil }) {
            throw fields.refusal(.tieBreakers, "there is no row \(stray.row)")
        }
        if let reason = flawOfWins { throw fields.refusal(.wins, reason) }
        if let reason = flawOfTarget { throw fields.refusal(.target, reason) }
        if let reason = flawOfSets { throw fields.refusal(.sets, reason) }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(id.description, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(version, forKey: .version)
        try fields.encode(summary, forKey: .summary)
        try fields.encode(help, forKey: .help)
        try fields.encode(players, forKey: .players)
        try fields.encode(engine.rawValue, forKey: .engine)
        try fields.encode(rows, forKey: .rows)
        try fields.encode(options, forKey: .options)
        try fields.encode(wins, forKey: .wins)
        try fields.encode(tieBreakers, forKey: .tieBreakers)
        try fields.encodeIfPresent(target, forKey: .target)
        if !sets.isEmpty { try fields.encode(sets, forKey: .sets) }
    }

    /// Why the win rule cannot be what it says; nil when it can.
    private var flawOfWins: String? {
        guard case .option(let name) = wins else { return nil }
        guard let option = option(name) else { return "there is no option \(name)" }
        guard case .choice(let choices, _) = option.kind,
            choices.allSatisfy({ WinRule(rawValue: $0.description) != nil })
        else { return "the option \(name) does not choose between highest and lowest" }
        return nil
    }

    /// Why the target cannot be what it says; nil when it can.
    private var flawOfTarget: String? {
        guard case .option(let name) = target else { return nil }
        guard let option = option(name) else { return "there is no option \(name)" }
        guard case .integer = option.kind else { return "the option \(name) is not a number" }
        return nil
    }

    private func repeated(_ names: [Symbol]) -> Symbol? {
        var seen: Set<Symbol> = []
        return names.first { !seen.insert($0).inserted }
    }
}

extension TieBreaker: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case row
        case wins
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        row = try fields.symbol(.row)
        wins = try fields.decodeIfPresent(WinRule.self, forKey: .wins) ?? .highest
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(row.description, forKey: .row)
        try fields.encode(wins, forKey: .wins)
    }
}
