/// A file is named after what it holds, so that a type is found by its name.
enum NamingRule {
    /// The name of a file that says something else than its content.
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.name != "main.swift", !file.declarations.isEmpty else { return [] }
        let stem = file.name.replacing(".swift", with: "")
        guard let plus = stem.firstIndex(of: "+") else {
            if file.declarations.contains(where: { $0.kind.isType && $0.name == stem }) {
                return []
            }
            return [file.violation(1, "the file declares no type \(stem)")]
        }
        let type = String(stem[..<plus])
        let isExtended = file.declarations.contains {
            $0.kind == .extension && ($0.name == type || $0.name.hasSuffix(".\(type)"))
        }
        return isExtended ? [] : [file.violation(1, "the file does not extend \(type)")]
    }
}
