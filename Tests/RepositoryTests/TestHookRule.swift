/// What only tests may change of a program: a release must not have it, whatever its environment.
enum TestHookRule {
    private static let hook = "SCORESYNC_TEST_"

    /// The hooks of a file that are also built into a release.
    static func violations(in file: SourceFile) -> [Violation] {
        var conditions: [Bool] = []
        var found: [Violation] = []
        for (index, line) in file.lines.enumerated() {
            let words = line.split(separator: " ")
            switch words.first {
            case "#if": conditions.append(words.dropFirst() == ["DEBUG"])
            case "#else", "#elseif":
                _ = conditions.popLast()
                conditions.append(false)
            case "#endif": _ = conditions.popLast()
            default: break
            }
            guard line.contains(hook), !conditions.contains(true) else { continue }
            let message = "a hook for tests is built into releases: put it into #if DEBUG"
            found.append(file.violation(index + 1, message))
        }
        return found
    }
}
