import SessionCRDT

/// A reason why a JSON text is not a sheet, and its path.
struct SheetFlaw: Error {
    let path: [any CodingKey]
    let reason: String
    /// The byte offset of the flaw within the text at the path, such as in a formula.
    let offset: Int

    init(path: [any CodingKey], _ reason: String, offset: Int = 0) {
        (self.path, self.reason, self.offset) = (path, reason, offset)
    }

    init(_ path: [AnyField], _ reason: String) { self.init(path: path, reason) }

    /// Returns the path as text: `rows[2].kind`; empty for the whole sheet.
    static func text(of path: [any CodingKey]) -> String {
        let text = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            .joined()
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    /// Returns the flaws that a decoding error reports; never empty.
    static func all(in error: any Error) -> [SheetFlaw] {
        switch error {
        case let flaw as SheetFlaw: return [flaw]
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

/// Checks the references between the parts of a sheet and collects the first `maxFlaws` flaws.
struct SheetValidation {
    private(set) var flaws: [SheetFlaw] = []

    private let sheet: Sheet
    private let rows: [Row]
    private let options: [SheetOption]

    /// The maximum number of reported flaws: an untrusted sheet can have thousands, and suggestions
    /// are slow to compute.
    private static let maxFlaws = 20

    init(_ sheet: Sheet) {
        (self.sheet, rows, options) = (sheet, sheet.rows, sheet.options)
        // A sheet with more references than the limits allow is not searched further.
        if let excess {
            report(["rows"], excess)
            return
        }
        checkNames()
        for index in rows.indices { checkReferences(ofRow: index) }
        for index in rows.indices {
            for formula in rows[index].formulas { check(formula, ofRow: index) }
        }
        if sheet.hasMoves, !sheet.checks.isEmpty {
            report(["checks"], "only in a sheet without an engine")
        }
        for formula in sheet.checkFormulas { check(formula, ofRow: rows.count) }
        checkTieBreakers()
        checkSettings()
        let more = sheet.codedRowFlaws + sheet.factionFlaws
        flaws += more.prefix(Self.maxFlaws - flaws.count)
    }

    /// Adds a flaw unless the reason is nil.
    private mutating func report(
        _ path: [AnyField],
        _ reason: String?,
        offset: Int = 0,
        hint: (Self) -> String = { _ in "" }
    ) {
        guard let reason, flaws.count < Self.maxFlaws else { return }
        flaws.append(SheetFlaw(path: path, reason + hint(self), offset: offset))
    }

    private var excess: String? {
        guard rows.count <= Sheet.Limits.rows else {
            return "\(rows.count) rows, at most \(Sheet.Limits.rows)"
        }
        let formulas = rows.flatMap(\.formulas) + sheet.checkFormulas
        let parts = formulas.reduce(0) { $0 + $1.formula.expression.size }
        guard parts <= Formula.Limits.allParts else {
            return "\(parts) parts in all formulas, at most \(Formula.Limits.allParts)"
        }
        let ids = Set(rows.map(\.id))
        let count = rows.reduce(0) { sum, row in
            let named = row.formulas.flatMap(\.formula.names).map(\.subject)
            return sum + (row.formulas.isEmpty ? row.sources.count : ids.intersection(named).count)
        }
        return count <= Sheet.Limits.allSources
            ? nil : "\(count) references to rows, at most \(Sheet.Limits.allSources)"
    }

    /// Reports duplicate names, and names that formulas cannot use because they are words of the
    /// language.
    private mutating func checkNames() {
        typealias Named = (Symbol, path: [AnyField])
        let ids: [Named] = rows.indices.map { (rows[$0].id, sheet.path(ofRow: $0) + ["id"]) }
        let aliases = rows.indices.flatMap { index -> [Named] in
            rows[index].aliases.map { ($0, sheet.path(ofRow: index) + ["aliases"]) }
        }
        let names: [Named] = options.indices.map {
            (options[$0].name, ["options", AnyField($0), "name"])
        }
        for named in [ids + aliases, names] {
            var seen: Set<Symbol> = []
            for (name, path) in named where !seen.insert(name).inserted {
                report(path, "duplicate name \(name)")
            }
        }
        guard rows.contains(where: \.hasFormula) else { return }
        let reserved = ["players", "sides", "since", "entered", "before", "and", "or", "not"]
        for (name, path) in ids + names where reserved.contains(name.description) {
            report(path, "\(name) has another meaning in formulas; choose another name")
        }
    }

    // MARK: Rows

    private mutating func checkReferences(ofRow index: Int) {
        let row = rows[index]
        let path = sheet.path(ofRow: index)
        if let condition = row.condition { check(condition, at: path + ["when"]) }
        for (place, setting) in (row.pointsRule?.places ?? []).enumerated() {
            check(number: setting, at: path + ["places", AnyField(place)])
        }
        if let halves = row.halves {
            check(halves, at: path + ["halves"]) { option in
                if case .boolean = option.kind {
                    nil
                } else {
                    "the option \(option.name) is not yes or no"
                }
            }
            if sheet.gameEngine != .rows { report(path + ["halves"], "only without “engine”") }
        }
        let limits =
            [(row.most, ["range", "to"]), (row.lastByOption, ["last"])] as [(_, [AnyField])]
        for (limit, place) in limits where limit != nil && (row.group == nil || place.count > 1) {
            if let limit { check(number: limit, at: path + place) }
            if sheet.gameEngine != .rows {
                report(path + place, "by an option only without “engine”")
            }
        }
        guard case .computed(let derivation, _) = row.content, row.kind != .formula else { return }
        // Rows refer upwards only, so that there are no cycles.
        let above = rows[..<index]
        for source in derivation.sources where !above.contains(where: { $0.id == source }) {
            reportMissing(row: source, above: index, at: path + ["of"])
        }
        if case .drop(let rule) = derivation { check(rule, above, at: path) }
        if !derivation.isSum, let source = derivation.sources.first(where: mayHaveHalves) {
            let reason = "\(source) may have halves; a \(row.kind.rawValue) counts whole numbers"
            report(path + ["of"], reason)
        }
    }

    /// Whether the number of a row may have a half: of a row that takes them, and of any that is
    /// worked out from one.
    private func mayHaveHalves(_ id: Symbol) -> Bool {
        var found: Set<Symbol> = []
        for row in rows {
            let sources = row.sources + sheet.fields(of: row).map(\.id)
            if row.halves != nil || sources.contains(where: found.contains) { found.insert(row.id) }
        }
        return found.contains(id)
    }

    private mutating func check(_ rule: DropTheMost, _ above: ArraySlice<Row>, at path: [AnyField])
    {
        if case .order(let order)? = above.first(where: { $0.id == rule.order })?.content {
            let isOfThese = Set(order.words) == Set(rule.rows)
            let reason = "the words of \(rule.order) are not the rows that are counted"
            report(path + ["order"], isOfThese ? nil : reason)
        } else {
            report(path + ["order"], "\(rule.order) is not a row of the kind order above this one")
        }
        guard let override = rule.override else { return }
        let row = above.first { $0.id == override && $0.group == nil }
        if let choices = row?.choices {
            let stray = choices.first { !rule.rows.contains($0) }
            let reason = stray.map { "\($0) is not one of the rows that are counted" }
            report(path + ["override"], reason)
        } else {
            let reason = "\(override) is not a row of the kind choice above this one"
            report(path + ["override"], reason)
        }
    }

    private mutating func reportMissing(row name: Symbol, above index: Int, at path: [AnyField]) {
        let known = rows[..<index].map(\.id)
        report(path, missing(row: name, above: index)) {
            $0.sheet.row(name) == nil ? $0.suggestion(for: name, among: known) : ""
        }
    }

    private func missing(row name: Symbol, above index: Int) -> String {
        guard sheet.row(name) != nil else {
            return "there is no row \(name)" + (index < rows.count ? " above this one" : "")
        }
        guard rows[index].id == name else {
            return "the row \(name) is not above this one; move it up"
        }
        return "a row cannot be worked out from itself"
            + (rows[index].isComputed ? "" : "; what is entered in it is “entered”")
    }

    private func suggestion(for name: Symbol, among known: [Symbol]) -> String {
        let hint = name.description.suggestion(among: known.map(\.description))
        return hint.isEmpty && !known.isEmpty ? "; expected: \(known.list)" : hint
    }

    // MARK: Options

    private mutating func checkTieBreakers() {
        for (index, tieBreaker) in sheet.tieBreakers.enumerated()
        where sheet.row(tieBreaker.row) == nil {
            let path: [AnyField] = ["tieBreakers", AnyField(index), "row"]
            reportMissing(row: tieBreaker.row, above: rows.count, at: path)
        }
    }

    private mutating func checkSettings() {
        for (index, rule) in sheet.seats.enumerated() {
            check(rule.condition, at: ["seats", AnyField(index), "when"])
        }
        check(sheet.wins, at: ["wins"]) { option in
            if option.chooses(WinRule.self) { return nil }
            return "the option \(option.name) does not choose between highest and lowest; write "
                + "{\"when\": {\"option\": \"\(option.name)\", …}, \"is\": …}"
        }
        checkTeams()
        check(sheet.ends, at: ["ends"]) { option in
            if option.chooses(TargetEnd.self) { return nil }
            return "the option \(option.name) does not choose between the words of “ends”"
        }
        if let target = sheet.target { return check(number: target, at: ["target"]) }
        if sheet.ends != .always(.round) { report(["ends"], "only with a target") }
        if sheet.tie != .share { report(["tie"], "only with a target") }
        if sheet.counts != .up { report(["counts"], "only with a target") }
    }

    private mutating func checkTeams() {
        let engine = sheet.gameEngine
        if !engine.rules.teamRules.contains(sheet.teams) {
            let known = engine.rules.teamRules.map(\.rawValue).together
            report(["teams"], "the engine \(engine.rawValue) takes only \(known)")
        }
        guard sheet.teams != .together else { return }
        for (index, row) in rows.enumerated() where row.partners != .one {
            let path = sheet.path(ofRow: index) + ["partners"]
            report(path, "only in a sheet with “teams”: “together”")
        }
    }

    private mutating func check(_ condition: Condition, at path: [AnyField]) {
        let name = condition.option
        guard let option = sheet.option(name) else { return reportMissing(option: name, at: path) }
        guard let choices = option.choices else {
            let reason = "the option \(name) does not choose between words; leave “is” out"
            return report(path, condition.words.isEmpty ? nil : reason)
        }
        if condition.words.isEmpty {
            report(path, "name the words of \(name) in “is”: [\"\(choices[0])\"]")
        } else if let stray = condition.words.first(where: { !choices.contains($0) }) {
            report(path, "\(stray) is not one of the choices of \(name): \(choices.list)")
        }
    }

    private mutating func reportMissing(option name: Symbol, at path: [AnyField]) {
        let known = options.map(\.name)
        report(path, "there is no option \(name)") { $0.suggestion(for: name, among: known) }
    }

    private mutating func check(number setting: Setting<Int64>, at path: [AnyField]) {
        check(setting, at: path) { option in
            if case .integer = option.kind { nil } else { "the option \(option.name) is no number" }
        }
    }

    private mutating func check<Constant>(
        _ setting: Setting<Constant>,
        at path: [AnyField],
        refusing reason: (SheetOption) -> String?
    ) {
        for condition in setting.conditions { check(condition, at: path) }
        for name in setting.options {
            guard let option = sheet.option(name) else {
                reportMissing(option: name, at: path)
                continue
            }
            report(path, reason(option))
        }
    }

    // MARK: Formulas

    private mutating func check(_ formula: RowFormula, ofRow index: Int) {
        for name in formula.formula.names {
            guard let reason = flaw(of: name, in: formula, ofRow: index) else { continue }
            let path = (index < rows.count ? sheet.path(ofRow: index) : []) + formula.path
            report(path, reason, offset: formula.formula.offset(of: name)) {
                $0.hint(inFormula: name.subject)
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
            let own = index < rows.count && !rows[index].isComputed ? rows[index] : nil
            guard let row = own?.id == subject ? own : above else {
                return missing(row: subject, above: index)
            }
            return flaw(ofNumbersIn: row)
        case .ofRounds(let function, _):
            if formula.role == .running, index < rows.count, subject == rows[index].id {
                return rows[index].isComputed || function == .zeros
                    ? "\(function.rawValue)(\(subject)) is not known while the row is worked out"
                    : nil
            }
            guard let above else { return missing(row: subject, above: index) }
            guard formula.role == .whole || formula.role == .number, above.lastRound != nil else {
                return "\(function.rawValue) takes a row of rounds, in the formula of another row"
            }
            return flaw(ofNumbersIn: above)
        case .word(_, let word):
            if let choices = above?.choices, formula.role != .check {
                guard above?.lastRound == nil || formula.role.isByRounds else {
                    return "\(subject) has a word in each round; only formulas of rounds read it"
                }
                return stray(word, of: subject, among: choices)
            }
            if let choices = sheet.option(subject)?.choices {
                return stray(word, of: subject, among: choices)
            }
            let isKnown = formula.role.names.contains(subject.description) || above != nil
            return isKnown || sheet.option(subject) != nil
                ? "\(subject) is not a choice here; write it without a word in quotes"
                : missing(row: subject, above: index)
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
        switch sheet.option(name)?.kind {
        case .boolean, .integer: nil
        case .choice: "\(name) is a choice: compare it with a word, as in \(name) = 'word'"
        case .text: "\(name) is no number"
        case nil: missing(row: name, above: index)
        }
    }

    /// Returns a hint for an unknown name: the name that was probably meant.
    private func hint(inFormula name: Symbol) -> String {
        guard sheet.row(name) == nil, sheet.option(name) == nil else { return "" }
        let word = name.description
        if ["entered", "round", "before"].contains(word) {
            return "; \(word) is for formulas of rows that are entered"
        }
        if word == "since" { return "; since is for formulas of computed rows" }
        let choices = rows.compactMap(\.choices) + options.compactMap(\.choices)
        if choices.joined().contains(name) { return "; did you mean '\(word)'?" }
        if let row = rows.first(where: { $0.label.lowercased() == word }) {
            return "; did you mean \(row.id)?"
        }
        if word.contains("-") { return "; a minus needs a space on each side" }
        return word.suggestion(among: (rows.map(\.id) + options.map(\.name)).map(\.description))
    }
}

extension SheetOption {
    /// Whether it is a choice among these words.
    fileprivate func chooses<Word: RawRepresentable<String>>(_: Word.Type) -> Bool {
        choices?.allSatisfy { Word(rawValue: $0.description) != nil } ?? false
    }
}

extension Sheet {
    /// Mistakes in a valid sheet; new sheets with them are rejected.
    var warnings: [SheetFlaw] {
        var warnings: [SheetFlaw] = []
        if counts == .down, !rows.contains(where: { $0.kind == .rounds }) {
            warnings.append(SheetFlaw(["counts"], "counting down needs a row of rounds"))
        }
        let hasFormulas = rows.contains(where: \.hasFormula)
        for index in rows.indices {
            let path = path(ofRow: index)
            for formula in rows[index].formulas {
                let expression = formula.formula.expression
                if expression.dividesByZero {
                    warnings.append(SheetFlaw(path + formula.path, "it always divides by zero"))
                }
                if expression.comparesOneAlone {
                    let reason =
                        "min and max need two parts; for a player's own rounds write lowest(ROW) "
                        + "or highest(ROW)"
                    warnings.append(SheetFlaw(path + formula.path, reason))
                }
            }
            if hasFormulas, Int64(rows[index].id.description) != nil {
                let reason = "formulas read \(rows[index].id) as a number; choose another name"
                warnings.append(SheetFlaw(path + ["id"], reason))
            }
        }
        return warnings
    }
}
