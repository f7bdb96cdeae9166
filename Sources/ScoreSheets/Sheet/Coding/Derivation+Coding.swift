import SessionCRDT

extension Derivation {
    /// Reads the derivation of a row of a computed kind.
    init(_ kind: RowKind, _ fields: KeyedDecodingContainer<RowField>) throws {
        let rows = try fields.symbols(.of)
        try fields.expect(rows, .of, 1...Sheet.Limits.sources)
        switch kind {
        case .sum: self = .sum(rows)
        case .product: self = .product(rows)
        case .sets:
            let wild = try fields.contains(.wild) ? fields.symbol(.wild) : nil
            self = .sets(SymbolSets(rows: rows, wild: wild, set: try fields.integer(.set) ?? 0))
        case .drop:
            let values = try fields.decode([DropValue].self, forKey: .values)
            guard values.count == rows.count else {
                throw fields.refusal(.values, "there are \(rows.count) rows and not as many values")
            }
            self = .drop(
                DropTheMost(
                    rows: rows,
                    order: try fields.symbol(.order),
                    values: values,
                    override: try fields.contains(.override) ? fields.symbol(.override) : nil
                )
            )
        case .number, .rounds, .tokens, .flag, .choice, .order, .text, .moves, .formula:
            throw fields.refusal(.kind, "it is entered and not worked out")
        }
    }

    /// Writes the derivation.
    func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
        switch self {
        case .sum(let rows), .product(let rows):
            try fields.encode(rows.map(\.description), forKey: .of)
        case .sets(let rule):
            try fields.encode(rule.rows.map(\.description), forKey: .of)
            try fields.encodeIfPresent(rule.wild?.description, forKey: .wild)
            try fields.encode(rule.set, forKey: .set)
        case .drop(let rule):
            try fields.encode(rule.rows.map(\.description), forKey: .of)
            try fields.encode(rule.order.description, forKey: .order)
            try fields.encode(rule.values, forKey: .values)
            try fields.encodeIfPresent(rule.override?.description, forKey: .override)
        case .formula(let formula): try fields.encode(formula, forKey: .formula)
        }
    }
}

extension DropValue: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case complete
        case `else`
    }

    /// Reads a number, or `{"complete": 10, "else": 5}`.
    package init(from decoder: any Decoder) throws {
        if (try? decoder.container(keyedBy: Fields.self)) != nil {
            let fields = try decoder.fields(Fields.self)
            self = .two(
                complete: try fields.integer(.complete) ?? 0,
                else: try fields.integer(.else) ?? 0
            )
        } else {
            self = .one(try decoder.number())
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .one(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .two(let complete, let other):
            var fields = encoder.container(keyedBy: Fields.self)
            try fields.encode(complete, forKey: .complete)
            try fields.encode(other, forKey: .else)
        }
    }
}
