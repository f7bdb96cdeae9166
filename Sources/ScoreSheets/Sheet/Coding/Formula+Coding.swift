import SessionCRDT

extension Formula: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do throws(FormulaFlaw) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: error.reason,
                    underlyingError: error
                )
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Rounds {
    /// Reads how rounds are entered and add up.
    init(_ fields: KeyedDecodingContainer<RowField>, last: UInt32) throws {
        let checks = try fields.decodeIfPresent([RoundCheck].self, forKey: .checks) ?? []
        guard checks.count <= Sheet.Limits.checks else {
            throw fields.refusal(.checks, SheetFlaw.excess(checks.count, Sheet.Limits.checks))
        }
        self.init(
            last: last,
            hasFields: fields.contains(.fields),
            running: try fields.decodeIfPresent(Formula.self, forKey: .running),
            checks: checks
        )
        if running != nil, fields.contains(.places) {
            let reason = "not beside “places”: let a formula rank the round, as in rank(points)"
            throw fields.refusal(.running, reason)
        }
        if hasFields, !fields.contains(.formula) {
            throw fields.refusal(.fields, "say in a formula what a round of them is worth")
        }
        if hasFields, fields.contains(.range) {
            throw fields.refusal(.range, "each of the fields has its own")
        }
    }

    /// Writes it without the fields, which are rows.
    func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
        if last != Cell.lastRound { try fields.encode(last, forKey: .last) }
        try fields.encodeIfPresent(running, forKey: .running)
        if !checks.isEmpty { try fields.encode(checks, forKey: .checks) }
    }
}

extension RoundCheck: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case formula
        case each
        case help
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        formula = try fields.decode(Formula.self, forKey: .formula)
        isOfEach = try fields.decodeIfPresent(Bool.self, forKey: .each) ?? false
        help = try fields.text(.help)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(formula, forKey: .formula)
        if isOfEach { try fields.encode(true, forKey: .each) }
        try fields.encode(help, forKey: .help)
    }
}

extension WorthStep: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case from
        case points
    }

    /// Reads the thresholds of a row, from the least.
    static func steps(_ fields: KeyedDecodingContainer<RowField>) throws -> [WorthStep] {
        let steps = try fields.decodeIfPresent([WorthStep].self, forKey: .steps) ?? []
        guard steps.count <= Sheet.Limits.table else {
            throw fields.refusal(.steps, SheetFlaw.excess(steps.count, Sheet.Limits.table))
        }
        for (index, pair) in zip(steps, steps.dropFirst()).enumerated()
        where pair.0.from >= pair.1.from {
            let reason = "\(pair.1.from) does not come after \(pair.0.from)"
            throw fields.refusal([RowField.steps, AnyField(index + 1), Fields.from], reason)
        }
        return steps
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        guard let from = try fields.integer(.from) else {
            throw fields.refusal(.from, "it is missing")
        }
        self.from = from
        points = try fields.integer(.points) ?? 0
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(from, forKey: .from)
        try fields.encode(points, forKey: .points)
    }
}
