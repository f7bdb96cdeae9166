import JSONCoding
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

/// The fields of a setting that depends on an option.
private enum SettingFields: String, CodingKey, CaseIterable {
    case option
    case when
    case `is`
    case `else`
}

extension Setting: Codable where Constant: Codable {
    /// Reads `{"option": NAME}`, or `{"when": CONDITION, "is": SETTING, "else": SETTING}`, or the
    /// constant itself.
    package init(from decoder: any Decoder) throws {
        guard (try? decoder.container(keyedBy: SettingFields.self)) != nil else {
            do {
                self = .always(try decoder.singleValueContainer().decode(Constant.self))
            } catch {
                // Other numbers are refused in better words.
                if Constant.self == Int64.self { _ = try decoder.number() }
                throw error
            }
            return
        }
        let fields = try decoder.fields(SettingFields.self)
        guard fields.contains(.when) else {
            self = .option(try fields.symbol(.option))
            let stray = fields.allKeys.sorted { $0.rawValue < $1.rawValue }.first { $0 != .option }
            if let stray { throw fields.refusal(stray, "it goes with “when”") }
            return
        }
        if fields.contains(.option) { throw fields.refusal(.option, "it stands within “when”") }
        self = .when(
            try fields.decode(Condition.self, forKey: .when),
            try fields.decode(Setting.self, forKey: .is),
            else: try fields.decodeIfPresent(Setting.self, forKey: .else)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .always(let constant):
            var container = encoder.singleValueContainer()
            try container.encode(constant)
        case .option(let name):
            var fields = encoder.container(keyedBy: SettingFields.self)
            try fields.encode(name.description, forKey: .option)
        case .when(let condition, let setting, let other):
            var fields = encoder.container(keyedBy: SettingFields.self)
            try fields.encode(condition, forKey: .when)
            try fields.encode(setting, forKey: .is)
            try fields.encodeIfPresent(other, forKey: .else)
        }
    }
}

extension WinRule: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let rule = WinRule(rawValue: text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(text.quoted) is neither highest nor lowest"
                )
            )
        }
        self = rule
    }
}

extension SheetOption: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case name
        case kind
        case range
        case odd
        case choices
        case `default`
        case help
    }

    private enum Kind: String, CaseIterable {
        case boolean
        case integer
        case choice
        case text
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        name = try fields.symbol(.name)
        guard Field.option(name) != nil else { throw fields.refusal(.name, "it is too long") }
        help = try fields.text(.help)
        let kind = try fields.word(.kind, of: Kind.self)
        if kind != .integer, fields.contains(.range) {
            throw fields.refusal(.range, "only an integer has one")
        }
        if kind != .integer, fields.contains(.odd) {
            throw fields.refusal(.odd, "only an integer can be")
        }
        isOdd = try fields.decodeIfPresent(Bool.self, forKey: .odd) ?? false
        if kind != .choice, fields.contains(.choices) {
            throw fields.refusal(.choices, "only a choice has them")
        }
        switch kind {
        case .boolean:
            self.kind = .boolean(default: try fields.decode(Bool.self, forKey: .default))
        case .integer:
            let range = try fields.decodeIfPresent(Bounds.self, forKey: .range) ?? .all
            let number = try fields.integer(.default)
            if let number, !range.contains(number) {
                throw fields.refusal(.default, "\(number) is out of the range")
            }
            if isOdd, let number, !number.isOdd {
                throw fields.refusal(.default, "\(number) is even")
            }
            self.kind = .integer(range, default: number)
        case .choice:
            let choices = try fields.symbols(.choices)
            try fields.expect(choices, .choices, 1...Sheet.Limits.choices)
            let choice = try fields.symbol(.default)
            guard choices.contains(choice) else {
                throw fields.refusal(.default, "\(choice) is not one of the choices")
            }
            self.kind = .choice(choices, default: choice)
        case .text:
            self.kind = .text(default: try fields.decodeIfPresent(String.self, forKey: .default))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(name.description, forKey: .name)
        try fields.encode(help, forKey: .help)
        switch kind {
        case .boolean(let isSet):
            try fields.encode(Kind.boolean.rawValue, forKey: .kind)
            try fields.encode(isSet, forKey: .default)
        case .integer(let range, let number):
            try fields.encode(Kind.integer.rawValue, forKey: .kind)
            try fields.encode(range, forKey: .range)
            if isOdd { try fields.encode(isOdd, forKey: .odd) }
            try fields.encodeIfPresent(number, forKey: .default)
        case .choice(let choices, let choice):
            try fields.encode(Kind.choice.rawValue, forKey: .kind)
            try fields.encode(choices.map(\.description), forKey: .choices)
            try fields.encode(choice.description, forKey: .default)
        case .text(let text):
            try fields.encode(Kind.text.rawValue, forKey: .kind)
            try fields.encodeIfPresent(text, forKey: .default)
        }
    }
}

extension Sheet {
    /// How long the JSON of a sheet may be, in bytes: what a value of a session can hold.
    package static let longest = 256 * 1024

    /// Reads a sheet from its JSON, whoever wrote it.
    package init(json: String) throws(SheetError) {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.longest else { throw .tooLong(bytes.count) }
        do {
            self = try SheetText(bytes).root.decode(Sheet.self)
        } catch let refusal as SheetText.Refusal {
            throw .unreadable(path: "", reason: refusal.reason)
        } catch let error as DecodingError {
            let flaw = PlacedFlaw.all(in: error).first
            throw .unreadable(path: flaw?.path ?? "", reason: flaw?.reason ?? "\(error)")
        } catch {
            throw .unreadable(path: "", reason: "\(error)")
        }
    }

    /// The sheet as JSON, the same bytes in every process.
    package var json: String {
        get throws {
            var json = JSONWriter()
            try json.document(self)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }
}
