/// A judge by JSON Schema 2020-12, of the keywords that the schema of sheets uses and no others.
struct JSONSchema {
    private let root: JSONTree
    /// The patterns of the schema, each compiled once, which takes longer than all that it matches.
    private let patterns = Patterns()

    private final class Patterns {
        private var known: [String: Regex<AnyRegexOutput>] = [:]

        func expression(_ pattern: String) -> Regex<AnyRegexOutput>? {
            if let known = known[pattern] { return known }
            let expression = try? Regex(pattern)
            known[pattern] = expression
            return expression
        }
    }

    init(root: JSONTree) { self.root = root }

    /// The keywords that only describe.
    private static let annotations: Set<String> = [
        "$schema", "$defs", "title", "description", "default",
    ]

    /// The rules that a value breaks, with paths; empty if it is valid.
    func violations(of value: JSONTree) -> [String] { violations(of: value, by: root, at: "") }

    private func violations(of value: JSONTree, by schema: JSONTree, at path: String) -> [String] {
        schema.fields.sorted { $0.key < $1.key }.flatMap { keyword, rule -> [String] in
            let isFine: Bool
            switch keyword {
            case _ where JSONSchema.annotations.contains(keyword): return []
            case "$ref":
                let name = rule.text?.replacing("#/$defs/", with: "") ?? ""
                guard let target = root["$defs"]?[name] else { return ["no $defs/\(name)"] }
                return violations(of: value, by: target, at: path)
            case "properties", "required", "additionalProperties":
                return objectViolations(of: value, keyword, rule, schema, at: path)
            case "items":
                return value.items.enumerated().flatMap { index, item in
                    violations(of: item, by: rule, at: "\(path)[\(index)]")
                }
            case "oneOf":
                let fits = rule.items.count { violations(of: value, by: $0, at: path).isEmpty }
                isFine = fits == 1
            case "const": isFine = value == rule
            case "enum": isFine = rule.items.contains(value)
            case "type": isFine = JSONSchema.isOf(type: rule.text ?? "", value)
            case "pattern": isFine = matches(rule.text ?? "", value)
            case "minimum": isFine = value.integer.map { $0 >= rule.integer ?? .max } ?? true
            case "maximum": isFine = value.integer.map { $0 <= rule.integer ?? .min } ?? true
            case "minItems": isFine = Int64(value.items.count) >= rule.integer ?? .max
            case "maxItems": isFine = Int64(value.items.count) <= rule.integer ?? 0
            case "uniqueItems": isFine = Set(value.items).count == value.items.count
            case "maxLength":
                let count = value.text?.unicodeScalars.count ?? 0
                isFine = Int64(count) <= rule.integer ?? 0
            default: return ["the judge does not know \(keyword)"]
            }
            return isFine ? [] : ["\(path): \(keyword)"]
        }
    }

    private func objectViolations(
        of value: JSONTree,
        _ keyword: String,
        _ rule: JSONTree,
        _ schema: JSONTree,
        at path: String
    ) -> [String] {
        guard case .object(let fields) = value else { return [] }
        switch keyword {
        case "properties":
            return fields.sorted { $0.key < $1.key }.flatMap { name, field in
                rule[name].map { violations(of: field, by: $0, at: "\(path).\(name)") } ?? []
            }
        case "required":
            return rule.items.compactMap(\.text).filter { fields[$0] == nil }
                .map { "\(path): \($0) is missing" }
        default:
            let known = schema["properties"]?.fields ?? [:]
            return fields.keys.filter { known[$0] == nil }.sorted()
                .map { "\(path): \($0) is unknown" }
        }
    }

    private static func isOf(type: String, _ value: JSONTree) -> Bool {
        switch value {
        case .null: type == "null"
        case .boolean: type == "boolean"
        case .integer: type == "integer"
        case .text: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }

    private func matches(_ pattern: String, _ value: JSONTree) -> Bool {
        guard let text = value.text, let expression = patterns.expression(pattern) else {
            return false
        }
        return text.firstMatch(of: expression) != nil
    }
}
