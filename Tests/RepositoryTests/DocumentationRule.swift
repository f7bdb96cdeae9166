/// Everything that other targets see is documented, and nothing is visible outside of the package.
enum DocumentationRule {
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

    /// Declarations without a comment, and public ones.
    static func violations(in file: SourceFile) -> [Violation] {
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

    private static func isRequired(_ declaration: Declaration) -> Bool {
        if let labels = labelled[declaration.name], labels.contains(declaration.label) {
            return true
        }
        return requirements.contains(declaration.name)
    }

    /// Whether the line above is a doc comment.
    ///
    /// Plain comments, such as orders to the formatter, may stand between.
    private static func isDocumented(_ declaration: Declaration, in file: SourceFile) -> Bool {
        var line = declaration.firstLine - 1
        while file.trimmed(line).hasPrefix("//"), !file.trimmed(line).hasPrefix("///") {
            line -= 1
        }
        return file.trimmed(line).hasPrefix("///")
    }
}
