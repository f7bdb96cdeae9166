import SessionCRDT

/// Something that makes a sheet none: where it is, and why.
struct SheetFlaw {
    let path: [any CodingKey]
    var reason: String
    /// How far into the text that is there, in bytes.
    let offset: Int
    /// The name of which nobody knows what it means.
    let stray: StrayName?
    /// Where the first of two is that have one name.
    let twin: [any CodingKey]?

    /// What is said of a list that is too long.
    static func excess(_ count: Int, _ most: Int) -> String {
        "there are \(count), and \(most) at most"
    }

    /// A flaw at the place that fields and numbers lead to.
    init(
        _ path: [AnyField],
        _ reason: String,
        offset: Int = 0,
        stray: StrayName? = nil,
        twin: [AnyField]? = nil
    ) {
        self.path = path
        self.reason = reason
        self.offset = offset
        self.stray = stray
        self.twin = twin
    }
}

/// All that is wrong between the parts of a sheet; at least one.
struct SheetFlaws: Error {
    let flaws: [SheetFlaw]
}

extension AnyField: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral name: String) { self.init(stringValue: name) }
    init(integerLiteral index: Int) { self.init(index) }
}

extension Sheet {
    /// What is wrong between the parts of the sheet, each of which is right in itself.
    ///
    /// Of one whose rows refer to more than they may nothing else is looked for.
    var flaws: [SheetFlaw] {
        if let flaw = flawOfSources { return [flaw] }
        let all =
            texts + namings + rows.indices.flatMap(flaws(ofRow:)) + formulaFlaws + nameFlaws
            + tieBreakerFlaws + settingFlaws + codedRowFlaws + factionFlaws
        // Hints cost more than flaws, and nobody reads very many.
        return all.enumerated().map { index, flaw in index < 20 ? hinted(flaw) : flaw }
    }

    private func hinted(_ flaw: SheetFlaw) -> SheetFlaw {
        guard let stray = flaw.stray else { return flaw }
        var flaw = flaw
        flaw.reason += hint(for: stray)
        return flaw
    }

    private var flawOfSources: SheetFlaw? {
        guard rows.count <= Limits.rows else {
            return SheetFlaw(["rows"], SheetFlaw.excess(rows.count, Limits.rows))
        }
        let parts = rows.flatMap(\.formulas).reduce(0) { $0 + $1.formula.expression.size }
        guard parts <= Formula.Limits.allParts else {
            let reason = "all formulas together have \(parts) parts, and "
            return SheetFlaw(["rows"], reason + "\(Formula.Limits.allParts) at most")
        }
        let ids = Set(rows.map(\.id))
        let count = rows.reduce(0) { sum, row in
            let named = row.formulas.flatMap(\.formula.names).map(\.subject)
            return sum + (row.formulas.isEmpty ? row.sources.count : ids.intersection(named).count)
        }
        guard count > Limits.allSources else { return nil }
        let reason =
            "rows are worked out from \(count) rows together, "
            + "and \(Limits.allSources) at most"
        return SheetFlaw(["rows"], reason)
    }

    /// Texts that are too long.
    private var texts: [SheetFlaw] {
        var flaws: [SheetFlaw] = []
        func check(_ text: String, _ most: Int, at path: [AnyField]) {
            guard text.unicodeScalars.count > most else { return }
            flaws.append(SheetFlaw(path, "it is longer than \(most) characters"))
        }
        check(name, Limits.label, at: ["name"])
        check(summary, Limits.help, at: ["summary"])
        check(help, Limits.help, at: ["help"])
        for (index, row) in rows.enumerated() {
            check(row.label, Limits.label, at: path(ofRow: index) + ["label"])
            check(row.help, Limits.help, at: path(ofRow: index) + ["help"])
            guard case .rounds(_, let rounds) = row.content else { continue }
            for (place, found) in rounds.checks.enumerated() {
                let path = path(ofRow: index) + ["checks", AnyField(place), "help"]
                check(found.help, Limits.help, at: path)
            }
        }
        for (index, option) in options.enumerated() {
            check(option.help, Limits.help, at: ["options", AnyField(index), "help"])
        }
        return flaws
    }

    /// Names that are there twice.
    private var namings: [SheetFlaw] {
        var flaws: [SheetFlaw] = []
        var first: [Symbol: [AnyField]] = [:]
        func add(_ name: Symbol, _ what: String, at path: [AnyField]) {
            if let twin = first[name] {
                flaws.append(SheetFlaw(path, "the \(what) \(name) is there twice", twin: twin))
            } else {
                first[name] = path
            }
        }
        let paths = rows.indices.map(path(ofRow:))
        for index in writtenOrder { add(rows[index].id, "id", at: paths[index] + ["id"]) }
        for (path, row) in zip(paths, rows) {
            for alias in row.aliases { add(alias, "name", at: path + ["aliases"]) }
        }
        first = [:]
        for (index, option) in options.enumerated() {
            add(option.name, "name", at: ["options", AnyField(index), "name"])
        }
        return flaws
    }

    /// The places of the rows as a sheet writes them: a row of rounds before its fields.
    private var writtenOrder: [Int] {
        var order: [Int] = []
        var fields: [Int] = []
        for (index, row) in rows.enumerated() {
            guard row.group == nil else {
                fields.append(index)
                continue
            }
            order += [index] + fields
            fields = []
        }
        return order
    }

    private func flaws(ofRow index: Int) -> [SheetFlaw] {
        let row = rows[index]
        var flaws: [SheetFlaw] = []
        func add(_ path: [AnyField], _ reason: String) {
            flaws.append(SheetFlaw(self.path(ofRow: index) + path, reason))
        }
        let path = path(ofRow: index)
        if let condition = row.condition { flaws += self.flaws(of: condition, at: path + ["when"]) }
        for (place, setting) in (row.worth?.places ?? []).enumerated() {
            flaws += self.flaws(ofNumber: setting, at: path + ["places", AnyField(place)])
        }
        // Upwards only, so that no row can depend on itself.
        let above = rows[..<index]
        guard case .computed(let derivation, _) = row.content, row.kind != .formula else {
            return flaws
        }
        for source in derivation.sources where !above.contains(where: { $0.id == source }) {
            guard let reason = flaw(ofReading: source, fromRow: index) else { continue }
            let stray = self.row(source) == nil ? StrayName.row(source, above: index) : nil
            flaws.append(SheetFlaw(path + ["of"], reason, stray: stray))
        }
        guard case .drop(let rule) = derivation else { return flaws }
        let orders = above.first { $0.id == rule.order }
        if case .order(let order)? = orders?.content {
            if Set(order.words) != Set(rule.rows) {
                add(["order"], "the words of \(rule.order) are not the rows that are counted")
            }
        } else {
            add(["order"], "\(rule.order) is not a row of the kind order above this one")
        }
        if let override = rule.override {
            let choices = above.first { $0.id == override && $0.group == nil }
            if case .choice(let words)? = choices?.content {
                if let stray = words.first(where: { !rule.rows.contains($0.word) }) {
                    add(["override"], "\(stray.word) is not one of the rows that are counted")
                }
            } else {
                add(["override"], "\(override) is not a row of the kind choice above this one")
            }
        }
        return flaws
    }

    private var tieBreakerFlaws: [SheetFlaw] {
        guard !hasTwins else { return [] }
        return tieBreakers.enumerated().filter { row($0.element.row) == nil }.map { index, stray in
            SheetFlaw(
                ["tieBreakers", AnyField(index), "row"],
                "there is no row \(stray.row)",
                stray: .row(stray.row, above: rows.count)
            )
        }
    }

    private var settingFlaws: [SheetFlaw] {
        var found = seats.enumerated().flatMap { index, rule in
            flaws(of: rule.condition, at: ["seats", AnyField(index), "when"])
        }
        found += flawsOfWins
        if let target { found += flaws(ofNumber: target, at: ["target"]) }
        if target == nil, ends != .round {
            found.append(SheetFlaw(["ends"], "only a target ends a game"))
        }
        if target == nil, counts != .up {
            found.append(SheetFlaw(["counts"], "it counts to a target, and there is none"))
        }
        return found
    }

    /// Why a condition can never be looked up.
    private func flaws(of condition: Condition, at path: [AnyField]) -> [SheetFlaw] {
        let name = condition.option
        guard let option = option(name) else { return [flaw(ofOption: name, at: path)] }
        func refused(_ reason: String) -> [SheetFlaw] { [SheetFlaw(path, reason)] }
        guard case .choice(let choices, _) = option.kind else {
            return condition.words.isEmpty
                ? []
                : refused("the option \(name) does not choose between words; leave “is” away")
        }
        if condition.words.isEmpty {
            return refused("say which word of \(name), in “is”: [\"\(choices[0])\"]")
        }
        guard let stray = condition.words.first(where: { !choices.contains($0) }) else { return [] }
        return refused("\(stray) is not one of the choices of \(name): \(choices.list)")
    }

    /// Says that there is no such option.
    private func flaw(ofOption name: Symbol, at path: [AnyField]) -> SheetFlaw {
        SheetFlaw(path, "there is no option \(name)", stray: .option(name))
    }

    /// Why the win rule cannot be what it says.
    private var flawsOfWins: [SheetFlaw] {
        flaws(of: wins, at: ["wins"]) { option in
            if case .choice(let choices, _) = option.kind,
                choices.allSatisfy({ WinRule(rawValue: $0.description) != nil })
            {
                return nil
            }
            return "the option \(option.name) does not choose between highest and lowest; say "
                + "{\"when\": {\"option\": \"\(option.name)\", …}, \"is\": …}"
        }
    }

    /// Why a number cannot be what it says.
    private func flaws(ofNumber setting: Setting<Int64>, at path: [AnyField]) -> [SheetFlaw] {
        flaws(of: setting, at: path) { option in
            if case .integer = option.kind { return nil }
            return "the option \(option.name) is not a number"
        }
    }

    /// Why a setting cannot be looked up, and why options that it asks cannot say it.
    private func flaws<Constant>(
        of setting: Setting<Constant>,
        at path: [AnyField],
        refusing refusal: (SheetOption) -> String?
    ) -> [SheetFlaw] {
        setting.flaws(
            ofCondition: { flaws(of: $0, at: path) },
            ofOption: { name in
                guard let option = option(name) else { return [flaw(ofOption: name, at: path)] }
                return refusal(option).map { [SheetFlaw(path, $0)] } ?? []
            }
        )
    }
}

/// A formula of a row, and for what it stands there.
struct RowFormula {
    /// What it says.
    let formula: Formula
    /// What it is for.
    let role: Role
    /// Where it is written within the row.
    let path: [AnyField]

    /// What a formula of a row can be for.
    enum Role: Equatable {
        /// What a row that is worked out comes to.
        case whole
        /// What one number is worth that was entered.
        case number
        /// What a round is worth that is entered as one number.
        case round
        /// What a round of several fields is worth.
        case fields
        /// What the rounds come to after each of them.
        case running
        /// What has to hold of a round of the whole table.
        case check
        /// What has to hold of each player's round.
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

    /// Whether it is worked out round by round.
    var isByRounds: Bool {
        switch self {
        case .whole, .number: false
        case .round, .fields, .running, .check, .eachCheck: true
        }
    }

    /// Whether it says what has to hold.
    var isCheck: Bool {
        switch self {
        case .check, .eachCheck: true
        case .whole, .number, .round, .fields, .running: false
        }
    }
}

extension Row {
    /// Its formulas.
    var formulas: [RowFormula] {
        switch content {
        case .computed(.formula(let formula), _):
            return [RowFormula(formula: formula, role: .whole, path: ["formula"])]
        case .number(let worth):
            let formula = worth.formula
            return formula.map { [RowFormula(formula: $0, role: .number, path: ["formula"])] } ?? []
        case .rounds(let worth, let rounds):
            let role = rounds.hasFields ? RowFormula.Role.fields : .round
            let formulas: [RowFormula?] = [
                worth.formula.map { RowFormula(formula: $0, role: role, path: ["formula"]) },
                rounds.running.map { RowFormula(formula: $0, role: .running, path: ["running"]) },
            ]
            return formulas.compactMap(\.self)
                + rounds.checks.enumerated().map { index, check in
                    let path: [AnyField] = ["checks", AnyField(index), "formula"]
                    let role: RowFormula.Role =
                        check.isOfEach ? .eachCheck(hasFields: rounds.hasFields) : .check
                    return RowFormula(formula: check.formula, role: role, path: path)
                }
        case .tokens, .flag, .choice, .order, .text, .moves, .computed: return []
        }
    }
}

extension Sheet {
    /// What formulas name that is not there, or says no number there.
    var formulaFlaws: [SheetFlaw] {
        var flaws: [SheetFlaw] = []
        for index in rows.indices {
            for formula in rows[index].formulas {
                for name in formula.formula.names {
                    guard let reason = flaw(of: name, in: formula, ofRow: index) else { continue }
                    let (subject, path) = (name.subject, path(ofRow: index) + formula.path)
                    let isKnown = row(subject) != nil || option(subject) != nil
                    let offset = formula.formula.offset(of: name)
                    let stray = isKnown ? nil : StrayName.inFormula(subject)
                    flaws.append(SheetFlaw(path, reason, offset: offset, stray: stray))
                }
            }
        }
        return flaws
    }

    private func flaw(of name: FormulaName, in formula: RowFormula, ofRow index: Int) -> String? {
        let subject = name.subject
        let above = rows[..<index].first { $0.id == subject }
        switch name {
        case .value:
            if formula.role.names.contains(subject.description) { return nil }
            if let above {
                guard formula.role != .check else {
                    return "this check is of the whole table: say total(\(subject)), or most, "
                        + "or “each”: true"
                }
                return flaw(ofNumbersIn: above)
            }
            return flaw(ofOption: subject, fromRow: index)
        case .ofAll(let aggregate, _):
            guard formula.role != .running else {
                return "a running formula compares nobody; let the formula of the round do it"
            }
            guard formula.role != .check || ![.others, .team, .rank, .tied].contains(aggregate)
            else {
                return "this check is of the whole table, and \(aggregate.rawValue) of one player; "
                    + "say “each”: true"
            }
            let isOwn = subject == rows[index].id && !rows[index].isComputed
            guard let row = isOwn ? rows[index] : above else {
                return flaw(ofReading: subject, fromRow: index)
            }
            return flaw(ofNumbersIn: row)
        case .extreme(let extreme, _):
            guard let above else { return flaw(ofReading: subject, fromRow: index) }
            guard formula.role == .whole || formula.role == .number, above.lastRound != nil else {
                return "\(extreme.rawValue) is of a row of rounds, and for formulas of other rows"
            }
            return flaw(ofNumbersIn: above)
        case .word(_, let word):
            if case .choice(let choices)? = above?.content, formula.role != .check {
                guard above?.lastRound == nil || formula.role.isByRounds else {
                    return "\(subject) says a word in each round; only formulas of rounds ask it"
                }
                return stray(word, of: subject, among: choices.map(\.word))
            }
            if case .choice(let choices, _)? = option(subject)?.kind {
                return stray(word, of: subject, among: choices)
            }
            return flaw(ofWordsIn: subject, above, in: formula, ofRow: index)
        }
    }

    /// Why what is no choice cannot be compared with a word.
    private func flaw(
        ofWordsIn subject: Symbol,
        _ above: Row?,
        in formula: RowFormula,
        ofRow index: Int
    ) -> String? {
        let isNumber = "\(subject) is a number: compare it with one, without quotes"
        let isFlag = "\(subject) is yes or no: write \(subject), or not \(subject)"
        if formula.role.names.contains(subject.description) { return isNumber }
        switch (above?.content, option(subject)?.kind) {
        case (.flag, _), (nil, .boolean): return isFlag
        case (.number, _), (.rounds, _), (.tokens, _), (.computed, _), (nil, .integer):
            return isNumber
        case (.choice, _): return "a check is of the whole table, and \(subject) of one player"
        case (.order, _), (.text, _), (.moves, _), (nil, .text), (nil, .choice):
            return "\(subject) is no choice"
        case (nil, nil): return missing(subject, fromRow: index)
        }
    }

    /// Why a choice never says a word; nil where it can.
    private func stray(_ word: Symbol, of choice: Symbol, among words: [Symbol]) -> String? {
        words.contains(word)
            ? nil : "\(word) is not one of the choices of \(choice): \(words.list)"
    }

    /// What a new sheet should not have, though one that has it is read.
    var doubts: [SheetFlaw] {
        var doubts: [SheetFlaw] = []
        if counts == .down, !rows.contains(where: { $0.kind == .rounds }) {
            let reason = "what comes down begins with a round, and no row has any"
            doubts.append(SheetFlaw(["counts"], reason))
        }
        for index in rows.indices {
            for formula in rows[index].formulas {
                let path = path(ofRow: index) + formula.path
                if formula.formula.expression.dividesByZero {
                    doubts.append(SheetFlaw(path, "it divides by zero, always"))
                }
                if formula.formula.expression.comparesOneAlone {
                    let reason =
                        "min and max of one part are that part; of a player's own rounds write "
                        + "lowest(ROW) or highest(ROW)"
                    doubts.append(SheetFlaw(path, reason))
                }
            }
        }
        guard rows.contains(where: { !$0.formulas.isEmpty }) else { return doubts }
        return doubts
            + rows.indices.filter { Int64(rows[$0].id.description) != nil }.map { index in
                let reason = "formulas read \(rows[index].id) as the number; call the row otherwise"
                return SheetFlaw(path(ofRow: index) + ["id"], reason)
            }
    }

    /// Rows and options that a formula cannot name, because the language has the word.
    var nameFlaws: [SheetFlaw] {
        guard rows.contains(where: { !$0.formulas.isEmpty }) else { return [] }
        let words = ["players", "entered", "before", "and", "or", "not"]
        func reason(_ name: Symbol) -> String? {
            words.contains(name.description)
                ? "formulas have the word \(name) for something else; call it otherwise" : nil
        }
        return rows.indices.compactMap { index in
            reason(rows[index].id).map { SheetFlaw(path(ofRow: index) + ["id"], $0) }
        }
            + options.indices.compactMap { index in
                let path: [AnyField] = ["options", AnyField(index), "name"]
                return reason(options[index].name).map { SheetFlaw(path, $0) }
            }
    }

    private func flaw(ofNumbersIn row: Row) -> String? {
        switch row.content {
        case .number, .rounds, .tokens, .flag, .choice, .computed: nil
        case .order, .text, .moves: "\(row.id) is no number"
        }
    }

    private func flaw(ofOption name: Symbol, fromRow index: Int) -> String? {
        switch option(name)?.kind {
        case .boolean, .integer: nil
        case .choice: "\(name) is a choice: compare it with a word, as in \(name) = 'word'"
        case .text: "\(name) is no number"
        case nil: missing(name, fromRow: index)
        }
    }

    /// Why neither a row above nor an option has a name.
    private func missing(_ name: Symbol, fromRow index: Int) -> String? {
        flaw(ofReading: name, fromRow: index).map { reason in
            reason + (row(name) == nil ? ", and no option of that name" : "")
        }
    }
}
