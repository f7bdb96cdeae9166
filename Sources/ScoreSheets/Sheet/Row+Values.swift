package import SessionCRDT

extension Row {
    /// Whether a row whose last round is `last` has this round; without rounds both are nil.
    static func hasRound(_ round: UInt32?, upTo last: UInt32?) -> Bool {
        guard let round, let last else { return round == nil && last == nil }
        return 1 <= round && round <= min(last, Cell.lastRound)
    }

    /// Returns the reason why this round cannot be entered; nil if it can.
    package func violation(ofRound round: UInt32?) -> RuleViolation? {
        if Row.hasRound(round, upTo: lastRound) { return nil }
        guard let last = lastRound else { return .roundUnexpected(row: id) }
        guard let round else { return .roundMissing(row: id) }
        return (1...Cell.lastRound).contains(round)
            ? .roundPastLast(row: id, last: last, found: round) : .roundOutOfRange(String(round))
    }

    /// Returns the reason why this value cannot be entered; nil if it can, as null always can.
    func violation(of value: Value) -> RuleViolation? {
        guard case .failure(let violation) = reading(of: value) else { return nil }
        return violation
    }

    /// Returns the number of a value, or the reason why it cannot be entered; nil for null and
    /// texts.
    ///
    /// It checks and counts in one pass, so that a long sum is parsed only once.
    func reading(of value: Value) -> Result<Int64?, RuleViolation> {
        if value == .null { return .success(nil) }
        if isComputed { return .failure(computed) }
        switch content {
        case .number, .rounds, .tokens: return number(in: value).map { $0 }
        case .flag:
            if let flag = value.boolean { return .success(flag ? 1 : 0) }
        case .choice(let choices):
            let choice = choices.first { $0.word.description == value.string }
            if let choice { return .success(choice.points) }
        case .order(let rule):
            if value.string.flatMap(rule.order) != nil { return .success(nil) }
        case .text, .moves:
            if value.string != nil || value.integer != nil { return .success(nil) }
        case .computed: break
        }
        return .failure(wrong(value.words))
    }

    private func number(in value: Value) -> Result<Int64, RuleViolation> {
        // Nearly every value is a plain number.
        if let plain = range.plainNumber(in: value) { return .success(plain) }
        guard let sum = Sum(value) else {
            return .failure(.notANumber(row: id, found: value.words))
        }
        guard let number = sum.number, range.contains(number) else {
            return .failure(wrong(value.words, accepts: "a whole number \(range)"))
        }
        if case .tokens(let tokens) = content, sum.isAddition,
            let stranger = sum.terms.first(where: { term in
                !tokens.contains(term.size) && (term.count > 0 || !tokens.contains(-term.size))
            })
        {
            return .failure(wrong(String(stranger.size)))
        }
        return .success(number)
    }

    package func value(of text: String) throws(RuleViolation) -> Value {
        let value = try reading(of: text)
        if let violation = violation(of: value) { throw violation }
        return value
    }

    private func reading(of text: String) throws(RuleViolation) -> Value {
        switch content {
        case .number, .rounds, .tokens:
            guard let sum = Sum(text) else { throw .notANumber(row: id, found: text.quoted) }
            guard sum.number != nil else {
                throw wrong(text.quoted, accepts: "a whole number \(range)")
            }
            return sum.value
        case .flag:
            guard let asBoolean = text.asBoolean else { throw wrong(text.quoted) }
            return .boolean(asBoolean)
        case .choice(let choices):
            guard case .one(let choice) = Match(text, among: choices, \.word.description) else {
                throw wrong(text.quoted)
            }
            return .text(choice.word.description)
        case .order(let rule):
            guard let order = rule.reading(of: text) else { throw wrong(text.quoted) }
            return .text(order.map(\.description).joined(separator: " "))
        case .text, .moves: return .text(text)
        case .computed: throw computed
        }
    }

    private var computed: RuleViolation {
        var seen: Set<Symbol> = []
        return .computedRow(id, sources: sources.filter { seen.insert($0).inserted })
    }

    private func wrong(_ found: String, accepts: String? = nil) -> RuleViolation {
        .wrongValue(id, accepts: accepts ?? acceptedValues, found: found)
    }

    package var acceptedValues: String {
        switch content {
        case .number, .rounds: range.wholeNumber
        case .tokens(let tokens):
            "a total, or tokens of \(tokens.map(String.init).joined(separator: ", "))"
        case .flag: "yes or no"
        case .choice(let choices): "one of " + choices.map(\.word).list
        case .order(let rule): "the order of " + rule.words.list
        case .text, .moves: "a text"
        case .computed: "nothing; it is computed"
        }
    }

    /// Returns the number of a value, even out of range; nil for a text.
    ///
    /// Tie-breakers and derived rows read this number, and the points of the row are computed from
    /// it.
    package func count(of value: Value) -> Int64? {
        isNumeric ? Sum(value)?.number : (try? reading(of: value).get()) ?? nil
    }
}

extension WordOrder {
    /// Returns the order that was typed: all the words, or the beginning of a preset; each word may
    /// be shortened.
    func reading(of text: String) -> [Symbol]? {
        var found: [Symbol] = []
        for piece in text.split(whereSeparator: { " ,;>/".contains($0) }) {
            let rest = words.filter { !found.contains($0) }
            guard case .one(let word) = Match(String(piece), among: rest, \.description) else {
                return nil
            }
            found.append(word)
        }
        if found.count == words.count { return found }
        let begun = presets.filter { !found.isEmpty && $0.starts(with: found) }
        return begun.count == 1 ? begun[0] : nil
    }
}

/// A range of numbers within ±(2⁵³ − 1).
package struct Bounds: Hashable, Sendable, CustomStringConvertible {
    package let from: Int64
    /// The upper bound, never below `from`.
    package let to: Int64

    /// All numbers that a cell can hold.
    package static let all = Bounds(within: (0 - Value.largestInteger)...Value.largestInteger)

    /// Clamps the range to what a cell can hold.
    package init(within range: ClosedRange<Int64>) {
        let limits = (0 - Value.largestInteger)...Value.largestInteger
        let cut = range.clamped(to: limits)
        from = cut.lowerBound
        to = cut.upperBound
    }

    /// Returns the number, clamped to what a cell can hold.
    package static func cut(_ number: Int128) -> Int64 {
        Int64(min(max(number, Int128(all.from)), Int128(all.to)))
    }

    package func contains(_ number: Int64) -> Bool { from <= number && number <= to }

    /// Returns the number of a value that is not a sum, if it is in range.
    func plainNumber(in value: Value) -> Int64? {
        value.integer.flatMap { contains($0) ? $0 : nil }
    }

    /// The range in words: `from 0 to 20`, `of at least 1`, `of at most 3`.
    package var description: String {
        switch (from == Bounds.all.from, to == Bounds.all.to) {
        case (true, true), (false, false): "from \(from) to \(to)"
        case (false, true): "of at least \(from)"
        case (true, false): "of at most \(to)"
        }
    }

    var wholeNumber: String { self == .all ? "a whole number" : "a whole number \(self)" }

    /// A number of players in words: `2 players`, `1 to 5 players`, `3 players or more`.
    var playerCount: String {
        switch to {
        case from: "\(from) players"
        case Bounds.all.to: "\(from) players or more"
        default: "\(from) to \(to) players"
        }
    }
}

extension Bounds: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to
    }

    /// The number of players of a sheet without a rule.
    static let anybody = Bounds(within: 1...Int64.max)

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(CodingKeys.self)
        from = try fields.integer(.from) ?? Bounds.all.from
        to = try fields.integer(.to) ?? Bounds.all.to
        guard from <= to else {
            throw fields.refusal(.to, "\(to) is below \(from); swap “from” and “to”")
        }
    }
}
