import SessionCRDT

/// A row as a sheet writes it down: with the fields of its rounds, which are rows before it.
struct RowEntry: Codable {
    /// The fields, then the row itself.
    let rows: [Row]

    /// A row with its fields.
    init(_ rows: [Row]) { self.rows = rows }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(RowField.self)
        let row = try Row(fields)
        guard case .rounds(_, let rounds) = row.content, rounds.hasFields else {
            rows = [row]
            return
        }
        let parts = try fields.decode([RowPart].self, forKey: .fields)
        let range = 1...Sheet.Limits.fields
        guard range.contains(parts.count) else {
            let reason = "it takes \(range.lowerBound) to \(range.upperBound), not \(parts.count)"
            throw fields.refusal(.fields, reason)
        }
        let group = Row.Group(row: row.id, last: rounds.last)
        rows = parts.map { Row($0.row, fieldOf: group, when: row.condition) } + [row]
    }

    func encode(to encoder: any Encoder) throws {
        guard let row = rows.last else { return }
        var fields = encoder.container(keyedBy: RowField.self)
        try row.encode(to: &fields)
        let parts = rows.dropLast().map(RowPart.init)
        if !parts.isEmpty { try fields.encode(parts, forKey: .fields) }
    }
}

/// A field of a round as a sheet writes it down: a number, unless it says otherwise.
private struct RowPart: Codable {
    let row: Row

    init(_ row: Row) { self.row = row }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(RowField.self)
        let kind = try fields.contains(.kind) ? fields.word(.kind, of: RowKind.self) : .number
        guard let known = RowField.ofField(kind) else {
            throw fields.refusal(.kind, "a field of a round is a number, a flag or a choice")
        }
        try fields.expect(known, "field", of: kind) { stranger in
            let id = (try? fields.decode(String.self, forKey: .id)) ?? "field"
            let formula = stranger.inFormula(of: id)
            let isOfRow = (RowField.common + RowKind.rounds.fields).contains(stranger)
            return formula.map { "; say it in the formula of the round: \($0)" }
                ?? (isOfRow ? "; it stands in the row of the rounds" : "")
        }
        row = try Row(fields, kind)
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: RowField.self)
        try row.encode(to: &fields)
    }
}

extension Row {
    /// Reads a row without the fields of its rounds.
    fileprivate init(_ fields: KeyedDecodingContainer<RowField>) throws {
        let kind = try fields.word(.kind, of: RowKind.self)
        try fields.expect(RowField.common + kind.fields, "row", of: kind) { stranger in
            let kinds = RowKind.allCases.filter { $0.fields.contains(stranger) }.map(\.rawValue)
            return "; rows of the \(kinds.count > 1 ? "kinds" : "kind") \(kinds.together) do"
        }
        try self.init(fields, kind)
    }

    fileprivate init(_ fields: KeyedDecodingContainer<RowField>, _ kind: RowKind) throws {
        id = try fields.symbol(.id, hasDots: false)
        label = try fields.label(.label)
        aliases = try fields.symbolsIfPresent(.aliases, atMost: Sheet.Limits.aliases)
        content = try RowContent(kind, fields)
        range = try fields.decodeIfPresent(Bounds.self, forKey: .range) ?? .all
        if case .choice(let choices) = content, fields.contains(.empty) {
            let word = try fields.symbol(.empty)
            guard let choice = choices.first(where: { $0.word == word }) else {
                throw fields.refusal(.empty, "\(word) is not one of the choices")
            }
            (empty, emptyWord) = (choice.points, word)
        } else {
            (empty, emptyWord) = (try fields.integer(.empty), nil)
        }
        isSole = try fields.decodeIfPresent(Bool.self, forKey: .sole) ?? false
        let isNone = (try? fields.decodeIfPresent(Bool.self, forKey: .wins)) == false
        wins = isNone ? nil : try fields.decodeIfPresent(RowWins.self, forKey: .wins)
        scores = try fields.decodeIfPresent(Bool.self, forKey: .scores) ?? true
        condition = try fields.decodeIfPresent(Condition.self, forKey: .when)
        help = try fields.text(.help)
        group = nil
        if empty != nil, isWorkedOut {
            let reason = "not beside a formula: let a row of the kind formula work it out"
            throw fields.refusal(.empty, reason)
        }
        if let empty, !range.contains(empty) {
            throw fields.refusal(.empty, "\(empty) is out of the range")
        }
    }

    /// A row as a field of the rounds of another, by which it scores and is there.
    fileprivate init(_ row: Row, fieldOf group: Group, when condition: Condition?) {
        id = row.id
        label = row.label
        aliases = row.aliases
        content = row.content
        range = row.range
        empty = row.empty
        emptyWord = row.emptyWord
        isSole = false
        wins = nil
        scores = false
        self.condition = condition
        help = row.help
        self.group = group
    }

    fileprivate func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
        try fields.encode(id.description, forKey: .id)
        try fields.encode(label, forKey: .label)
        try fields.encode(kind.rawValue, forKey: .kind)
        if group == nil { try fields.encode(scores, forKey: .scores) }
        try fields.encode(help, forKey: .help)
        if !aliases.isEmpty { try fields.encode(aliases.map(\.description), forKey: .aliases) }
        if kind.fields.contains(.range), !isComputed { try fields.encode(range, forKey: .range) }
        if let emptyWord {
            try fields.encode(emptyWord.description, forKey: .empty)
        } else {
            try fields.encodeIfPresent(empty, forKey: .empty)
        }
        if isSole { try fields.encode(true, forKey: .sole) }
        try fields.encodeIfPresent(wins, forKey: .wins)
        if group == nil { try fields.encodeIfPresent(condition, forKey: .when) }
        try content.encode(to: &fields, isField: group != nil)
    }
}

extension RowWins: Codable {
    /// Reads `true`, `"highest"` or `"lowest"`.
    package init(from decoder: any Decoder) throws {
        let isAtOnce = try? decoder.singleValueContainer().decode(Bool.self)
        self = try isAtOnce == nil ? .ahead(WinRule(from: decoder)) : .atOnce
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .atOnce: try container.encode(true)
        case .ahead(let rule): try container.encode(rule)
        }
    }
}

extension KeyedDecodingContainer<RowField> {
    /// Refuses fields that rows of this kind do not have.
    fileprivate func expect(
        _ fields: [RowField],
        _ what: String,
        of kind: RowKind,
        hint: (RowField) -> String
    ) throws {
        guard let stranger = allKeys.first(where: { !fields.contains($0) }) else { return }
        let known = fields.map(\.rawValue).joined(separator: ", ")
        let reason = "a \(what) of the kind \(kind.rawValue) does not have it"
        throw refusal(stranger, reason + hint(stranger) + "; known are: " + known)
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
        guard from <= to else {
            throw fields.refusal(.to, "\(to) is below \(from); swap “from” and “to”")
        }
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
        let isYes = try? fields.decode(Bool.self, forKey: .is)
        guard isYes == nil, (try? fields.decode([Bool].self, forKey: .is)) ?? [] == [] else {
            throw fields.refusal(.is, "leave it away: an option of yes or no needs none")
        }
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
        guard from <= to else {
            throw fields.refusal(.to, "\(to) is below \(from); swap “from” and “to”")
        }
        players = Bounds(within: from...to)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(condition, forKey: .when)
        try fields.encode(players.from, forKey: .from)
        try fields.encode(players.to, forKey: .to)
    }
}
