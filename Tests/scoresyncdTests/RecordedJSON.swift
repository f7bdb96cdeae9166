import FoundationEssentials

/// JSON that was recorded, to compare what is answered now with.
indirect enum RecordedJSON: Codable, Hashable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case list([RecordedJSON])
    case object([String: RecordedJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([RecordedJSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: RecordedJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) {
                try container.encode(whole)
            } else {
                try container.encode(value)
            }
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The id of a game; nil for anything else.
    private var id: RecordedJSON? {
        guard case .object(let fields) = self else { return nil }
        return fields["id"] ?? fields["game"]
    }

    /// The value that a text says; nil where it is none.
    private init?(text: String) {
        guard let value = try? JSONDecoder().decode(RecordedJSON.self, from: Data(text.utf8)) else {
            return nil
        }
        self = value
    }

    /// The paths at which this is not in another answer: what was told once is told for ever, and
    /// more may stand beside it.
    func missing(
        in other: RecordedJSON,
        besides passing: Set<String>,
        at path: String = ""
    ) -> [String] {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            return mine.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
                guard !passing.contains(name) else { return [] }
                guard let there = theirs[name] else { return ["\(path).\(name) is gone"] }
                return value.missing(in: there, besides: passing, at: "\(path).\(name)")
            }
        case (.list(let mine), .list(let theirs)) where path.hasSuffix(".result.games"):
            // A game is told for ever, and others may come.
            return mine.flatMap { game -> [String] in
                let there = theirs.first { $0.id == game.id }
                guard let there else { return ["\(path): \(game) is gone"] }
                return game.missing(in: there, besides: passing, at: "\(path)[]")
            }
        case (.list(let mine), .list(let theirs)):
            guard mine.count == theirs.count else {
                return ["\(path) has \(theirs.count) instead of \(mine.count)"]
            }
            return zip(mine, theirs).enumerated().flatMap { place, pair in
                pair.0.missing(in: pair.1, besides: passing, at: "\(path)[\(place)]")
            }
        case (.text(let mine), .text(let theirs)) where path.hasSuffix(".sheet"):
            // The JSON of a sheet, however it is laid out.
            guard let mine = RecordedJSON(text: mine), let theirs = RecordedJSON(text: theirs)
            else { return ["\(path) is no JSON"] }
            return mine.missing(in: theirs, besides: passing, at: path)
        default: return self == other ? [] : ["\(path) is \(other), was \(self)"]
        }
    }
}
