/// A file is named after what it holds, so that a type is found by its name.
enum NamingRule {
    /// The name of a file that says something else than its content.
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.name != "main.swift", !file.declarations.isEmpty else { return [] }
        let stem = file.name.replacing(".swift", with: "")
        guard let plus = stem.firstIndex(of: "+") else {
            let types = file.declarations.filter(\.kind.isType).map(\.name)
            if types.contains(stem) || isFamily(types, named: stem) { return [] }
            return [file.violation(1, "the file declares no type \(stem)")]
        }
        let type = String(stem[..<plus])
        let isExtended = file.declarations.contains {
            $0.kind == .extension && ($0.name == type || $0.name.hasSuffix(".\(type)"))
        }
        return isExtended ? [] : [file.violation(1, "the file does not extend \(type)")]
    }

    /// Whether the file is called `PlayerRequests` and holds several types that are called
    /// `…Request`: a family of small types may share a file under its plural.
    private static func isFamily(_ types: [String], named stem: String) -> Bool {
        guard stem.hasSuffix("s"), let capital = stem.lastIndex(where: \.isUppercase) else {
            return false
        }
        let member = stem[capital...].dropLast()
        return types.count { $0.hasSuffix(member) } > 1
    }
}
