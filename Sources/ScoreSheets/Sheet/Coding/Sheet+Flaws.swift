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
