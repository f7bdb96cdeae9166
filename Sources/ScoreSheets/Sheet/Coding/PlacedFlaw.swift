/// Something wrong at a path of a JSON text.
struct PlacedFlaw: Hashable {
    /// Where: `rows[2].kind`, empty for the whole.
    let path: String
    /// Why.
    let reason: String
    /// How far into the text that is there, in bytes.
    let offset: Int

    /// What the decoder refused, the first first; never empty.
    static func all(in error: DecodingError) -> [PlacedFlaw] {
        switch error {
        case .keyNotFound(let key, let context):
            return [PlacedFlaw(context.codingPath + [key], "it is missing")]
        case .valueNotFound(_, let context): return [PlacedFlaw(context.codingPath, "it is null")]
        case .typeMismatch(let type, let context):
            return [PlacedFlaw(context.codingPath, words(for: type) ?? context.debugDescription)]
        case .dataCorrupted(let context):
            if let flaws = context.underlyingError as? SheetFlaws {
                return flaws.flaws.map { PlacedFlaw($0.path, $0.reason, $0.offset) }
            }
            if let flaw = context.underlyingError as? FormulaFlaw {
                return [PlacedFlaw(context.codingPath, flaw.reason, flaw.offset)]
            }
            let cause = context.underlyingError.map { " (\($0))" } ?? ""
            return [PlacedFlaw(context.codingPath, context.debugDescription + cause)]
        @unknown default: return [PlacedFlaw([], "\(error)")]
        }
    }

    /// What is taken in the place of something of another type; nil of a type that says nothing.
    private static func words(for type: Any.Type) -> String? {
        switch type {
        case is Bool.Type: "it takes true or false, without quotes"
        case is String.Type: "it takes a text, in quotes"
        case is Int64.Type: "it takes a whole number, without quotes"
        case is [String: Any].Type: "it takes several fields, in braces: {…}"
        case is [Any].Type: "it takes a list, in brackets: […]"
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
    init(path: String, reason: String, offset: Int = 0) {
        self.path = path
        self.reason = reason
        self.offset = offset
    }

    /// A flaw where fields and numbers lead to.
    init(_ path: [any CodingKey], _ reason: String, _ offset: Int = 0) {
        let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let text = steps.joined()
        let start = text.hasPrefix(".") ? String(text.dropFirst()) : text
        self.init(path: start, reason: reason, offset: offset)
    }
}
