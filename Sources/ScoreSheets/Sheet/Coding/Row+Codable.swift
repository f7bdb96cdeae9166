import SessionCRDT

extension Row: Codable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(RowField.self)
        id = try fields.symbol(.id)
        guard !id.description.contains(".") else {
            throw fields.refusal(.id, "a dot separates the round, so that \(id) is not a row")
        }
        label = try fields.label(.label)
        let kind = try fields.word(.kind, of: RowKind.self)
        try fields.expect(RowField.common + kind.fields, of: kind.rawValue)
        aliases = try fields.symbolsIfPresent(.aliases, atMost: Sheet.Limits.aliases)
        content = try RowContent(kind, fields)
        range = try fields.decodeIfPresent(Bounds.self, forKey: .range) ?? .all
        empty = try fields.integer(.empty)
        isSole = try fields.decodeIfPresent(Bool.self, forKey: .sole) ?? false
        scores = try fields.decodeIfPresent(Bool.self, forKey: .scores) ?? true
        condition = try fields.decodeIfPresent(Condition.self, forKey: .when)
        help = try fields.text(.help)
        if let empty, !range.contains(empty) {
            throw fields.refusal(.empty, "\(empty) is out of the range")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: RowField.self)
        try fields.encode(id.description, forKey: .id)
        try fields.encode(label, forKey: .label)
        try fields.encode(kind.rawValue, forKey: .kind)
        try fields.encode(scores, forKey: .scores)
        try fields.encode(help, forKey: .help)
        if !aliases.isEmpty { try fields.encode(aliases.map(\.description), forKey: .aliases) }
        if kind.fields.contains(.range) { try fields.encode(range, forKey: .range) }
        try fields.encodeIfPresent(empty, forKey: .empty)
        if isSole { try fields.encode(true, forKey: .sole) }
        try fields.encodeIfPresent(condition, forKey: .when)
        try content.encode(to: &fields)
    }
}

extension KeyedDecodingContainer<RowField> {
    /// Refuses fields that rows of this kind do not have.
    fileprivate func expect(_ fields: [RowField], of kind: String) throws {
        let found = allKeys.sorted { $0.rawValue < $1.rawValue }
        if let stranger = found.first(where: { !fields.contains($0) }) {
            let known = fields.map(\.rawValue).joined(separator: ", ")
            throw refusal(
                stranger,
                "a row of the kind \(kind) does not have it; known are: \(known)"
            )
        }
    }
}

extension Bounds: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case from
        case to
    }

    /// How many players there are where a sheet does not say.
    static let anybody = Bounds(within: 1...Int64.max)

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        from = try fields.integer(.from) ?? Bounds.all.from
        to = try fields.integer(.to) ?? Bounds.all.to
        guard from <= to else { throw fields.refusal(.to, "\(to) is below \(from)") }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(from, forKey: .from)
        try fields.encode(to, forKey: .to)
    }
}

extension Condition: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case option
        case `is`
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        option = try fields.symbol(.option)
        words = try fields.symbolsIfPresent(.is, atMost: Sheet.Limits.choices)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(option.description, forKey: .option)
        if !words.isEmpty { try fields.encode(words.map(\.description), forKey: .is) }
    }
}

extension SeatRule: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case when
        case from
        case to
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        condition = try fields.decode(Condition.self, forKey: .when)
        let from = try fields.integer(.from) ?? Bounds.anybody.from
        let to = try fields.integer(.to) ?? Bounds.anybody.to
        guard 0 <= from else { throw fields.refusal(.from, "fewer than nobody") }
        guard from <= to else { throw fields.refusal(.to, "\(to) is below \(from)") }
        players = Bounds(within: from...to)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(condition, forKey: .when)
        try fields.encode(players.from, forKey: .from)
        try fields.encode(players.to, forKey: .to)
    }
}
