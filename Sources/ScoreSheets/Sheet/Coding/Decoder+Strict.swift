import SessionCRDT

/// A field of any name.
private struct AnyField: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The object, if all its fields are known: a mistyped field is an error and not a default.
    func fields<Fields: CodingKey & CaseIterable>(
        _: Fields.Type
    ) throws -> KeyedDecodingContainer<Fields> {
        let known = Fields.allCases.map(\.stringValue)
        let found = try container(keyedBy: AnyField.self).allKeys.map(\.stringValue).sorted()
        if let stranger = found.first(where: { !known.contains($0) }) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [AnyField(stringValue: stranger)],
                    debugDescription: "unknown field; known are: \(known.joined(separator: ", "))"
                )
            )
        }
        return try container(keyedBy: Fields.self)
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

    /// The symbol in this field.
    func symbol(_ key: Key) throws -> Symbol {
        try symbol(decode(String.self, forKey: key), key)
    }

    /// The symbols in this field.
    func symbols(_ key: Key) throws -> [Symbol] {
        try decode([String].self, forKey: key).map { try symbol($0, key) }
    }

    private func symbol(_ text: String, _ key: Key) throws -> Symbol {
        guard let symbol = Symbol(text) else {
            throw refusal(
                key,
                "\(text.quoted) is not a name: 1 to 64 of a–z, 0–9, “.”, “_” and “-”"
            )
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
    ///
    /// Foundation calls the whole JSON invalid, without a place, where a number is not whole.
    func integer(_ key: Key) throws -> Int64? {
        guard contains(key) else { return nil }
        guard let number = try? decode(Int64.self, forKey: key), Bounds.all.contains(number) else {
            throw refusal(key, "it takes a whole number within ±\(Value.largestInteger)")
        }
        return number
    }

    /// The word in this field, which must be one of a list.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: Key,
        of _: Word.Type = Word.self
    ) throws -> Word {
        let text = try decode(String.self, forKey: key)
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(key, "\(text.quoted) is not one of: \(known)")
        }
        return word
    }
}
