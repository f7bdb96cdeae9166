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
