/// Everything that other targets see is documented, and nothing is visible outside of the package.
struct DocumentationRule {
    /// What a protocol of the standard library requires says all that there is to say.
    private static let requirements: Set<String> = [
        "description", "debugDescription", "==", "<", "makeIterator", "next", "rawValue",
        "startIndex", "endIndex", "CodingKeys", "Element", "Index", "Iterator", "RawValue",
        "stringValue", "intValue", "errorDescription",
    ]

    /// The same for what is told apart by its first label.
    private static let labelled: [String: Set<String>] = [
        "hash": ["into"],
        "encode": ["to"],
        "index": ["after", "before"],
        "init": [
            "from", "rawValue", "stringLiteral", "integerLiteral", "booleanLiteral",
            "arrayLiteral", "dictionaryLiteral", "stringValue", "intValue",
        ],
        "subscript": ["position"],
    ]

    /// The names that each protocol of this package requires, where they are documented.
    private var required: [String: Set<String>] = [:]
    /// The protocols that each type names, in its declaration or in an extension.
    private var conformances: [String: Set<String>] = [:]

    /// The names of the properties that each type has.
    private var properties: [String: Set<String>] = [:]

    /// The rule for a package of these files.
    init(_ files: [SourceFile]) {
        for declaration in files.flatMap(\.declarations) {
            if let parent = declaration.parent, [.let, .var].contains(declaration.kind) {
                properties[parent.name, default: []].insert(declaration.name)
            }
            if let parent = declaration.parent, parent.kind == .protocol {
                required[parent.name, default: []].insert(declaration.name)
            }
            conformances[declaration.lastName, default: []].formUnion(declaration.inherits)
        }
    }

    /// Declarations without a comment, and public ones.
    func violations(in file: SourceFile) -> [Violation] {
        guard file.isSource else { return [] }
        return file.declarations.compactMap { declaration in
            let words = "\(declaration.kind.rawValue) \(declaration.name)"
            if !Set(declaration.modifiers).isDisjoint(with: ["public", "open"]) {
                return file.violation(
                    declaration.line,
                    "\(words) is public; across targets access is package"
                )
            }
            guard declaration.isPackage, !isRequired(declaration),
                !isDocumented(declaration, in: file)
            else { return nil }
            return file.violation(
                declaration.line,
                "\(words) has no doc comment (///) directly above it"
            )
        }
    }

    private func isRequired(_ declaration: Declaration) -> Bool {
        let name = declaration.name
        if isMemberwise(declaration) { return true }
        if Self.labelled[name, default: []].contains(declaration.label) { return true }
        if Self.requirements.contains(name) { return true }
        guard let parent = declaration.parent, parent.kind != .protocol else { return false }
        return isRequired(name, ofAnyOf: conformances[parent.name, default: []])
    }

    /// Whether it only takes what the type holds, or nothing: the properties say what that is, and
    /// the language makes such an initializer for nobody but the module.
    private func isMemberwise(_ declaration: Declaration) -> Bool {
        guard declaration.kind == .`init`, let parent = declaration.parent else { return false }
        return properties[parent.name, default: []].contains(declaration.label)
            || declaration.label.isEmpty && properties[parent.name] != nil
    }

    /// Whether any of these protocols requires the name, or one that they refine.
    private func isRequired(_ name: String, ofAnyOf protocols: Set<String>) -> Bool {
        protocols.contains { known in
            required[known, default: []].contains(name)
                || isRequired(name, ofAnyOf: conformances[known, default: []].subtracting([known]))
        }
    }

    /// Whether the line above is a doc comment.
    ///
    /// Plain comments, such as orders to the formatter, may stand between.
    private func isDocumented(_ declaration: Declaration, in file: SourceFile) -> Bool {
        var line = declaration.firstLine - 1
        while file.trimmed(line).hasPrefix("//"), !file.trimmed(line).hasPrefix("///") {
            line -= 1
        }
        return file.trimmed(line).hasPrefix("///")
    }
}
