import SessionCRDT

extension Row: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case id
        case label
        case kind
        case range
        case scores
        case help
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        id = try fields.symbol(.id)
        guard !id.description.contains(".") else {
            throw fields.refusal(.id, "a dot separates the round, so that \(id) is not a row")
        }
        label = try fields.label(.label)
        kind = try fields.word(.kind)
        range = try fields.decodeIfPresent(Bounds.self, forKey: .range) ?? .all
        scores = try fields.decodeIfPresent(Bool.self, forKey: .scores) ?? true
        help = try fields.text(.help)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(id.description, forKey: .id)
        try fields.encode(label, forKey: .label)
        try fields.encode(kind.rawValue, forKey: .kind)
        try fields.encode(range, forKey: .range)
        try fields.encode(scores, forKey: .scores)
        try fields.encode(help, forKey: .help)
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
