import JSONCoding
package import SessionCRDT

/// Says everything that is wrong with the JSON of a sheet, and where.
package enum SheetCheck {
    /// What is wrong, from the top; nothing where the JSON is a sheet.
    ///
    /// Fields, rows and options are looked at one by one, so that a flaw in one hides none in the
    /// next; how they fit together is judged once each is right in itself, and at last what can be
    /// read and is never meant, as a division by zero.
    package static func problems(in json: String) -> [SheetProblem] {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.longest else {
            let reason = SheetError.tooLong(bytes.count).description
            return [SheetProblem(line: 1, column: 1, path: "", reason: reason)]
        }
        let text: SheetText
        do throws(SheetText.Refusal) {
            text = try SheetText(bytes)
        } catch {
            let (line, column) = SheetText.position(of: error.offset, in: bytes)
            return [SheetProblem(line: line, column: column, path: "", reason: error.reason)]
        }
        let lengths = lengthFlaws(text.root)
        let (places, written) = (text.places, text.writtenPlaces)
        func first(_ path: String) -> String {
            let origin = text.origin(of: PlacedFlaw(path: path, reason: ""), written)
            return "; the first is in line \(SheetText.position(of: origin.byte, in: bytes).line)"
        }
        // What a template says wrong is told once, and not for each row that it stands for.
        var seen: Set<SheetProblem> = []
        return (lengths.isEmpty ? SheetHints(places).added(to: flaws(places)) : lengths)
            .map { flaw in
                (text.origin(of: flaw, written), flaw.reason + (flaw.twin.map(first) ?? ""))
            }
            .sorted { ($0.0.byte, $0.0.path, $0.1) < ($1.0.byte, $1.0.path, $1.1) }
            .map { origin, reason in
                let (line, column) = SheetText.position(of: origin.byte, in: bytes)
                return SheetProblem(line: line, column: column, path: origin.path, reason: reason)
            }
            .filter { seen.insert($0).inserted }
    }

    /// Lists that are too long, of which the parts are not looked at.
    private static func lengthFlaws(_ sheet: JSONValue) -> [PlacedFlaw] {
        Sheet.Limits.lists.compactMap { field, most in
            let count = sheet[field.stringValue]?.elements.count ?? 0
            guard count > most else { return nil }
            return PlacedFlaw(path: field.stringValue, reason: SheetFlaw.excess(count, most))
        }
    }

    /// Everything that is wrong, each once.
    private static func flaws(_ places: [String: JSONValue]) -> [PlacedFlaw] {
        var flaws = flaws(Sheet.self, at: "", places) + fieldFlaws(places)
        for (list, check) in [
            ("rows", { Self.flaws(RowEntry.self, at: $0, places) }),
            ("options", { Self.flaws(SheetOption.self, at: $0, places) }),
            ("tieBreakers", { Self.flaws(TieBreaker.self, at: $0, places) }),
        ] as [(String, (String) -> [PlacedFlaw])] {
            var index = 0
            while places["\(list)[\(index)]"] != nil {
                flaws += check("\(list)[\(index)]")
                index += 1
            }
        }
        if flaws.isEmpty, let sheet = try? places[""]?.decode(Sheet.self) {
            return sheet.doubts.map { doubt in
                PlacedFlaw(path: PlacedFlaw.text(of: doubt.path), reason: doubt.reason)
            }
        }
        var seen: Set<PlacedFlaw> = []
        return flaws.filter { seen.insert($0).inserted }
    }

    /// What is wrong with each field of the sheet, seen in a sheet of which all else is right.
    private static func fieldFlaws(_ places: [String: JSONValue]) -> [PlacedFlaw] {
        var sound: [String: [UInt8]] = [
            "id": Array(#""x""#.utf8),
            "name": Array(#""x""#.utf8),
            "rows": Array(#"[{"id": "x", "label": "x", "kind": "number"}]"#.utf8),
        ]
        guard let sheet = places[""], sheet.isObject else { return [] }
        let missing = sound.keys.sorted().filter { sheet[$0] == nil }
            .map { PlacedFlaw(path: $0, reason: PlacedFlaw.missing) }
        return sheet.members.reduce(into: missing) { flaws, member in
            guard let field = member.name.string else { return }
            let before = sound.updateValue(Array(member.value.bytes), forKey: field)
            var json = JSONWriter()
            json.object { json in
                for (name, value) in sound.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    json.value(value)
                }
            }
            sound[field] = before
            do {
                _ = try JSONText(json.bytes, numbers: .any).root.decode(Sheet.self)
            } catch let error as DecodingError {
                flaws += PlacedFlaw.ofParts(in: error)
            } catch { flaws.append(PlacedFlaw(path: field, reason: "\(error)")) }
        }
    }

    /// What is wrong with one part, decoded by itself.
    private static func flaws<Part: Decodable>(
        _: Part.Type,
        at path: String,
        _ places: [String: JSONValue]
    ) -> [PlacedFlaw] {
        do {
            _ = try places[path]?.decode(Part.self)
            return []
        } catch let error as DecodingError {
            return PlacedFlaw.all(in: error, at: path)
        } catch {
            return [PlacedFlaw(path: path, reason: "\(error)")]
        }
    }
}

/// Something that is wrong with the JSON of a sheet.
package struct SheetProblem: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The character in the line, from 1.
    package let column: Int
    /// What is there: `rows[2].kind`; empty for the whole.
    package let path: String
    /// What is wrong with it, in words.
    package let reason: String
}

extension SheetProblem: CustomStringConvertible {
    /// The problem in one line: `line 7, column 12: rows[2].kind: …`.
    package var description: String {
        "line \(line), column \(column): \(path.isEmpty ? "" : path + ": ")\(reason)"
    }
}

/// Why there is no sheet to play by.
package enum SheetError: Error, Hashable, Sendable {
    /// The JSON is not a sheet: where (`rows[2].kind`, empty for the whole) and why.
    case unreadable(path: String, reason: String)
    /// The JSON is longer than a sheet may be, in bytes.
    case tooLong(Int)
    /// The session does not say yet what is played.
    case noGame
    /// No sheet of this name is here.
    case unknownGame(String, candidates: [Symbol])
    /// Several sheets could be meant.
    case ambiguousGame(String, candidates: [Symbol])

    /// What could have been meant.
    package var candidates: [String] {
        switch self {
        case .unknownGame(_, let candidates), .ambiguousGame(_, let candidates):
            candidates.map(\.description)
        case .unreadable, .tooLong, .noGame: []
        }
    }
}

extension SheetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable("", let reason): "this is not a sheet: \(reason)"
        case .unreadable(let path, let reason): "this is not a sheet: \(path): \(reason)"
        case .tooLong(let bytes):
            "a sheet of \(bytes) bytes is too long: at most \(Sheet.longest) bytes"
        case .noGame: "the session does not say which game it is yet"
        case .unknownGame(let name, _): "there is no game \(name.quoted)"
        case .ambiguousGame(let name, let candidates):
            "\(name.quoted) could be any of: \(candidates.list)"
        }
    }
}

/// Something wrong at a path of a JSON text.
struct PlacedFlaw: Hashable {
    /// What is said where a field is not there.
    static let missing = "it is missing"

    /// Where: `rows[2].kind`, empty for the whole.
    let path: String
    /// Why.
    var reason: String
    /// How far into the text that is there, in bytes.
    let offset: Int
    /// Where the first of two is that have one name.
    let twin: String?

    /// What the decoder refused in what is at a path, the first first; never empty.
    static func all(in error: DecodingError, at start: String = "") -> [PlacedFlaw] {
        func flaw(_ path: [any CodingKey], _ reason: String, _ offset: Int = 0) -> PlacedFlaw {
            PlacedFlaw(path: text(of: path, from: start), reason: reason, offset: offset)
        }
        switch error {
        case .keyNotFound(let key, let context): return [flaw(context.codingPath + [key], missing)]
        case .valueNotFound(_, let context): return [flaw(context.codingPath, "it is null")]
        case .typeMismatch(let type, let context):
            let path = text(of: context.codingPath, from: start)
            let reason = words(for: type, at: path) ?? context.debugDescription
            return [PlacedFlaw(path: path, reason: reason)]
        case .dataCorrupted(let context):
            if let flaws = context.underlyingError as? SheetFlaws {
                return flaws.flaws.map { flaw in
                    PlacedFlaw(
                        path: text(of: flaw.path, from: start),
                        reason: flaw.reason,
                        offset: flaw.offset,
                        twin: flaw.twin.map { text(of: $0, from: start) }
                    )
                }
            }
            if let error = context.underlyingError as? FormulaFlaw {
                return [flaw(context.codingPath, error.reason, error.offset)]
            }
            let cause = context.underlyingError.map { " (\($0))" } ?? ""
            return [flaw(context.codingPath, context.debugDescription + cause)]
        @unknown default: return [flaw([], "\(error)")]
        }
    }

    /// What is taken in the place of something of another type; nil of a type that says nothing.
    private static func words(for type: Any.Type, at path: String) -> String? {
        let example = SheetExample(at: path)
        return switch type {
        case is Bool.Type: "it takes true or false, without quotes"
        case is String.Type: "it takes a text, in quotes"
        case is Int64.Type: "it takes a whole number, without quotes"
        case is [String: Any].Type: "it takes several fields, in braces: \(example.object)"
        case is [Any].Type: "it takes a list, in brackets: \(example.list)"
        default: nil
        }
    }

    /// The same without what is wrong between the parts.
    static func ofParts(in error: DecodingError) -> [PlacedFlaw] {
        if case .dataCorrupted(let context) = error, context.underlyingError is SheetFlaws {
            return []
        }
        return all(in: error)
    }

    /// A flaw at this path.
    init(path: String, reason: String, offset: Int = 0, twin: String? = nil) {
        self.path = path
        self.reason = reason
        self.offset = offset
        self.twin = twin
    }

    /// The path where fields and numbers lead to from another one.
    static func text(of path: [any CodingKey], from start: String = "") -> String {
        let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let text = start + steps.joined()
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }
}

/// What only the whole sheet says of a flaw in one part: whose it is, and which row is meant.
struct SheetHints {
    /// In how many formulas labels are looked for: that takes a while, and nobody reads very many.
    private static let most = 20

    private let places: [String: JSONValue]
    /// The labels of several words, in small letters, with the ids of their rows.
    private let labels: [(label: String, id: String)]

    /// The hints of a sheet whose values stand at these paths.
    init(_ places: [String: JSONValue]) {
        self.places = places
        labels = places.compactMap { path, value in
            guard path.hasPrefix("rows["), path.hasSuffix(".label"),
                let label = value.string, label.contains(" "),
                let id = places[path.dropLast("label".count) + "id"]?.string
            else { return nil }
            return (label.lowercased(), id)
        }.sorted { $0.label < $1.label }
    }

    /// The flaws, in better words where there are any.
    func added(to flaws: [PlacedFlaw]) -> [PlacedFlaw] {
        flaws.enumerated().map { index, flaw in
            var flaw = flaw
            if flaw.reason == PlacedFlaw.missing {
                flaw.reason += owner(of: flaw)
            } else if index < SheetHints.most, let id = rowMeant(by: flaw) {
                flaw.reason = "formulas have the ids of rows, not their labels: write \(id)"
            }
            return flaw
        }
    }

    /// What lacks a field: ` in “coins”`; nothing where that has no name.
    private func owner(of flaw: PlacedFlaw) -> String {
        guard let dot = flaw.path.lastIndex(of: ".") else { return "" }
        let owner = flaw.path[..<dot]
        let name = places[owner + ".id"]?.string ?? places[owner + ".name"]?.string
        return name.map { " in \($0.quoted)" } ?? ""
    }

    /// The row of which a formula has the label, of several words, where it is wrong.
    private func rowMeant(by flaw: PlacedFlaw) -> String? {
        guard flaw.path.hasSuffix("formula") || flaw.path.hasSuffix("running"),
            let formula = places[flaw.path]?.string?.lowercased()
        else { return nil }
        let row = labels.first { row in
            guard let range = formula.firstRange(of: row.label) else { return false }
            let before = formula.utf8.distance(from: formula.startIndex, to: range.lowerBound)
            return (before..<(before + row.label.utf8.count)).contains(flaw.offset)
        }
        return row?.id
    }
}

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

/// What is written in a place of a sheet, as an example for who wrote something else there.
struct SheetExample {
    /// Several fields: `{"from": 1, "to": 48}`.
    let object: String
    /// A list: `[{"row": "coins"}]`.
    let list: String

    /// The example for the place of a path: `rows[2].range`.
    init(at path: String) {
        let steps = path.split(separator: ".").map { $0.prefix { $0 != "[" } }
        let field = steps.last.map(String.init) ?? ""
        let isOfOption = steps.first == "options" && field == "choices"
        let known = isOfOption ? nil : SheetExample.objects[field]
        object = known ?? "{…}"
        list = "[\(known ?? SheetExample.elements[field] ?? "…")]"
    }

    /// The fields that are objects, or lists of them.
    private static let objects = [
        "players": #"{"from": 2, "to": 6}"#,
        "range": #"{"from": 1, "to": 48}"#,
        "when": #"{"option": "x"}"#,
        "seats": #"{"when": {"option": "x"}, "to": 8}"#,
        "rows": #"{"id": "coins", "label": "Coins", "kind": "number"}"#,
        "options": #"{"name": "x", "kind": "boolean", "default": false}"#,
        "tieBreakers": #"{"row": "coins"}"#,
        "fields": #"{"id": "coins", "label": "Coins"}"#,
        "checks": #"{"formula": "total(tricks) = round"}"#,
        "steps": #"{"from": 63, "points": 35}"#,
        "choices": #"{"word": "wood", "points": 1}"#,
    ]

    /// The elements of lists that are no objects.
    private static let elements = [
        "of": #""coins""#, "is": #""red""#, "aliases": #""c""#, "choices": #""red", "blue""#,
        "words": #""red", "blue""#, "presets": #"["red", "blue"]"#, "table": "0, 1, 3",
        "places": "5, 2", "tokens": "1, 3, 5", "values": "10, 6",
    ]
}
