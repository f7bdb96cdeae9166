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
    func reading(of value: Value) -> Result<Points?, RuleViolation> {
        if value == .null { return .success(nil) }
        if isComputed { return .failure(computed) }
        switch content {
        case .number, .rounds, .tokens: return number(in: value).map { $0 }
        case .flag:
            if let flag = value.boolean { return .success(flag ? 1 : 0) }
        case .choice(let choices):
            let choice = choices.first { $0.word.description == value.string }
            if let choice { return .success(Points(choice.points)) }
        case .order(let rule):
            if value.string.flatMap(rule.order) != nil { return .success(nil) }
        case .text, .moves:
            if value.string != nil || value.integer != nil { return .success(nil) }
        case .computed: break
        }
        return .failure(wrong(value.words))
    }

    private func number(in value: Value) -> Result<Points, RuleViolation> {
        // Nearly every value is a plain number.
        if !accepted.takesHalves, let plain = accepted.plainNumber(in: value) {
            return .success(Points(plain))
        }
        let typed = Sum(value)
        guard let sum = typed, accepted.takesHalves || !sum.hasFraction else {
            return .failure(notANumber(value.words, typed))
        }
        guard let number = sum.number, accepted.contains(number) else {
            return .failure(wrong(value.words, accepts: numbers))
        }
        if case .tokens(let tokens) = content, sum.isAddition,
            let stranger = sum.terms.first(where: { term in
                let size = term.size.roundedDown
                return !tokens.contains(size) && (term.count > 0 || !tokens.contains(-size))
            })
        {
            return .failure(wrong("\(stranger.size)"))
        }
        return .success(number)
    }

    /// The accepted numbers in words, with their bounds even if these are those of every cell.
    private var numbers: String {
        accepted.parts.isEmpty ? accepted.numbers : accepted.words
    }

    private func notANumber(_ found: String, _ sum: Sum?) -> RuleViolation {
        guard !accepted.takesHalves else { return wrong(found, accepts: "a number, halves too") }
        let violation = RuleViolation.notANumber(row: id, found: found)
        guard case .option(let option)? = halves, sum?.hasFraction == true else { return violation }
        return RuleViolation(
            violation.message,
            hint: "for half points: scorectl session option \(option)=yes"
        )
    }

    package func value(of text: String) throws(RuleViolation) -> Value {
        let value = try reading(of: text)
        if let violation = violation(of: value) { throw violation }
        return value
    }

    private func reading(of text: String) throws(RuleViolation) -> Value {
        switch content {
        case .number, .rounds, .tokens:
            let typed = Sum(typed: text)
            guard let sum = typed, accepted.takesHalves || !sum.hasFraction else {
                throw notANumber(text.quoted, typed)
            }
            guard sum.number != nil else {
                throw wrong(text.quoted, accepts: numbers)
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
        case .moves: return .text(text.withASCIIDigits)
        case .text: return .text(text)
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
        case .number, .rounds: accepted.words
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
    package func count(of value: Value) -> Points? {
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

/// A range of numbers within ±(2⁵³ − 1), or those in it that are a multiple of a step apart.
package struct Bounds: Hashable, Sendable, CustomStringConvertible {
    package let from: Int64
    /// The upper bound, never below `from`.
    package let to: Int64
    /// The difference of neighbouring numbers, from `from` on.
    package let step: Int64

    /// All numbers that a cell can hold.
    package static let all = Bounds(within: (0 - Value.largestInteger)...Value.largestInteger)

    /// Clamps the range to what a cell can hold.
    package init(within range: ClosedRange<Int64>) {
        let limits = (0 - Value.largestInteger)...Value.largestInteger
        let cut = range.clamped(to: limits)
        from = cut.lowerBound
        to = cut.upperBound
        step = 1
    }

    /// Returns the range up to a number, or up to the lower bound if that is greater.
    func upTo(_ number: Int64) -> Bounds {
        Bounds(from: from, to: min(max(from, number), Bounds.all.to), step: step)
    }

    /// Creates a range without an upper bound.
    init(from: Int64, step: Int64) { self.init(from: from, to: Bounds.all.to, step: step) }

    private init(from: Int64, to: Int64, step: Int64) {
        (self.from, self.to, self.step) = (from, to, step)
    }

    /// Returns the number, clamped to what a cell can hold.
    package static func cut(_ number: Int128) -> Int64 {
        Int64(min(max(number, Int128(all.from)), Int128(all.to)))
    }

    package func contains(_ number: Int64) -> Bool {
        from <= number && number <= to && (step == 1 || (number - from) % step == 0)
    }

    /// The range in words: `from 0 to 20`, `of at least 1`, `of at most 3`.
    package var description: String {
        let range =
            switch (from == Bounds.all.from, to == Bounds.all.to) {
            case (true, true), (false, false): "from \(from) to \(to)"
            case (false, true): "of at least \(from)"
            case (true, false): "of at most \(to)"
            }
        return step == 1 ? range : "\(range) in steps of \(step)"
    }

    /// The numbers as a part of a list: `25`, `5 to 30`.
    var part: String {
        from == to ? "\(from)" : "\(from) to \(to)" + (step == 1 ? "" : " in steps of \(step)")
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
        case from, to, step
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
        step = try fields.integer(.step) ?? 1
        guard step == 1 || step > 1 && fields.contains(.from) else {
            throw fields.refusal(.step, "needs “from”, and at least 1")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(from, forKey: .from)
        try fields.encode(to, forKey: .to)
        if step != 1 { try fields.encode(step, forKey: .step) }
    }
}

/// The numbers that a row takes: a range, or several numbers and ranges.
package struct AcceptedNumbers: Hashable, Sendable {
    /// The range from the least to the greatest number.
    package internal(set) var range: Bounds
    /// Whether the numbers between those of a range are accepted, too.
    package internal(set) var takesHalves = false
    /// Several numbers and ranges, in ascending order; empty if it is the range.
    let parts: [Bounds]

    package init(_ range: Bounds) { (self.range, parts) = (range, []) }

    package func contains(_ number: Int64) -> Bool {
        parts.isEmpty ? range.contains(number) : parts.contains { $0.contains(number) }
    }

    /// Whether a number is accepted; halves only within ±(2⁵³ − 1) halves, which totals can hold.
    func contains(_ number: Points) -> Bool {
        guard !takesHalves || Bounds.all.contains(number.halves) else { return false }
        if let whole = number.whole { return contains(whole) }
        let below = number.roundedDown
        return takesHalves
            && (parts.isEmpty ? [range] : parts).contains { $0.from <= below && below < $0.to }
    }

    /// Returns the number of a value that is not a sum, if it is accepted.
    func plainNumber(in value: Value) -> Int64? {
        value.integer.flatMap { contains($0) ? $0 : nil }
    }

    /// The numbers in words: `a whole number from 0 to 20`, `a number from 0 to 20, halves too`,
    /// `0 or 25`, `0 or 5 to 30`.
    var words: String {
        guard let last = parts.last else {
            if !takesHalves { return range.wholeNumber }
            return range == .all ? "a number, halves too" : numbers
        }
        let others = parts.dropLast().map(\.part).joined(separator: ", ")
        let words = others.isEmpty ? last.part : "\(others) or \(last.part)"
        return takesHalves ? words + ", halves too" : words
    }

    /// The numbers of the range in words, with its bounds even if these are those of every cell.
    fileprivate var numbers: String {
        guard takesHalves else { return "a whole number \(range)" }
        let most = Points(halves: Bounds.all.to)
        return range == .all
            ? "a number from \(0 - most) to \(most), halves too" : "a number \(range), halves too"
    }
}

extension AcceptedNumbers {
    /// Decodes a list of numbers and ranges, such as `[0, {"from": 5, "to": 30}]`.
    init(from fields: KeyedDecodingContainer<RowField>) throws {
        let found: [Part] = try fields.list(.only, 1...Sheet.Limits.table)
        let parts = found.map(\.range)
        for (index, (left, right)) in zip(parts, parts.dropFirst()).enumerated()
        where left.to >= right.from {
            throw fields.refusal([RowField.only, AnyField(index + 1)], "not in ascending order")
        }
        self.parts = parts
        range = Bounds(within: parts[0].from...parts[parts.count - 1].to)
    }

    var hasSteps: Bool { ([range] + parts).contains { $0.step != 1 } }

    var list: [Part] { parts.map { Part(range: $0) } }

    /// A number, or a range.
    struct Part: Codable {
        let range: Bounds

        init(range: Bounds) { self.range = range }

        init(from decoder: any Decoder) throws {
            if let number = try? decoder.singleValueContainer().decode(Int64.self) {
                range = Bounds(within: number...number)
            } else {
                range = try Bounds(from: decoder)
            }
        }

        func encode(to encoder: any Encoder) throws {
            if range.from == range.to {
                try range.from.encode(to: encoder)
            } else {
                try range.encode(to: encoder)
            }
        }
    }
}
