import SessionCRDT

extension RowContent {
    /// Reads what a row of this kind holds.
    init(_ kind: RowKind, _ fields: KeyedDecodingContainer<RowField>) throws {
        switch kind {
        case .number: self = .number(try Worth(fields))
        case .rounds:
            let last = try fields.integer(.last) ?? Int64(Cell.lastRound)
            guard (1...Int64(Cell.lastRound)).contains(last) else {
                throw fields.refusal(.last, "rounds count from 1 to \(Cell.lastRound)")
            }
            self = .rounds(try Worth(fields), try Rounds(fields, last: UInt32(last)))
        case .tokens:
            self = .tokens(try fields.integers(.tokens, 1...Sheet.Limits.tokens))
        case .flag:
            self = .flag(points: try fields.integer(.points) ?? 0)
        case .choice:
            let choices = try fields.decode([RowChoice].self, forKey: .choices)
            try fields.expect(choices.map(\.word), .choices, 1...Sheet.Limits.choices)
            self = .choice(choices)
        case .order: self = .order(try WordOrder(fields))
        case .text: self = .text
        case .moves: self = .moves
        case .sum, .product, .sets, .drop:
            self = .computed(try Derivation(kind, fields), try Worth(fields))
        case .formula:
            self = .computed(
                .formula(try fields.decode(Formula.self, forKey: .formula)),
                try Worth(fields, hasFormula: false)
            )
        }
    }

    /// Writes it; a field of a round has no worth of its own.
    func encode(to fields: inout KeyedEncodingContainer<RowField>, isField: Bool) throws {
        switch self {
        case .number(let worth): try worth.encode(to: &fields)
        case .rounds(let worth, let rounds):
            try worth.encode(to: &fields)
            try rounds.encode(to: &fields)
        case .flag where isField: break
        case .tokens(let tokens): try fields.encode(tokens, forKey: .tokens)
        case .flag(let points): try fields.encode(points, forKey: .points)
        case .choice(let choices): try fields.encode(choices, forKey: .choices)
        case .order(let rule):
            try fields.encode(rule.words.map(\.description), forKey: .words)
            let presets = rule.presets.map { $0.map(\.description) }
            if !presets.isEmpty { try fields.encode(presets, forKey: .presets) }
        case .text, .moves: break
        case .computed(let derivation, let worth):
            try derivation.encode(to: &fields)
            try worth.encode(to: &fields)
        }
    }
}

extension Worth {
    /// Reads the steps; without fields it is worth itself.
    init(_ fields: KeyedDecodingContainer<RowField>, hasFormula: Bool = true) throws {
        let formula =
            hasFormula ? try fields.decodeIfPresent(Formula.self, forKey: .formula) : nil
        if formula != nil, let step = RowField.worth.first(where: { fields.contains($0) }) {
            let reason = "not beside a formula; it goes with a row of the kind formula"
            throw fields.refusal(step, reason)
        }
        let per = try fields.integer(.per) ?? 1
        guard per >= 1 else { throw fields.refusal(.per, "it divides by 1 at least") }
        let places = try fields.decodeIfPresent([Setting<Int64>].self, forKey: .places) ?? []
        guard places.count <= Sheet.Limits.table else {
            throw fields.refusal(.places, "more than \(Sheet.Limits.table)")
        }
        for (index, place) in places.enumerated() {
            if !place.constants.allSatisfy(Bounds.all.contains) {
                throw fields.refusal([RowField.places, AnyField(index)], "it is too large")
            }
        }
        self.init(
            per: per,
            table: fields.contains(.table)
                ? try fields.integers(.table, 1...Sheet.Limits.table) : [],
            steps: try WorthStep.steps(fields),
            places: places,
            ties: try fields.contains(.ties) ? fields.word(.ties) : .share,
            factor: try fields.integer(.factor) ?? 1,
            formula: formula
        )
    }

    /// Writes the steps that there are.
    func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
        if per != 1 { try fields.encode(per, forKey: .per) }
        if !table.isEmpty { try fields.encode(table, forKey: .table) }
        if !steps.isEmpty { try fields.encode(steps, forKey: .steps) }
        if !places.isEmpty { try fields.encode(places, forKey: .places) }
        if ties != .share { try fields.encode(ties.rawValue, forKey: .ties) }
        if factor != 1 { try fields.encode(factor, forKey: .factor) }
        try fields.encodeIfPresent(formula, forKey: .formula)
    }
}

extension WordOrder {
    /// Reads the words and the usual orders.
    init(_ fields: KeyedDecodingContainer<RowField>) throws {
        words = try fields.symbols(.words)
        try fields.expect(words, .words, 2...Sheet.Limits.sources)
        let texts = try fields.decodeIfPresent([[String]].self, forKey: .presets) ?? []
        guard texts.count <= Sheet.Limits.presets else {
            throw fields.refusal(.presets, "more than \(Sheet.Limits.presets)")
        }
        var presets: [[Symbol]] = []
        for (index, text) in texts.enumerated() {
            let preset = text.compactMap(Symbol.init)
            guard preset.count == words.count, Set(preset) == Set(words) else {
                throw fields.refusal(
                    [RowField.presets, AnyField(index)],
                    "it is not an order of \(words.list)"
                )
            }
            presets.append(preset)
        }
        self.presets = presets
    }
}

extension RowChoice: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case word
        case points
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        word = try fields.symbol(.word)
        points = try fields.integer(.points) ?? 0
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(word.description, forKey: .word)
        try fields.encode(points, forKey: .points)
    }
}
