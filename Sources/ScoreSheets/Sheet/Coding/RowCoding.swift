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

/// A field of a row in JSON.
package enum RowField: String, CodingKey, CaseIterable, Sendable {
    /// What players type.
    case id
    /// What tables show.
    case label
    /// Other names that players may type.
    case aliases
    /// The kind.
    case kind
    /// Whether it adds to the total.
    case scores
    /// What has to be set for the row to be there.
    case when
    /// What to enter, in a sentence.
    case help
    /// The numbers that may be entered.
    case range
    /// What an empty cell counts as.
    case empty
    /// Whether only one player has any of it.
    case sole
    /// The last round.
    case last
    /// What a number is divided by.
    case per
    /// What a number is looked up in.
    case table
    /// The thresholds, each with its points.
    case steps
    /// The points of the places in a ranking.
    case places
    /// What those get who share a place.
    case ties
    /// What a number is multiplied by.
    case factor
    /// What a row, a number or a round is worth.
    case formula
    /// What the row comes to after a round.
    case running
    /// What is entered in each round.
    case fields
    /// What has to hold of each round.
    case checks
    /// The values of tokens.
    case tokens
    /// The points of a yes.
    case points
    /// How it decides who wins.
    case wins
    /// The words to choose from.
    case choices
    /// The words to put in an order.
    case words
    /// The usual orders.
    case presets
    /// The rows that it is worked out from.
    case of
    /// The row of symbols that stand for any.
    case wild
    /// The points of a set.
    case set
    /// The row with a player's order.
    case order
    /// What each place of that order is worth.
    case values
    /// The row that settles which of equally many is dropped.
    case override

    /// The fields of every row.
    package static let common: [RowField] = [.id, .label, .aliases, .kind, .scores, .when, .help]

    /// The fields of what a number is worth.
    static let worth: [RowField] = [.per, .table, .steps, .places, .ties, .factor]

    /// The fields of a field of a round, by its kind.
    static func ofField(_ kind: RowKind) -> [RowField]? {
        let all: [RowField] = [.id, .label, .aliases, .kind, .help]
        return switch kind {
        case .number: all + [.range, .empty]
        case .flag: all
        case .choice: all + [.choices, .empty]
        default: nil
        }
    }

    /// What the formula of a round says where a field of it would have this one, as an example.
    func inFormula(of id: String) -> String? {
        switch self {
        case .per: "\(id) / 3"
        case .table: "pick(\(id) + 1, 0, 1, 3)"
        case .steps: "if(\(id) >= 5, 3, 0)"
        case .places, .ties: "if(rank(\(id)) = 1, 5, 0)"
        case .factor, .points: "\(id) * 3"
        default: nil
        }
    }
}
