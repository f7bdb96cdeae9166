import SessionCRDT

/// Something that makes a sheet none: where it is, and why.
struct SheetFlaw {
    let path: [any CodingKey]
    let reason: String
    /// How far into the text that is there, in bytes.
    let offset: Int

    /// What is said of a list that is too long.
    static func excess(_ count: Int, _ most: Int) -> String {
        "there are \(count), and \(most) at most"
    }

    /// A flaw at the place that fields and numbers lead to.
    init(_ path: [AnyField], _ reason: String, offset: Int = 0) {
        self.path = path
        self.reason = reason
        self.offset = offset
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
        return texts + namings + rows.indices.flatMap(flaws(ofRow:)) + formulaFlaws + nameFlaws
            + tieBreakerFlaws + settingFlaws + codedRowFlaws + factionFlaws
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
        var seen: Set<Symbol> = []
        for (index, row) in rows.enumerated() where !seen.insert(row.id).inserted {
            let reason = "the id \(row.id) is there twice"
            flaws.append(SheetFlaw(path(ofRow: index) + ["id"], reason))
        }
        for (index, row) in rows.enumerated() {
            for alias in row.aliases where !seen.insert(alias).inserted {
                let reason = "the name \(alias) is there twice"
                flaws.append(SheetFlaw(path(ofRow: index) + ["aliases"], reason))
            }
        }
        var names: Set<Symbol> = []
        for (index, option) in options.enumerated() where !names.insert(option.name).inserted {
            flaws.append(
                SheetFlaw(
                    ["options", AnyField(index), "name"],
                    "the name \(option.name) is there twice"
                )
            )
        }
        return flaws
    }

    private func flaws(ofRow index: Int) -> [SheetFlaw] {
        let row = rows[index]
        var flaws: [SheetFlaw] = []
        func add(_ path: [AnyField], _ reason: String) {
            flaws.append(SheetFlaw(self.path(ofRow: index) + path, reason))
        }
        if let condition = row.condition, let reason = flaw(of: condition) {
            add(["when"], reason)
        }
        for (place, setting) in (row.worth?.places ?? []).enumerated() {
            if let reason = flaw(ofNumber: setting) {
                add(["places", AnyField(place)], reason)
            }
        }
        // Upwards only, so that no row can depend on itself.
        let above = rows[..<index]
        guard case .computed(let derivation, _) = row.content, row.kind != .formula else {
            return flaws
        }
        for source in derivation.sources where !above.contains(where: { $0.id == source }) {
            add(["of"], "there is no row \(source) above this one")
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
        tieBreakers.enumerated().filter { row($0.element.row) == nil }.map { index, stray in
            SheetFlaw(["tieBreakers", AnyField(index), "row"], "there is no row \(stray.row)")
        }
    }

    private var settingFlaws: [SheetFlaw] {
        var flaws = seats.enumerated().compactMap { index, rule in
            flaw(of: rule.condition).map { SheetFlaw(["seats", AnyField(index), "when"], $0) }
        }
        if let reason = flawOfWins { flaws.append(SheetFlaw(["wins"], reason)) }
        if let target, let reason = flaw(ofNumber: target) {
            flaws.append(SheetFlaw(["target"], reason))
        }
        if target == nil, ends != .round {
            flaws.append(SheetFlaw(["ends"], "only a target ends a game"))
        }
        if target == nil, counts != .up {
            flaws.append(SheetFlaw(["counts"], "it counts to a target, and there is none"))
        }
        return flaws
    }

    /// Why a condition can never be looked up; nil when it can.
    private func flaw(of condition: Condition) -> String? {
        guard let option = option(condition.option) else {
            return "there is no option \(condition.option)"
        }
        guard case .choice(let choices, _) = option.kind else {
            return condition.words.isEmpty
                ? nil : "the option \(condition.option) does not choose between words"
        }
        if condition.words.isEmpty { return "say which word of \(condition.option), in “is”" }
        let stray = condition.words.first { !choices.contains($0) }
        return stray.map { "\($0) is not one of the choices of \(condition.option)" }
    }

    /// Why the win rule cannot be what it says; nil when it can.
    private var flawOfWins: String? {
        wins.flaw(ofCondition: flaw) { name in
            guard let option = option(name) else { return "there is no option \(name)" }
            guard case .choice(let choices, _) = option.kind,
                choices.allSatisfy({ WinRule(rawValue: $0.description) != nil })
            else {
                return "the option \(name) does not choose between highest and lowest; say "
                    + "{\"when\": {\"option\": \"\(name)\", …}, \"is\": …}"
            }
            return nil
        }
    }

    /// Why a number cannot be what it says; nil when it can.
    private func flaw(ofNumber setting: Setting<Int64>) -> String? {
        setting.flaw(ofCondition: flaw) { name in
            guard let option = option(name) else { return "there is no option \(name)" }
            guard case .integer = option.kind else { return "the option \(name) is not a number" }
            return nil
        }
    }
}
