import SessionCRDT

/// An entry in the JSON list of rows: a row with the fields of its rounds, or one such field.
///
/// The kind of a field is `number` by default.
struct RowEntry: Codable {
    /// The fields, then the row itself.
    let rows: [Row]

    init(_ rows: [Row]) { self.rows = rows }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(RowField.self)
        let isField = decoder.codingPath.dropLast().last?.stringValue == RowField.fields.rawValue
        let isPlain = isField && !fields.contains(.kind)
        let kind = try isPlain ? RowKind.number : fields.word(.kind)
        guard let known = isField ? RowField.ofField[kind] : RowField.common + kind.fields else {
            throw fields.refusal(.kind, "a field of a round is a number, a flag or a choice")
        }
        try fields.expectOnly(known, kind, isField: isField)
        let row = try Row(fields, kind)
        guard case .rounds(_, let rounds) = row.content, rounds.hasFields else {
            rows = [row]
            return
        }
        let parts: [RowEntry] = try fields.list(.fields, 1...Sheet.Limits.fields)
        rows =
            parts.flatMap(\.rows).map { part in
                // A field is used under the same condition as the row of its rounds, and only that
                // row scores.
                var field = part
                field.group = Row.Group(row: row.id, last: rounds.last)
                field.lastByOption = row.lastByOption
                field.condition = row.condition
                field.scores = false
                return field
            } + [row]
    }

    func encode(to encoder: any Encoder) throws {
        guard let row = rows.last else { return }
        var fields = encoder.container(keyedBy: RowField.self)
        try row.encode(to: &fields)
        let parts = rows.dropLast().map { RowEntry([$0]) }
        if !parts.isEmpty { try fields.encode(parts, forKey: .fields) }
    }
}

extension KeyedDecodingContainer<RowField> {
    fileprivate func sources() throws -> [Symbol] { try symbols(.of, 1...Sheet.Limits.sources) }

    /// Decodes the last round: a number, or the setting that says it.
    fileprivate func lastRound() throws -> (last: UInt32, byOption: Setting<Int64>?) {
        let setting = try decodeIfPresent(Setting<Int64>.self, forKey: .last)
        for last in setting?.constants ?? [] {
            guard (1...Int64(Cell.lastRound)).contains(last) else {
                throw refusal(.last, "rounds count from 1 to \(Cell.lastRound)")
            }
        }
        guard case .always(let last)? = setting else { return (Cell.lastRound, setting) }
        return (UInt32(last), nil)
    }

    fileprivate func expectOnly(_ fields: [RowField], _ kind: RowKind, isField: Bool) throws {
        guard let stranger = allKeys.first(where: { !fields.contains($0) }) else { return }
        let kinds = RowKind.allCases.filter { $0.fields.contains(stranger) }
        let owner =
            isField && kinds.contains(.rounds)
            ? "the row of the rounds"
            : "rows of the kind " + kinds.map(\.rawValue).joined(separator: ", ")
        let reason = "a \(isField ? "field" : "row") of the kind \(kind.rawValue) does not have it"
        throw refusal(stranger, reason + (kinds.isEmpty ? "" : "; it belongs to \(owner)"))
    }
}

extension Row {
    /// Decodes a row without the fields of its rounds.
    fileprivate init(_ fields: KeyedDecodingContainer<RowField>, _ kind: RowKind) throws {
        id = try fields.symbol(.id)
        guard !id.description.contains(".") else {
            throw fields.refusal(.id, "a dot separates the round, so that \(id) is not a row")
        }
        label = try fields.label(.label)
        aliases = try fields.symbols(.aliases, 0...Sheet.Limits.aliases)
        content = try RowContent(kind, fields)
        if fields.contains(.only) {
            guard !fields.contains(.range) else {
                throw fields.refusal(.only, "not with “range”; it lists all numbers")
            }
            accepted = try AcceptedNumbers(from: fields)
            most = nil
        } else {
            let range = try fields.decodeIfPresent(EntryRange.self, forKey: .range)
            accepted = AcceptedNumbers(range?.bounds ?? .all)
            most = range?.most
        }
        lastByOption = try fields.lastRound().byOption
        halves = try fields.decodeIfPresent(Setting<Bool>.self, forKey: .halves)
        accepted.takesHalves = halves == .always(true)
        guard halves == nil || !accepted.hasSteps else {
            throw fields.refusal(.halves, "not with “step”")
        }
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
        partners = try fields.contains(.partners) ? fields.word(.partners) : .one
        let isNone = (try? fields.decodeIfPresent(Bool.self, forKey: .wins)) == false
        wins = isNone ? nil : try fields.decodeIfPresent(RowWins.self, forKey: .wins)
        scores = try fields.decodeIfPresent(Bool.self, forKey: .scores) ?? true
        condition = try fields.decodeIfPresent(Condition.self, forKey: .when)
        help = try fields.text(.help)
        group = nil
        if empty != nil, hasPointsFormula {
            throw fields.refusal(.empty, "not with a formula; use a row of the kind formula")
        }
        if let empty, !accepted.contains(empty) {
            throw fields.refusal(.empty, "\(empty) is out of the range")
        }
    }

    fileprivate func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
        try fields.encode(id, forKey: .id)
        try fields.encode(label, forKey: .label)
        try fields.encode(kind.rawValue, forKey: .kind)
        if group == nil { try fields.encode(scores, forKey: .scores) }
        try fields.encode(help, forKey: .help)
        if !aliases.isEmpty { try fields.encode(aliases, forKey: .aliases) }
        if kind.fields.contains(.range), !isComputed {
            if let most {
                try fields.encode(EntryRange(bounds: range, most: most), forKey: .range)
            } else if accepted.parts.isEmpty {
                try fields.encode(range, forKey: .range)
            } else {
                try fields.encode(accepted.list, forKey: .only)
            }
            try fields.encodeIfPresent(halves, forKey: .halves)
        }
        if let emptyWord {
            try fields.encode(emptyWord, forKey: .empty)
        } else {
            try fields.encodeIfPresent(empty, forKey: .empty)
        }
        if isSole { try fields.encode(true, forKey: .sole) }
        if partners != .one { try fields.encode(partners.rawValue, forKey: .partners) }
        try fields.encodeIfPresent(wins, forKey: .wins)
        if group == nil {
            try fields.encodeIfPresent(condition, forKey: .when)
            try fields.encodeIfPresent(lastByOption, forKey: .last)
        }
        try content.encode(to: &fields, isField: group != nil)
    }
}

/// The range of a row, whose upper bound may depend on options.
private struct EntryRange: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to, step
    }

    let bounds: Bounds
    let most: Setting<Int64>?

    init(bounds: Bounds, most: Setting<Int64>) { (self.bounds, self.most) = (bounds, most) }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(CodingKeys.self)
        let setting = try fields.decodeIfPresent(Setting<Int64>.self, forKey: .to)
        switch setting {
        case nil, .always: (bounds, most) = (try Bounds(from: decoder), nil)
        case let setting?:
            let step = try fields.integer(.step) ?? 1
            guard step == 1 || step > 1 && fields.contains(.from) else {
                throw fields.refusal(.step, "needs “from”, and at least 1")
            }
            bounds = Bounds(from: try fields.integer(.from) ?? Bounds.all.from, step: step)
            most = setting
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(bounds.from, forKey: .from)
        try fields.encode(most, forKey: .to)
        if bounds.step != 1 { try fields.encode(bounds.step, forKey: .step) }
    }
}

extension RowWins: Codable {
    private static let outWord = "out"

    /// Decodes `true`, `"out"`, `"highest"` or `"lowest"`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if (try? container.decode(Bool.self)) != nil {
            self = .atOnce
        } else if (try? container.decode(String.self)) == RowWins.outWord {
            self = .out
        } else {
            self = .ahead(try WinRule(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .atOnce: try true.encode(to: encoder)
        case .out: try RowWins.outWord.encode(to: encoder)
        case .ahead(let rule): try rule.encode(to: encoder)
        }
    }
}

extension Condition: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case option, `is`
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        option = try fields.symbol(.option)
        let isYes = try? fields.decode(Bool.self, forKey: .is)
        guard isYes == nil, (try? fields.decode([Bool].self, forKey: .is)) ?? [] == [] else {
            throw fields.refusal(.is, "leave it out: an option of yes or no needs none")
        }
        words = try fields.symbols(.is, 0...Sheet.Limits.choices)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(option, forKey: .option)
        if !words.isEmpty { try fields.encode(words, forKey: .is) }
    }
}

extension SeatRule: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case when, from, to
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        condition = try fields.decode(Condition.self, forKey: .when)
        let from = try fields.integer(.from) ?? Bounds.anybody.from
        let to = try fields.integer(.to) ?? Bounds.anybody.to
        guard 0 <= from else { throw fields.refusal(.from, "below 0") }
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

extension RowContent {
    fileprivate init(_ kind: RowKind, _ fields: KeyedDecodingContainer<RowField>) throws {
        switch kind {
        case .number: self = .number(try PointsRule(fields))
        case .rounds:
            let last = try fields.lastRound().last
            self = .rounds(try PointsRule(fields), try Rounds(fields, last: last))
        case .tokens: self = .tokens(try fields.integers(.tokens, 1...Sheet.Limits.tokens))
        case .flag: self = .flag(points: try fields.integer(.points) ?? 0)
        case .choice:
            let choices: [RowChoice] = try fields.list(.choices, 1...Sheet.Limits.choices)
            self = .choice(try fields.distinct(choices, .choices, \.word))
        case .order: self = .order(try WordOrder(fields))
        case .text: self = .text
        case .moves: self = .moves
        case .sum: self = .computed(.sum(try fields.sources()), try PointsRule(fields))
        case .product: self = .computed(.product(try fields.sources()), try PointsRule(fields))
        case .sets:
            let rows = try fields.sources()
            let wild = try fields.contains(.wild) ? fields.symbol(.wild) : nil
            let rule = SymbolSets(rows: rows, wild: wild, set: try fields.integer(.set) ?? 0)
            self = .computed(.sets(rule), try PointsRule(fields))
        case .drop: self = .computed(.drop(try DropTheMost(fields)), try PointsRule(fields))
        case .formula:
            let formula = try fields.decode(Formula.self, forKey: .formula)
            self = .computed(.formula(formula), try PointsRule(fields, hasFormula: false))
        }
    }

    /// Encodes the rules, without points for a flag that is a field of a round.
    fileprivate func encode(
        to fields: inout KeyedEncodingContainer<RowField>,
        isField: Bool
    ) throws {
        switch self {
        case .number(let pointsRule): try pointsRule.encode(to: &fields)
        case .rounds(let pointsRule, let rounds):
            try pointsRule.encode(to: &fields)
            if rounds.last != Cell.lastRound { try fields.encode(rounds.last, forKey: .last) }
            try fields.encodeIfPresent(rounds.running, forKey: .running)
            if !rounds.checks.isEmpty { try fields.encode(rounds.checks, forKey: .checks) }
        case .flag where isField: break
        case .tokens(let tokens): try fields.encode(tokens, forKey: .tokens)
        case .flag(let points): try fields.encode(points, forKey: .points)
        case .choice(let choices): try fields.encode(choices, forKey: .choices)
        case .order(let rule):
            try fields.encode(rule.words, forKey: .words)
            if !rule.presets.isEmpty { try fields.encode(rule.presets, forKey: .presets) }
        case .text, .moves: break
        case .computed(let derivation, let pointsRule):
            try derivation.encode(to: &fields)
            try pointsRule.encode(to: &fields)
        }
    }
}

extension PointsRule {
    fileprivate init(_ fields: KeyedDecodingContainer<RowField>, hasFormula: Bool = true) throws {
        let formula = hasFormula ? try fields.decodeIfPresent(Formula.self, forKey: .formula) : nil
        if formula != nil, let step = RowField.pointsRule.first(where: fields.contains) {
            throw fields.refusal(step, "not with a formula; use a row of the kind formula")
        }
        let per = try fields.integer(.per) ?? 1
        guard per >= 1 else { throw fields.refusal(.per, "below 1") }
        let places: [Setting<Int64>] = try fields.list(.places, 0...Sheet.Limits.table)
        for (index, place) in places.enumerated()
        where !place.constants.allSatisfy(Bounds.all.contains) {
            throw fields.refusal([RowField.places, AnyField(index)], "too large")
        }
        self.init(
            per: per,
            table: fields.contains(.table)
                ? try fields.integers(.table, 1...Sheet.Limits.table) : [],
            steps: try PointsStep.steps(fields),
            places: places,
            ties: try fields.contains(.ties) ? fields.word(.ties) : .share,
            factor: try fields.integer(.factor) ?? 1,
            formula: formula
        )
    }

    fileprivate func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
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
    fileprivate init(_ fields: KeyedDecodingContainer<RowField>) throws {
        let words = try fields.symbols(.words, 2...Sheet.Limits.sources)
        let texts: [[String]] = try fields.list(.presets, 0...Sheet.Limits.presets)
        self.words = words
        presets = try texts.enumerated().map { index, text in
            let preset = text.compactMap(Symbol.init)
            guard preset.count == words.count, Set(preset) == Set(words) else {
                let reason = "it is not an order of \(words.list)"
                throw fields.refusal([RowField.presets, AnyField(index)], reason)
            }
            return preset
        }
    }
}

extension DropTheMost {
    fileprivate init(_ fields: KeyedDecodingContainer<RowField>) throws {
        rows = try fields.sources()
        values = try fields.decode([DropValue].self, forKey: .values)
        guard values.count == rows.count else {
            let reason = "expected a value for each of \(rows.count) rows, found \(values.count)"
            throw fields.refusal(.values, reason)
        }
        order = try fields.symbol(.order)
        override = try fields.contains(.override) ? fields.symbol(.override) : nil
    }
}

extension Derivation {
    fileprivate func encode(to fields: inout KeyedEncodingContainer<RowField>) throws {
        switch self {
        case .sum(let rows), .product(let rows): try fields.encode(rows, forKey: .of)
        case .sets(let rule):
            try fields.encode(rule.rows, forKey: .of)
            try fields.encodeIfPresent(rule.wild, forKey: .wild)
            try fields.encode(rule.set, forKey: .set)
        case .drop(let rule):
            try fields.encode(rule.rows, forKey: .of)
            try fields.encode(rule.order, forKey: .order)
            try fields.encode(rule.values, forKey: .values)
            try fields.encodeIfPresent(rule.override, forKey: .override)
        case .formula(let formula): try fields.encode(formula, forKey: .formula)
        }
    }
}

extension DropValue: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case complete, `else`
    }

    /// Decodes a number, or `{"complete": 10, "else": 5}`.
    package init(from decoder: any Decoder) throws {
        guard (try? decoder.container(keyedBy: Fields.self)) != nil else {
            self = .one(try decoder.number())
            return
        }
        let fields = try decoder.fields(Fields.self)
        let complete = try fields.integer(.complete) ?? 0
        self = .two(complete: complete, else: try fields.integer(.else) ?? 0)
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .one(let number): try number.encode(to: encoder)
        case .two(let complete, let other):
            var fields = encoder.container(keyedBy: Fields.self)
            try fields.encode(complete, forKey: .complete)
            try fields.encode(other, forKey: .else)
        }
    }
}

extension Formula: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do throws(FormulaFlaw) { try self.init(text) } catch {
            throw SheetFlaw(path: decoder.codingPath, error.reason, offset: error.offset)
        }
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension Rounds {
    fileprivate init(_ fields: KeyedDecodingContainer<RowField>, last: UInt32) throws {
        self.init(
            last: last,
            hasFields: fields.contains(.fields),
            running: try fields.decodeIfPresent(Formula.self, forKey: .running),
            checks: try fields.list(.checks, 0...Sheet.Limits.checks)
        )
        if running != nil, fields.contains(.places) {
            let reason = "not with “places”; rank the round in a formula, as in rank(points)"
            throw fields.refusal(.running, reason)
        }
        if hasFields, !fields.contains(.formula) {
            throw fields.refusal(.fields, "needs a formula for what a round of them is worth")
        }
        if hasFields, let own = [RowField.range, .only, .halves].first(where: fields.contains) {
            throw fields.refusal(own, "each of the fields has its own")
        }
    }
}

extension RoundCheck: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case formula, each, help
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

/// A field of a row in JSON; `Documentation/SHEETS.md` describes each.
package enum RowField: String, CodingKey, CaseIterable, Sendable {
    case id, label, aliases, kind, scores, when, help
    case range, only, halves, empty, sole, last, partners
    case per, table, steps, places, ties, factor
    case formula, running, fields, checks
    case tokens, points, wins, choices, words, presets
    case of, wild, set, order, values, override

    package static let common = named + [.scores, .when]
    private static let named: [RowField] = [.id, .label, .aliases, .kind, .help]

    /// The fields that turn a number into points.
    static let pointsRule: [RowField] = [.per, .table, .steps, .places, .ties, .factor]

    static let ofField: [RowKind: [RowField]] = [
        .number: named + [.range, .only, .halves, .empty, .partners], .flag: named,
        .choice: named + [.choices, .empty],
    ]
}
