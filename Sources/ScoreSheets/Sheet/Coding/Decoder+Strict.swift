import SessionCRDT

/// A field of any name, or a place in an array.
struct AnyField: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// The field of this name.
    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    /// The place of this number in an array.
    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(intValue: Int) { self.init(intValue) }
}

extension Decoder {
    /// The object, if all its fields are known: a mistyped field is an error and not a default.
    func fields<Fields: CodingKey & CaseIterable>(
        _: Fields.Type
    ) throws -> KeyedDecodingContainer<Fields> {
        let known = Fields.allCases.map(\.stringValue)
        let found = try container(keyedBy: AnyField.self).allKeys.map(\.stringValue)
        if let stranger = found.first(where: { !known.contains($0) }) {
            let hint = stranger.suggestion(among: known, without: found)
            let list = "; known are: " + known.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [AnyField(stringValue: stranger)],
                    debugDescription: "unknown field" + (hint.isEmpty ? list : hint)
                )
            )
        }
        return try container(keyedBy: Fields.self)
    }

    /// The whole number that is here, which a cell can hold.
    func number() throws -> Int64 {
        let container = try singleValueContainer()
        if let number = try? container.decode(Int64.self), Bounds.all.contains(number) {
            return number
        }
        let wanted =
            if (try? container.decode(String.self)) != nil {
                "it takes a whole number, without quotes"
            } else if let number = try? container.decode(Double.self) {
                number.magnitude > Double(Value.largestInteger)
                    ? "it takes a whole number within ±\(Value.largestInteger)"
                    : "it takes a whole number, no decimals"
            } else {
                "it takes a whole number"
            }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: wanted)
        )
    }
}

/// A whole number that a cell can hold.
private struct WholeNumber: Decodable {
    let number: Int64

    init(from decoder: any Decoder) throws {
        number = try decoder.number()
    }
}

extension KeyedDecodingContainer {
    /// The error that this field is refused.
    func refusal(_ key: Key, _ reason: String) -> DecodingError {
        refusal([key], reason)
    }

    /// The error that what is at this place is refused.
    func refusal(_ path: [any CodingKey], _ reason: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath + path, debugDescription: reason)
        )
    }

    /// The symbol in this field; one of a row has no dots.
    func symbol(_ key: Key, hasDots: Bool = true) throws -> Symbol {
        try symbol(decode(String.self, forKey: key), key, hasDots: hasDots)
    }

    /// The symbols in this field.
    func symbols(_ key: Key) throws -> [Symbol] {
        try decode([String].self, forKey: key).enumerated().map { index, text in
            try symbol(text, key, AnyField(index))
        }
    }

    /// The symbols in this field, no two alike and so many at most; none where there is no field.
    func symbolsIfPresent(_ key: Key, atMost most: Int) throws -> [Symbol] {
        guard contains(key) else { return [] }
        let symbols = try symbols(key)
        try expect(symbols, key, 0...most)
        return symbols
    }

    /// Refuses symbols of which there are too few, too many, or two alike.
    func expect(_ symbols: [Symbol], _ key: Key, _ count: ClosedRange<Int>) throws {
        guard count.contains(symbols.count) else {
            throw refusal(
                key,
                "it takes \(count.lowerBound) to \(count.upperBound), not \(symbols.count)"
            )
        }
        var seen: Set<Symbol> = []
        for (index, symbol) in symbols.enumerated() where !seen.insert(symbol).inserted {
            throw refusal([key, AnyField(index)], "\(symbol) is there twice")
        }
    }

    /// Refuses a list that is too long, before anything in it is looked at.
    func expect(_ key: Key, atMost most: Int) throws {
        guard contains(key), let count = try? nestedUnkeyedContainer(forKey: key).count,
            count > most
        else { return }
        throw refusal(key, SheetFlaw.excess(count, most))
    }

    /// The whole numbers in this field, so many of them.
    func integers(_ key: Key, _ count: ClosedRange<Int>) throws -> [Int64] {
        let numbers = try decode([WholeNumber].self, forKey: key).map(\.number)
        guard count.contains(numbers.count) else {
            throw refusal(
                key,
                "it takes \(count.lowerBound) to \(count.upperBound), not \(numbers.count)"
            )
        }
        return numbers
    }

    private func symbol(
        _ text: String,
        _ key: Key,
        _ place: AnyField? = nil,
        hasDots: Bool = true
    ) throws -> Symbol {
        func refusal(_ reason: String) -> DecodingError {
            let hint = text.asName(hasDots: hasDots).map { "; write \($0)" } ?? ""
            return self.refusal([key] + (place.map { [$0] } ?? []), reason + hint)
        }
        guard let symbol = Symbol(text) else {
            let signs = hasDots ? "“.”, “_” and “-”" : "“_” and “-”"
            throw refusal("\(text.quoted) is not a name: 1 to 64 of a–z, 0–9, \(signs)")
        }
        guard hasDots || !text.contains(".") else {
            throw refusal("a dot separates the round, so that \(text) is not a row")
        }
        return symbol
    }

    /// The label in this field: a text that says something.
    func label(_ key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard !text.allSatisfy(\.isWhitespace) else { throw refusal(key, "it is empty") }
        return text
    }

    /// The text in this field, empty where there is none.
    func text(_ key: Key) throws -> String { try decodeIfPresent(String.self, forKey: key) ?? "" }

    /// The whole number in this field, nil where there is none.
    func integer(_ key: Key) throws -> Int64? {
        guard contains(key) else { return nil }
        return try decode(WholeNumber.self, forKey: key).number
    }

    /// The word in this field, which must be one of a list.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: Key,
        of _: Word.Type = Word.self
    ) throws -> Word {
        let text = try decode(String.self, forKey: key)
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue)
            let hint = text.suggestion(among: known, without: [])
            let list = known.joined(separator: ", ")
            throw refusal(key, "\(text.quoted) is not one of: \(list)" + hint)
        }
        return word
    }
}
