/// The tests that a page names, as `SomeTests` “the name of the test”.
enum TestReferences {
    /// The references of a page that lead to no test, and the rows of its tables of tests (those
    /// with the heading `test`) that have no reference.
    static func violations(
        in text: String,
        of page: String,
        tests: [SourceFile]
    ) -> [Violation] {
        var found: [Violation] = []
        var isTestTable = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            func report(_ message: String) {
                found.append(Violation(file: page, line: index + 1, message: message))
            }
            let named = references(in: line)
            for (file, name) in named where !exists(name, in: file, tests) {
                report("there is no test “\(name)” in \(file)")
            }
            isTestTable = line.hasPrefix("|") && (isTestTable || line.hasSuffix("| test |"))
            let isEntry = !line.hasSuffix("| test |") && !line.hasPrefix("|--")
            if isTestTable, isEntry, named.isEmpty { report("names no test") }
        }
        return found
    }

    private static func references(in line: Substring) -> [(file: String, name: String)] {
        line.ranges(of: "Tests` “").map { mark in
            let file = line[..<mark.lowerBound].reversed().prefix { $0 != "`" }.reversed()
            return (String(file) + "Tests", String(line[mark.upperBound...].prefix { $0 != "”" }))
        }
    }

    private static func exists(_ name: String, in file: String, _ tests: [SourceFile]) -> Bool {
        tests.contains { test in
            test.name == file + ".swift" && test.lines.contains { $0.contains("\"\(name)\"") }
        }
    }
}
