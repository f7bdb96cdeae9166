import SessionCRDT

/// A field of any name, or an index in an array.
struct AnyField: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue index: Int) { (stringValue, intValue) = (String(index), index) }
    init(_ index: Int) { self.init(intValue: index) }
    init(stringLiteral name: String) { self.init(stringValue: name) }
}

extension Decoder {
    func flaw(_ reason: String) -> SheetFlaw { SheetFlaw(path: codingPath, reason) }

    /// Returns the flaws of unknown fields: a mistyped field is an error, not a default.
    func unknownFields<Fields: CodingKey & CaseIterable>(_: Fields.Type) throws -> [SheetFlaw] {
        let known = Fields.allCases.map(\.stringValue)
        let found = try container(keyedBy: AnyField.self).allKeys.map(\.stringValue)
        return found.filter { !known.contains($0) }.map { name in
            let hint = name.suggestion(among: known.filter { !found.contains($0) })
            let list = "; expected: " + known.joined(separator: ", ")
            return SheetFlaw(
                path: codingPath + [AnyField(stringValue: name)],
                "unknown field" + (hint.isEmpty ? list : hint)
            )
        }
    }

    /// Returns the fields of an object; throws if one is unknown.
    func fields<Fields: CodingKey & CaseIterable>(
        _: Fields.Type
    ) throws -> KeyedDecodingContainer<Fields> {
        if let flaw = try unknownFields(Fields.self).first { throw flaw }
        return try container(keyedBy: Fields.self)
    }

    /// Decodes a whole number that a cell can hold.
    func number() throws -> Int64 {
        let container = try singleValueContainer()
        if let number = try? container.decode(Int64.self), Bounds.all.contains(number) {
            return number
        }
        let isText = (try? container.decode(String.self)) != nil
        throw flaw(
            "expected a whole number"
                + (isText ? ", without quotes" : " within ±\(Value.largestInteger)")
        )
    }
}

private struct WholeNumber: Decodable {
    let number: Int64

    init(from decoder: any Decoder) throws { number = try decoder.number() }
}

extension Symbol: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let symbol = Symbol(text) else {
            throw decoder.flaw("\(text.quoted) is not a name: 1 to 64 of a–z, 0–9, “.”, “_”, “-”")
        }
        self = symbol
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    func refusal(_ key: Key, _ reason: String) -> SheetFlaw { refusal([key], reason) }

    func refusal(_ path: [any CodingKey], _ reason: String) -> SheetFlaw {
        SheetFlaw(path: codingPath + path, reason)
    }

    func symbol(_ key: Key) throws -> Symbol { try decode(Symbol.self, forKey: key) }

    /// Decodes distinct symbols; empty if the field is missing and `count` begins at 0.
    func symbols(_ key: Key, _ count: ClosedRange<Int>) throws -> [Symbol] {
        try distinct(list(key, count), key, \.self)
    }

    func distinct<Element>(
        _ elements: [Element],
        _ key: Key,
        _ name: (Element) -> Symbol
    ) throws -> [Element] {
        var seen: Set<Symbol> = []
        for (index, name) in elements.map(name).enumerated() where !seen.insert(name).inserted {
            throw refusal([key, AnyField(index)], "duplicate \(name)")
        }
        return elements
    }

    /// Decodes a list of limited length; empty if the field is missing and `count` begins at 0.
    func list<Element: Decodable>(_ key: Key, _ count: ClosedRange<Int>) throws -> [Element] {
        guard count.lowerBound > 0 || contains(key) else { return [] }
        let list = try decode([Element].self, forKey: key)
        guard count.contains(list.count) else {
            let range = "\(count.lowerBound) to \(count.upperBound)"
            throw refusal(key, "expected \(range) entries, found \(list.count)")
        }
        return list
    }

    func integers(_ key: Key, _ count: ClosedRange<Int>) throws -> [Int64] {
        let numbers: [WholeNumber] = try list(key, count)
        return numbers.map(\.number)
    }

    func label(_ key: Key) throws -> String {
        let text = try limited(decode(String.self, forKey: key), Sheet.Limits.label, key)
        guard !text.allSatisfy(\.isWhitespace) else { throw refusal(key, "empty") }
        return text
    }

    /// Decodes a text of a few sentences; empty if the field is missing.
    func text(_ key: Key) throws -> String {
        let text = try decodeIfPresent(String.self, forKey: key) ?? ""
        return try limited(text, Sheet.Limits.help, key)
    }

    private func limited(_ text: String, _ limit: Int, _ key: Key) throws -> String {
        guard text.unicodeScalars.count <= limit else {
            throw refusal(key, "longer than \(limit) characters")
        }
        return text
    }

    func integer(_ key: Key) throws -> Int64? {
        guard contains(key) else { return nil }
        return try decode(WholeNumber.self, forKey: key).number
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> Word {
        let text = try decode(String.self, forKey: key)
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue)
            let list = known.joined(separator: ", ")
            let hint = text.suggestion(among: known)
            throw refusal(key, "\(text.quoted) is not one of: \(list)" + hint)
        }
        return word
    }
}

extension String {
    /// Names that other formats use for the fields and words of sheets, the most likely first.
    private static let synonyms = [
        "type": ["kind"], "title": ["label", "name"], "name": ["id", "label", "row", "option"],
        "id": ["name", "row", "option"], "label": ["name"], "key": ["id"],
        "description": ["help", "summary"], "min": ["from", "range"], "max": ["to", "range"],
        "minimum": ["from", "range"], "maximum": ["to", "range"], "score": ["points"],
        "value": ["points"], "flag": ["boolean"], "bool": ["boolean", "flag"],
        "boolean": ["flag"], "int": ["integer", "number"], "integer": ["number"],
        "number": ["integer"], "string": ["text"], "enum": ["choice"],
    ]

    /// Returns “did you mean …?” with a synonym or a name of similar spelling; empty if there is
    /// none.
    func suggestion(among names: [String]) -> String {
        let synonym = String.synonyms[lowercased()]?.first(where: names.contains)
        // Measuring the distance of a long name is slow, and untrusted sheets may have many.
        let near = synonym ?? (utf8.count <= 64 ? Spelling.near(self, among: names).first : nil)
        return near.map { "; did you mean \($0)?" } ?? ""
    }
}
