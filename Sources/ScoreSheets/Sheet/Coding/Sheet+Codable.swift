import SessionCRDT

extension Sheet: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        /// What tells editors how to check the file; nothing here needs it.
        case schema = "$schema"
        case id
        case name
        case version
        case summary
        case group
        case help
        case players
        case seats
        case engine
        case rows
        case options
        case wins
        case tieBreakers
        case target
        case ends
        case counts
        case sets
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        for (field, most) in Limits.lists {
            try decoder.container(keyedBy: AnyField.self).expect(field, atMost: most)
        }
        id = try fields.symbol(.id)
        name = try fields.label(.name)
        version = try fields.integer(.version) ?? 1
        summary = try fields.text(.summary)
        group = try fields.contains(.group) ? fields.word(.group) : nil
        help = try fields.text(.help)
        players = try fields.decodeIfPresent(Bounds.self, forKey: .players) ?? .anybody
        seats = try fields.decodeIfPresent([SeatRule].self, forKey: .seats) ?? []
        gameEngine = try fields.contains(.engine) ? fields.word(.engine) : .rows
        rows = try fields.decode([RowEntry].self, forKey: .rows).flatMap(\.rows)
        options = try fields.decodeIfPresent([SheetOption].self, forKey: .options) ?? []
        wins =
            try fields.decodeIfPresent(Setting<WinRule>.self, forKey: .wins) ?? .always(.highest)
        tieBreakers = try fields.decodeIfPresent([TieBreaker].self, forKey: .tieBreakers) ?? []
        target = try fields.decodeIfPresent(Setting<Int64>.self, forKey: .target)
        ends = try fields.contains(.ends) ? fields.word(.ends) : .round
        counts = try fields.contains(.counts) ? fields.word(.counts) : .up
        sets = try fields.decodeIfPresent([FactionSet].self, forKey: .sets) ?? []

        guard version >= 1 else { throw fields.refusal(.version, "versions count from 1") }
        guard players.from >= 0 else { throw fields.refusal(.players, "fewer than nobody") }
        guard !rows.isEmpty else { throw fields.refusal(.rows, "a sheet has a row at least") }
        let flaws = flaws
        guard flaws.isEmpty else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "its parts do not fit together",
                    underlyingError: SheetFlaws(flaws: flaws)
                )
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(id.description, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(version, forKey: .version)
        try fields.encode(summary, forKey: .summary)
        try fields.encodeIfPresent(group?.rawValue, forKey: .group)
        try fields.encode(help, forKey: .help)
        try fields.encode(players, forKey: .players)
        if !seats.isEmpty { try fields.encode(seats, forKey: .seats) }
        try fields.encode(gameEngine.rawValue, forKey: .engine)
        try fields.encode(rowEntries, forKey: .rows)
        try fields.encode(options, forKey: .options)
        try fields.encode(wins, forKey: .wins)
        try fields.encode(tieBreakers, forKey: .tieBreakers)
        try fields.encodeIfPresent(target, forKey: .target)
        if ends != .round { try fields.encode(ends.rawValue, forKey: .ends) }
        if counts != .up { try fields.encode(counts.rawValue, forKey: .counts) }
        if !sets.isEmpty { try fields.encode(sets, forKey: .sets) }
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
