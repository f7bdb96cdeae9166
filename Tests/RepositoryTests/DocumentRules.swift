/// Relative links of a Markdown page that lead to no file.
enum LinkRule {
    static func violations(
        in text: String,
        of page: String,
        exists: (String) -> Bool
    ) -> [Violation] {
        let folder = page.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        var isCode = false
        var found: [Violation] = []
        for (index, line) in text.lineList.enumerated() {
            if line.hasPrefix("```") { isCode.toggle() }
            let isProse = !isCode && !line.hasPrefix("```")
            for path in isProse ? paths(in: line) : [] where !exists(folder + path) {
                found.append(
                    Violation(file: page, line: index + 1, message: "\(path) does not exist")
                )
            }
        }
        return found
    }

    /// The paths of inline links, images and reference definitions outside of code.
    private static func paths(in line: String) -> [String] {
        let prose = line.replacing(#/`[^`]*`/#, with: "")
        let links = prose.matches(of: #/\]\(([^) ]+)|^\[[^\]]*\]: (\S+)/#).compactMap {
            $0.output.1 ?? $0.output.2
        }
        return links.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
            .map { String($0.prefix { $0 != "#" }).replacing("%20", with: " ") }.filter {
                !$0.isEmpty
            }
    }
}

/// The tests that a page names, as `SomeTests` “the name of the test”.
enum TestReferenceRule {
    /// References to tests that do not exist, and rows without one in tables with a `test` column.
    static func violations(in text: String, of page: String, tests: [SourceFile]) -> [Violation] {
        var found: [Violation] = []
        var isTable = false
        for (index, line) in text.lineList.enumerated() {
            let isHeading = line.hasSuffix("| test |")
            isTable = line.hasPrefix("|") && (isTable || isHeading)
            let references = line.matches(of: #/(\w+Tests)` “([^”]*)”/#)
            let missing = references.filter { reference in
                !tests.contains { test in
                    test.name == "\(reference.output.1).swift"
                        && test.text.contains("\"\(reference.output.2)\"")
                }
            }
            var messages = missing.map { "no test “\($0.output.2)” in \($0.output.1)" }
            if isTable, !isHeading, !line.hasPrefix("|--"), references.isEmpty {
                messages.append("names no test")
            }
            found += messages.map { Violation(file: page, line: index + 1, message: $0) }
        }
        return found
    }
}

/// The mutations of `Scripts/mutate`, each of which must match its source lines exactly once.
enum MutationRule {
    static func violations(
        in list: String,
        of file: String,
        text: (String) -> String
    ) -> [Violation] {
        let parts = list.split(separator: "\nmutation: ").map(String.init)
        var line = parts[0].count { $0 == "\n" } + 2
        return parts.dropFirst().compactMap { part in
            let lines = part.lineList
            defer { line += lines.count }
            let path = lines.first { $0.hasPrefix("file: ") }?.dropFirst(6) ?? ""
            let old = lines.filter { $0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
            let count = text("Sources/\(path)").ranges(of: old).count
            guard count != 1 else { return nil }
            return Violation(file: file, line: line, message: "matches \(count) times in \(path)")
        }
    }
}
