import SessionCRDT

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
