/// How much one type may own: where all knows all, nothing can be changed alone.
enum RoomRule {
    static let mostProperties = 12
    static let mostExtensionFiles = 3
    /// The targets whose types are rooms; elsewhere are documents of the wire, which have as many
    /// fields as they have.
    private static let targets: Set<String> = ["scoresyncd"]

    /// The types of a file that own too much, or do not say what they own.
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.isSource, targets.contains(file.target) else { return [] }
        return crowded(in: file) + silent(in: file)
    }

    /// The types that are spread over too many files.
    static func violations(amongFiles files: [SourceFile]) -> [Violation] {
        let extensions = files.filter { $0.isSource && targets.contains($0.target) }
            .compactMap { file in
                file.name.firstIndex(of: "+").map { (type: file.name[..<$0], file: file) }
            }
        let byType = Dictionary(grouping: extensions) { "\($0.file.target) \($0.type)" }
        return byType.values.filter { $0.count > mostExtensionFiles }.map { parts in
            parts[0].file.violation(
                1,
                "\(parts[0].type) has \(parts.count) extension files; at most \(mostExtensionFiles)"
            )
        }
    }

    private static func crowded(in file: SourceFile) -> [Violation] {
        let kinds: Set<Declaration.Kind> = [.struct, .class, .actor]
        let stored = file.declarations.filter { declaration in
            guard let parent = declaration.parent, kinds.contains(parent.kind) else { return false }
            return isStored(declaration, in: file)
        }
        let byType = Dictionary(grouping: stored) { $0.parent?.name ?? "" }
        return byType.filter { $0.value.count > mostProperties }.map { name, properties in
            file.violation(
                properties[0].line,
                "\(name) has \(properties.count) stored properties; at most \(mostProperties)"
            )
        }
    }

    /// Whether it holds something of an instance, and is not worked out.
    private static func isStored(_ declaration: Declaration, in file: SourceFile) -> Bool {
        guard declaration.kind == .var || declaration.kind == .let,
            !declaration.modifiers.contains("static")
        else { return false }
        guard declaration.kind == .var else { return true }
        let start = file.tokens.firstIndex {
            $0.line == declaration.line && $0.text == "var"
        }
        var rest = file.tokens[(start ?? file.tokens.endIndex)...].dropFirst()
        var depth = 0
        while let token = rest.popFirst() {
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "=" where depth == 0: return true
            case "{" where depth == 0:
                return ["didSet", "willSet"].contains(rest.first?.text ?? "")
            case "}" where depth == 0: return true
            default:
                guard depth == 0, let kind = Declaration.Kind(rawValue: token.text),
                    token.line > declaration.line, kind != .actor
                else { continue }
                return true
            }
        }
        return true
    }

    /// The type that the file is named after says in a comment what it is for.
    private static func silent(in file: SourceFile) -> [Violation] {
        let stem = file.name.replacing(".swift", with: "")
        guard let type = file.declarations.first(where: { $0.kind.isType && $0.name == stem })
        else { return [] }
        var line = type.firstLine - 1
        while file.trimmed(line).hasPrefix("//"), !file.trimmed(line).hasPrefix("///") { line -= 1 }
        guard !file.trimmed(line).hasPrefix("///") else { return [] }
        return [file.violation(type.line, "\(stem) does not say what it owns in a comment above")]
    }
}
