/// Something wrong at a path of a JSON text.
struct PlacedFlaw: Hashable {
    /// Where: `rows[2].kind`, empty for the whole.
    let path: String
    /// Why.
    let reason: String

    /// What the decoder refused, the first first; never empty.
    static func all(in error: DecodingError) -> [PlacedFlaw] {
        switch error {
        case .keyNotFound(let key, let context):
            return [PlacedFlaw(context.codingPath + [key], "it is missing")]
        case .valueNotFound(_, let context): return [PlacedFlaw(context.codingPath, "it is null")]
        case .typeMismatch(_, let context):
            return [PlacedFlaw(context.codingPath, context.debugDescription)]
        case .dataCorrupted(let context):
            if let flaws = context.underlyingError as? SheetFlaws {
                return flaws.flaws.map { PlacedFlaw($0.path, $0.reason) }
            }
            let cause = context.underlyingError.map { " (\($0))" } ?? ""
            return [PlacedFlaw(context.codingPath, context.debugDescription + cause)]
        @unknown default: return [PlacedFlaw([], "\(error)")]
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
    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    private init(_ path: [any CodingKey], _ reason: String) {
        let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let text = steps.joined()
        self.init(path: text.hasPrefix(".") ? String(text.dropFirst()) : text, reason: reason)
    }
}
