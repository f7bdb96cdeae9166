import SessionCRDT

/// A reason why a JSON is not a sheet, and its place.
struct SheetFlaw: Error {
    let path: [any CodingKey]
    var reason: String
    /// The position within the text at the path, in bytes.
    let offset: Int
    /// Returns the question whether another name was meant, which takes longer than the check.
    private let hint: @Sendable () -> String

    init(
        path: [any CodingKey],
        _ reason: String,
        offset: Int = 0,
        hint: @autoclosure @escaping @Sendable () -> String = ""
    ) {
        (self.path, self.reason, self.offset, self.hint) = (path, reason, offset, hint)
    }

    init(_ path: [AnyField], _ reason: String) { self.init(path: path, reason) }

    /// The path as people write it: `rows[2].kind`; empty for the whole.
    var place: String { SheetFlaw.text(of: path) }

    static func text(of path: [any CodingKey]) -> String {
        let text = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            .joined()
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    var withHint: SheetFlaw { SheetFlaw(path: path, reason + hint(), offset: offset) }

    /// The flaws that an error of a decoder reports; never empty.
    static func all(in error: any Error) -> [SheetFlaw] {
        switch error {
        case let flaw as SheetFlaw: return [flaw.withHint]
        case let flaws as SheetFlaws: return flaws.flaws
        case DecodingError.keyNotFound(let key, let context):
            return [SheetFlaw(path: context.codingPath + [key], "missing")]
        case DecodingError.valueNotFound(_, let context):
            return [SheetFlaw(path: context.codingPath, "expected a value, found null")]
        case DecodingError.typeMismatch(let type, let context):
            let reason =
                switch type {
                case is Bool.Type: "expected true or false, without quotes"
                case is String.Type: "expected a text, in quotes"
                case is [String: Any].Type: "expected an object: {…}"
                case is [Any].Type: "expected a list: […]"
                default: context.debugDescription
                }
            return [SheetFlaw(path: context.codingPath, reason)]
        case DecodingError.dataCorrupted(let context):
            return [SheetFlaw(path: context.codingPath, context.debugDescription)]
        default: return [SheetFlaw([], "\(error)")]
        }
    }
}

/// All flaws of a sheet; at least one.
struct SheetFlaws: Error {
    let flaws: [SheetFlaw]
}

extension Sheet {
    /// The first flaws between the parts of the sheet, each of which is right in itself.
    ///
    /// A sheet whose rows have more references than the limits allow is not searched further.
    var flaws: [SheetFlaw] {
        if let excess { return [SheetFlaw(["rows"], excess)] }
        let all =
            duplicates + rows.indices.flatMap(flaws(ofRow:)) + formulaFlaws + reservedNames
            + tieBreakerFlaws + settingFlaws + codedRowFlaws + factionFlaws
        // A stranger's sheet can have thousands, and hints take long.
        return all.prefix(20).map(\.withHint)
    }

    private var excess: String? {
        guard rows.count <= Limits.rows else {
            return "\(rows.count) rows, at most \(Limits.rows)"
        }
        let parts = rows.flatMap(\.formulas).reduce(0) { $0 + $1.formula.expression.size }
        guard parts <= Formula.Limits.allParts else {
            return "\(parts) parts in all formulas, at most \(Formula.Limits.allParts)"
        }
        let ids = Set(rows.map(\.id))
        let count = rows.reduce(0) { sum, row in
            let named = row.formulas.flatMap(\.formula.names).map(\.subject)
            return sum + (row.formulas.isEmpty ? row.sources.count : ids.intersection(named).count)
        }
        return count <= Limits.allSources
            ? nil : "\(count) references to rows, at most \(Limits.allSources)"
    }

    private var duplicates: [SheetFlaw] {
        typealias Named = (name: Symbol, path: [AnyField])
        let ids = rows.indices.map { Named(rows[$0].id, path(ofRow: $0) + ["id"]) }
        let aliases = rows.indices.flatMap { index -> [Named] in
            rows[index].aliases.map { ($0, path(ofRow: index) + ["aliases"]) }
        }
        let names = options.indices.map { Named(options[$0].name, optionPath($0) + ["name"]) }
        return [ids + aliases, names].flatMap { named in
            var seen: Set<Symbol> = []
            return named.filter { !seen.insert($0.name).inserted }
                .map { SheetFlaw($0.path, "duplicate name \($0.name)") }
        }
    }

    private func optionPath(_ index: Int) -> [AnyField] { ["options", AnyField(index)] }

    // MARK: Rows

    private func flaws(ofRow index: Int) -> [SheetFlaw] {
        let row = rows[index]
        let path = path(ofRow: index)
        var flaws = row.condition.map { self.flaws(of: $0, at: path + ["when"]) } ?? []
        for (place, setting) in (row.worth?.places ?? []).enumerated() {
            flaws += self.flaws(ofNumber: setting, at: path + ["places", AnyField(place)])
        }
        guard case .computed(let derivation, _) = row.content, row.kind != .formula else {
            return flaws
        }
        // Rows refer upwards only, so that none depends on itself.
        let above = rows[..<index]
        for source in derivation.sources where !above.contains(where: { $0.id == source }) {
            flaws.append(missing(row: source, above: index, at: path + ["of"]))
        }
        if case .drop(let rule) = derivation { flaws += self.flaws(of: rule, above, at: path) }
        return flaws
    }

    private func flaws(
        of rule: DropTheMost,
        _ above: ArraySlice<Row>,
        at path: [AnyField]
    ) -> [SheetFlaw] {
        var flaws: [SheetFlaw] = []
        if case .order(let order)? = above.first(where: { $0.id == rule.order })?.content {
            if Set(order.words) != Set(rule.rows) {
                let reason = "the words of \(rule.order) are not the rows that are counted"
                flaws.append(SheetFlaw(path + ["order"], reason))
            }
        } else {
            let reason = "\(rule.order) is not a row of the kind order above this one"
            flaws.append(SheetFlaw(path + ["order"], reason))
        }
        guard let override = rule.override else { return flaws }
        let row = above.first { $0.id == override && $0.group == nil }
        if case .choice(let choices)? = row?.content {
            if let stray = choices.first(where: { !rule.rows.contains($0.word) }) {
                let reason = "\(stray.word) is not one of the rows that are counted"
                flaws.append(SheetFlaw(path + ["override"], reason))
            }
        } else {
            let reason = "\(override) is not a row of the kind choice above this one"
            flaws.append(SheetFlaw(path + ["override"], reason))
        }
        return flaws
    }

    private func missing(row name: Symbol, above index: Int, at path: [AnyField]) -> SheetFlaw {
        SheetFlaw(
            path: path,
            missing(name, above: index),
            hint: row(name) == nil ? hint(for: name, among: rows[..<index].map(\.id)) : ""
        )
    }

    private func missing(_ name: Symbol, above index: Int) -> String {
        guard row(name) != nil else {
            return "there is no row \(name)" + (index < rows.count ? " above this one" : "")
        }
        guard rows[index].id == name else {
            return "the row \(name) is not above this one; move it up"
        }
        return "a row cannot be worked out from itself"
            + (rows[index].isComputed ? "" : "; what is entered in it is “entered”")
    }

    private func hint(for name: Symbol, among known: [Symbol]) -> String {
        let hint = name.description.suggestion(among: known.map(\.description))
        return hint.isEmpty && !known.isEmpty ? "; expected: \(known.list)" : hint
    }

    // MARK: Options

    private var tieBreakerFlaws: [SheetFlaw] {
        tieBreakers.enumerated().filter { row($0.element.row) == nil }.map { index, stray in
            let path: [AnyField] = ["tieBreakers", AnyField(index), "row"]
            return missing(row: stray.row, above: rows.count, at: path)
        }
    }

    private var settingFlaws: [SheetFlaw] {
        var found = seats.enumerated().flatMap { index, rule in
            flaws(of: rule.condition, at: ["seats", AnyField(index), "when"])
        }
        found += flaws(of: wins, at: ["wins"]) { option in
            if case .choice(let choices, _) = option.kind,
                choices.allSatisfy({ WinRule(rawValue: $0.description) != nil })
            {
                return nil
            }
            return "the option \(option.name) does not choose between highest and lowest; write "
                + "{\"when\": {\"option\": \"\(option.name)\", …}, \"is\": …}"
        }
        if let target {
            found += flaws(ofNumber: target, at: ["target"])
        } else {
            if ends != .round { found.append(SheetFlaw(["ends"], "only with a target")) }
            if counts != .up { found.append(SheetFlaw(["counts"], "only with a target")) }
        }
        return found
    }

    private func flaws(of condition: Condition, at path: [AnyField]) -> [SheetFlaw] {
        let name = condition.option
        guard let option = option(name) else { return [missing(option: name, at: path)] }
        guard case .choice(let choices, _) = option.kind else {
            let reason = "the option \(name) does not choose between words; leave “is” out"
            return condition.words.isEmpty ? [] : [SheetFlaw(path, reason)]
        }
        if condition.words.isEmpty {
            let reason = "name the words of \(name) in “is”: [\"\(choices[0])\"]"
            return [SheetFlaw(path, reason)]
        }
        return condition.words.filter { !choices.contains($0) }.prefix(1).map { stray in
            SheetFlaw(path, "\(stray) is not one of the choices of \(name): \(choices.list)")
        }
    }

    private func missing(option name: Symbol, at path: [AnyField]) -> SheetFlaw {
        SheetFlaw(
            path: path,
            "there is no option \(name)",
            hint: hint(for: name, among: options.map(\.name))
        )
    }

    private func flaws(ofNumber setting: Setting<Int64>, at path: [AnyField]) -> [SheetFlaw] {
        flaws(of: setting, at: path) { option in
            if case .integer = option.kind { nil } else { "the option \(option.name) is no number" }
        }
    }

    private func flaws<Constant>(
        of setting: Setting<Constant>,
        at path: [AnyField],
        refusing refusal: (SheetOption) -> String?
    ) -> [SheetFlaw] {
        setting.conditions.flatMap { flaws(of: $0, at: path) }
            + setting.options.compactMap { name in
                guard let option = option(name) else { return missing(option: name, at: path) }
                return refusal(option).map { SheetFlaw(path, $0) }
            }
    }
}

/// A formula of a row, and its role there.
struct RowFormula {
    let formula: Formula
    let role: Role
    /// The path within the row.
    let path: [AnyField]

    /// The meaning of a formula's value.
    enum Role: Equatable {
        /// The value of a row that is worked out.
        case whole
        /// The worth of one number that was entered.
        case number
        /// The worth of a round that is entered as one number.
        case round
        /// The worth of a round of several fields.
        case fields
        /// The value of the row after each of its rounds.
        case running
        /// Whether a round of the whole table is right.
        case check
        /// Whether each player's round is right.
        case eachCheck(hasFields: Bool)
    }
}

extension RowFormula.Role {
    /// The names that the language itself has here.
    var names: [String] {
        switch self {
        case .whole: ["players"]
        case .number: ["players", "entered"]
        case .round, .eachCheck(hasFields: false): ["players", "entered", "round"]
        case .fields, .check, .eachCheck(hasFields: true): ["players", "round"]
        case .running: ["players", "entered", "round", "before"]
        }
    }

    /// Whether it is evaluated for each round.
    var isByRounds: Bool {
        switch self {
        case .whole, .number: false
        case .round, .fields, .running, .check, .eachCheck: true
        }
    }

    var isCheck: Bool {
        switch self {
        case .check, .eachCheck: true
        case .whole, .number, .round, .fields, .running: false
        }
    }
}

extension Row {
    var formulas: [RowFormula] {
        func formula(
            _ formula: Formula?,
            _ role: RowFormula.Role,
            _ path: AnyField...
        ) -> [RowFormula] {
            formula.map { [RowFormula(formula: $0, role: role, path: path)] } ?? []
        }
        switch content {
        case .computed(.formula(let whole), _): return formula(whole, .whole, "formula")
        case .number(let worth): return formula(worth.formula, .number, "formula")
        case .rounds(let worth, let rounds):
            let hasFields = rounds.hasFields
            return formula(worth.formula, hasFields ? .fields : .round, "formula")
                + formula(rounds.running, .running, "running")
                + rounds.checks.enumerated().flatMap { index, check in
                    let role: RowFormula.Role =
                        check.isOfEach ? .eachCheck(hasFields: hasFields) : .check
                    return formula(check.formula, role, "checks", AnyField(index), "formula")
                }
        case .tokens, .flag, .choice, .order, .text, .moves, .computed: return []
        }
    }
}

extension Sheet {
    /// The names in formulas that do not exist, or are not numbers there.
    private var formulaFlaws: [SheetFlaw] {
        rows.indices.flatMap { index in
            rows[index].formulas.flatMap { formula in
                formula.formula.names.compactMap { name in
                    flaw(of: name, in: formula, ofRow: index).map { reason in
                        SheetFlaw(
                            path: path(ofRow: index) + formula.path,
                            reason,
                            offset: formula.formula.offset(of: name),
                            hint: hint(inFormula: name.subject)
                        )
                    }
                }
            }
        }
    }

    private func flaw(of name: FormulaName, in formula: RowFormula, ofRow index: Int) -> String? {
        let subject = name.subject
        let above = rows[..<index].first { $0.id == subject }
        switch name {
        case .value:
            if formula.role.names.contains(subject.description) { return nil }
            guard let above else { return flaw(ofOption: subject, above: index) }
            return formula.role == .check
                ? "a check of the whole table takes total(\(subject)), or “each”: true"
                : flaw(ofNumbersIn: above)
        case .ofAll(let aggregate, _):
            if formula.role == .running {
                return "a running formula reads no other players; the formula of the round can"
            }
            if formula.role == .check, [.others, .team, .rank, .tied].contains(aggregate) {
                return "\(aggregate.rawValue) is of one player; the check needs “each”: true"
            }
            let isOwn = subject == rows[index].id && !rows[index].isComputed
            guard let row = isOwn ? rows[index] : above else {
                return missing(subject, above: index)
            }
            return flaw(ofNumbersIn: row)
        case .extreme(let extreme, _):
            guard let above else { return missing(subject, above: index) }
            guard formula.role == .whole || formula.role == .number, above.lastRound != nil else {
                return "\(extreme.rawValue) takes a row of rounds, in the formula of another row"
            }
            return flaw(ofNumbersIn: above)
        case .word(_, let word):
            if case .choice(let choices)? = above?.content, formula.role != .check {
                guard above?.lastRound == nil || formula.role.isByRounds else {
                    return "\(subject) has a word in each round; only formulas of rounds read it"
                }
                return stray(word, of: subject, among: choices.map(\.word))
            }
            if case .choice(let choices, _)? = option(subject)?.kind {
                return stray(word, of: subject, among: choices)
            }
            let isKnown = formula.role.names.contains(subject.description) || above != nil
            return isKnown || option(subject) != nil
                ? "\(subject) is not a choice here; write it without a word in quotes"
                : missing(subject, above: index)
        }
    }

    private func stray(_ word: Symbol, of choice: Symbol, among words: [Symbol]) -> String? {
        words.contains(word)
            ? nil : "\(word) is not one of the choices of \(choice): \(words.list)"
    }

    private func flaw(ofNumbersIn row: Row) -> String? {
        switch row.content {
        case .number, .rounds, .tokens, .flag, .choice, .computed: nil
        case .order, .text, .moves: "\(row.id) is no number"
        }
    }

    private func flaw(ofOption name: Symbol, above index: Int) -> String? {
        switch option(name)?.kind {
        case .boolean, .integer: nil
        case .choice: "\(name) is a choice: compare it with a word, as in \(name) = 'word'"
        case .text: "\(name) is no number"
        case nil: missing(name, above: index)
        }
    }

    /// The name that was probably meant by one that neither a row nor an option has.
    private func hint(inFormula name: Symbol) -> String {
        guard row(name) == nil, option(name) == nil else { return "" }
        let word = name.description
        if ["entered", "round", "before"].contains(word) {
            return "; \(word) is for formulas of rows that are entered"
        }
        let words =
            rows.flatMap(\.words)
            + options.flatMap { option -> [Symbol] in
                if case .choice(let choices, _) = option.kind { choices } else { [] }
            }
        if words.contains(name) { return "; did you mean '\(word)'?" }
        if let row = rows.first(where: { $0.label.lowercased() == word }) {
            return "; did you mean \(row.id)?"
        }
        if word.contains("-") { return "; a minus needs a space on each side" }
        return word.suggestion(among: (rows.map(\.id) + options.map(\.name)).map(\.description))
    }

    /// Rows and options that a formula cannot name, because the language has the word.
    private var reservedNames: [SheetFlaw] {
        guard rows.contains(where: \.hasFormula) else { return [] }
        let words = ["players", "entered", "before", "and", "or", "not"]
        let named =
            rows.indices.map { (rows[$0].id, path(ofRow: $0) + ["id"]) }
            + options.indices.map { (options[$0].name, optionPath($0) + ["name"]) }
        return named.filter { words.contains($0.0.description) }.map { name, path in
            SheetFlaw(path, "\(name) has another meaning in formulas; choose another name")
        }
    }

    /// Mistakes in a sheet that can be read; new sheets with them are refused.
    var doubts: [SheetFlaw] {
        var doubts: [SheetFlaw] = []
        if counts == .down, !rows.contains(where: { $0.kind == .rounds }) {
            doubts.append(SheetFlaw(["counts"], "counting down needs a row of rounds"))
        }
        for index in rows.indices {
            for formula in rows[index].formulas {
                let path = path(ofRow: index) + formula.path
                if formula.formula.expression.dividesByZero {
                    doubts.append(SheetFlaw(path, "it always divides by zero"))
                }
                if formula.formula.expression.comparesOneAlone {
                    let reason =
                        "min and max need two parts; for a player's own rounds write lowest(ROW) "
                        + "or highest(ROW)"
                    doubts.append(SheetFlaw(path, reason))
                }
            }
        }
        guard rows.contains(where: \.hasFormula) else { return doubts }
        return doubts
            + rows.indices.filter { Int64(rows[$0].id.description) != nil }.map { index in
                let reason = "formulas read \(rows[index].id) as a number; choose another name"
                return SheetFlaw(path(ofRow: index) + ["id"], reason)
            }
    }
}

extension Row {
    /// The words of a choice; empty for other rows.
    fileprivate var words: [Symbol] {
        if case .choice(let choices) = content { choices.map(\.word) } else { [] }
    }
}
