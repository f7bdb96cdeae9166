/// Limits on the size of files.
enum SizeRule {
    static let lines = 15...700

    static func violation(in file: SourceFile) -> Violation? {
        let count = file.lineCount
        let least = file.isSource && file.path.hasSuffix(".swift") ? lines.lowerBound : 0
        guard !(least...lines.upperBound).contains(count) else { return nil }
        return file.violation(1, "a file of \(count) lines, not \(lines)")
    }
}

/// Words that are not allowed in code, or only with a reason next to them.
enum WordRule {
    /// Calls that make a pure target depend on when and where it runs.
    private static let impure = [
        "Date()", "UUID()", "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator",
        ".randomElement()", ".shuffled()", "Task {", "Task(", "Task.", "print(",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        let crashes = ["try!", "as! "].flatMap { word in
            file.codeLines(containing: word).map { file.violation($0, "\(word) can crash") }
        }
        let unexplained = ["@unchecked Sendable", "nonisolated(unsafe)"].flatMap { word in
            file.codeLines(containing: word).filter { line in
                // Attributes may be between the comment and the declaration.
                let above = (1..<line).reversed().lazy.map { file.line($0).drop { $0 == " " } }
                    .first { !$0.hasPrefix("@") }
                return !file.line(line).contains("//") && above?.hasPrefix("//") != true
            }
            .map { file.violation($0, "\(word) without a comment that names the invariant") }
        }
        let isPure = file.isSource && ImportRule.pure.contains(file.target)
        let calls = (isPure ? impure : []).flatMap { call in
            file.codeLines(containing: call).filter { !file.line($0).contains("func \(call)") }
                .map { file.violation($0, "\(call) in \(file.target), which is pure") }
        }
        return crashes + unexplained + calls
    }
}

/// Comments and names in plain English.
enum LanguageRule {
    /// Comments that begin with a question word instead of a noun phrase or a verb, and functions
    /// whose verb does not say what they do.
    static func violations(in file: SourceFile) -> [Violation] {
        let comments = ["What", "How", "Where", "Who", "Whose", "Which", "When"].flatMap { word in
            file.lines(containing: "// \(word) ").filter { line in
                let start = file.line(line).drop { $0 == " " }
                return start.hasPrefix("// \(word) ") || start.hasPrefix("/// \(word) ")
            }
            .map { file.violation($0, "a comment that begins with a question word") }
        }
        let functions = ["take", "tell", "note"].flatMap { verb in
            file.lines(containing: "func \(verb)").filter { line in
                file.line(line).contains(#/\bfunc (take|tell|note)([A-Z]\w*)?[(<]/#)
            }
            .map { file.violation($0, "\(verb): say apply, receive, send, record or the like") }
        }
        return comments + functions
    }
}

/// Test hooks, which no release may contain.
enum TestHookRule {
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.contains("SCORESYNC_TEST_") else { return [] }
        var conditions: [Bool] = []
        return (1...file.lineCount).compactMap { number in
            let line = file.line(number)
            let start = line.drop { $0 == " " }
            if start.hasPrefix("#else") || start.hasPrefix("#endif") { _ = conditions.popLast() }
            if start.hasPrefix("#if") { conditions.append(start == "#if DEBUG") }
            if start.hasPrefix("#else") { conditions.append(false) }
            guard line.contains("SCORESYNC_TEST_"), !conditions.contains(true) else { return nil }
            return file.violation(number, "a test hook outside of #if DEBUG")
        }
    }
}

/// Clocks and sleeping in tests, which make them depend on how busy the machine is.
enum ClockRule {
    /// The comment of a test that needs time; the reason follows.
    static let mark = "// Needs real time: "

    static func violations(in file: SourceFile) -> [Violation] {
        let words = [
            "ContinuousClock", "SuspendingClock", "DispatchTime", "Date()", "sleep(", ".sleep(",
            "usleep(", "nanosleep(",
        ]
        let uses = (file.isSource ? [] : words).flatMap(file.codeLines(containing:))
        let isMarked = file.lines(containing: mark).contains { file.line($0).hasPrefix(mark) }
        if isMarked, uses.isEmpty { return [file.violation(1, "needs no real time")] }
        return (isMarked ? [] : uses).map {
            file.violation($0, "a clock in a test: wait for a condition instead")
        }
    }
}
