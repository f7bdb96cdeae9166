import SessionCRDT

/// A name that nothing has, by what was looked for.
enum StrayName {
    /// A row above the one at a place.
    case row(Symbol, above: Int)
    /// An option.
    case option(Symbol)
    /// Anything that a formula can name.
    case inFormula(Symbol)
}

extension Sheet {
    /// What people probably mean by a name that nothing has.
    func hint(for stray: StrayName) -> String {
        switch stray {
        case .row(let name, let index): hint(for: name, among: rows[..<index].map(\.id))
        case .option where options.isEmpty: "; the sheet has no “options”"
        case .option(let name): hint(for: name, among: options.map(\.name))
        case .inFormula(let name): hint(inFormula: name)
        }
    }

    private func hint(for name: Symbol, among known: [Symbol]) -> String {
        let suggestion = name.description.suggestion(among: known.map(\.description))
        guard suggestion.isEmpty, !known.isEmpty else { return suggestion }
        return "; known are: \(known.list)"
    }

    private func hint(inFormula name: Symbol) -> String {
        let word = name.description
        let names = (rows.map(\.id) + options.map(\.name)).map(\.description)
        let suggestion = word.suggestion(among: names)
        if ["entered", "round", "before"].contains(word) {
            return "; \(word) is for formulas of rows that are entered"
        }
        if isChoice(name) { return "; a word of a choice stands in quotes: '\(word)'" }
        if let calculation = word.calculation(with: Set(names)) { return "; " + calculation }
        if let row = rows.first(where: { $0.label.lowercased() == word }) {
            return "; did you mean \(row.id)?"
        }
        if suggestion.isEmpty, word.contains("-") { return "; a minus has a space on each side" }
        return suggestion
    }

    /// Whether a row or an option can be chosen to say this word.
    private func isChoice(_ word: Symbol) -> Bool {
        rows.contains { row in
            guard case .choice(let choices) = row.content else { return false }
            return choices.contains { $0.word == word }
        }
            || options.contains { option in
                guard case .choice(let choices, _) = option.kind else { return false }
                return choices.contains(word)
            }
    }
}

/// References to other rows.
extension Sheet {
    /// Why the row at a place cannot read another one that is not above it.
    ///
    /// It is nil where nothing has the name, but two rows have one id: one of these may be meant.
    func flaw(ofReading name: Symbol, fromRow index: Int) -> String? {
        guard let other = row(name) else {
            return hasTwins ? nil : "there is no row \(name) above this one"
        }
        let reader = rows[index]
        guard name != reader.id else {
            let isEntered = !reader.isComputed
            return "a row cannot be worked out from itself"
                + (isEntered ? "; what is entered in it is “entered”" : "")
        }
        return isWorkedOut(other, from: reader.id)
            ? "the row \(name) is itself worked out from this one"
            : "the row \(name) is not above this one; move it up"
    }

    /// Whether two rows have the same id.
    var hasTwins: Bool { Set(rows.map(\.id)).count < rows.count }

    /// Whether a row reads another one, be it by way of others.
    private func isWorkedOut(_ row: Row, from origin: Symbol) -> Bool {
        let known = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<Symbol> = [row.id]
        var open = [row]
        while let next = open.popLast() {
            for source in next.sources where seen.insert(source).inserted {
                if source == origin { return true }
                if let row = known[source] { open.append(row) }
            }
        }
        return false
    }
}

extension String {
    /// How a name is written that is two names, or a name and a number, without the spaces or the
    /// sign between them; nil where it is neither.
    fileprivate func calculation(with names: Set<String>) -> String? {
        func isOperand(_ text: Substring) -> Bool {
            names.contains(String(text)) || Int64(text) != nil
        }
        for place in indices.dropFirst() {
            let (left, right) = (self[..<place], self[index(after: place)...])
            guard isOperand(left), isOperand(right) else { continue }
            if self[place] == "-" {
                return "a minus needs a space on each side: \(left) - \(right)"
            }
            if self[place] == "x" { return "write * to multiply: \(left) * \(right)" }
        }
        let digits = prefix(while: \.isNumber)
        let rest = dropFirst(digits.count)
        guard !digits.isEmpty, names.contains(String(rest)) else { return nil }
        return "write * to multiply: \(digits) * \(rest)"
    }
}
