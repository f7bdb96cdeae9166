/// Limits on the size of files and functions.
enum SizeRule {
    static let fileLines = 15...700
    static let functionLines = 60

    static func fileSize(of file: SourceFile) -> Violation? {
        let count = file.lines.count - 1
        let isFine =
            count <= fileLines.upperBound
            && (count >= fileLines.lowerBound || !file.isSource || !file.path.hasSuffix(".swift"))
        return isFine ? nil : file.violation(1, "a file of \(count) lines, not \(fileLines)")
    }

    static func longFunctions(in file: SourceFile) -> [Violation] {
        file.lines.indices.compactMap { start in
            guard isFunction(file.lines[start]), let end = end(of: start, in: file.lines),
                end - start >= functionLines
            else { return nil }
            return file.violation(start + 1, "a function of \(end - start + 1) lines")
        }
    }

    private static func isFunction(_ line: String) -> Bool {
        guard line.contains("func ") || line.contains("init") || line.contains("subscript") else {
            return false
        }
        let word = line.split(separator: " ").first { !modifiers.contains($0) } ?? ""
        return word == "func"
            || ["init(", "init?(", "init<", "subscript("].contains { word.hasPrefix($0) }
    }

    private static let modifiers: Set<Substring> = [
        "package", "private", "fileprivate", "static", "final", "override", "convenience",
        "mutating", "consuming", "borrowing", "nonisolated", "@Sendable", "@discardableResult",
    ]

    /// The line with the closing brace, which stands at the indentation of the declaration.
    private static func end(of start: Int, in lines: [String]) -> Int? {
        let indentation = lines[start].prefix { $0 == " " }.count
        return lines.indices.dropFirst(start + 1).first { index in
            let line = lines[index]
            guard !line.isEmpty, line.prefix(while: { $0 == " " }).count <= indentation else {
                return false
            }
            return ![")", "{", "where"].contains { line.dropFirst(indentation).hasPrefix($0) }
        }
        .flatMap { lines[$0].dropFirst(indentation).hasPrefix("}") ? $0 : nil }
    }
}

/// Words that are not allowed in code, or only with a reason beside them.
enum WordRule {
    /// Calls that make a pure target depend on when and where it runs.
    private static let impure = [
        "Date()", "UUID()", "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator",
        ".randomElement()", ".shuffled()", "Task {", "Task(", "Task.", "print(",
    ]
    private static let vague = ["Manager", "Helper", "Util", "Handler"]

    static func violations(in file: SourceFile) -> [Violation] {
        let crashes = ["try!", "as! "].flatMap { word in
            file.lines(containing: word).map { file.violation($0, "\(word) can crash") }
        }
        let promises = ["@unchecked Sendable", "nonisolated(unsafe)"].flatMap { word in
            file.lines(containing: word).filter { line in
                let above = line > 1 ? file.lines[line - 2].drop { $0 == " " } : ""
                return !file.lines[line - 1].contains("//") && !above.hasPrefix("//")
            }
            .map { file.violation($0, "\(word) needs a comment that says why it holds") }
        }
        let isPure = file.isSource && ImportRule.pure.contains(file.target)
        let calls = (isPure ? impure : []).flatMap { call in
            file.lines(containing: call).filter { !file.lines[$0 - 1].contains("func \(call)") }
                .map { file.violation($0, "\(call) in \(file.target), which is pure") }
        }
        return crashes + promises + calls + names(in: file) + unfinished(in: file)
    }

    /// Type names that say nothing, and `public`, which no other package needs.
    private static func names(in file: SourceFile) -> [Violation] {
        let keywords = ["struct ", "class ", "enum ", "actor ", "protocol ", "typealias "]
        return keywords.flatMap { keyword in
            file.lines(containing: keyword).filter { line in
                let code = SourceFile.code(of: file.lines[line - 1])
                let name = code.split(separator: keyword).last?.prefix { $0.isLetter } ?? ""
                return vague.contains { name.contains($0) }
            }
            .map { file.violation($0, "a vague type name") }
        }
            + (file.isSource ? file.lines(containing: "public ") : []).map {
                file.violation($0, "public, where package is enough")
            }
    }

    /// Marks of unfinished work, in code and comments of all languages.
    static func unfinished(in file: SourceFile) -> [Violation] {
        let marks = ["TODO", "FIXME", "HACK", "for now"]
        guard file.isSource, marks.contains(where: file.text.contains) else { return [] }
        return file.lines.indices
            .filter { file.lines[$0].contains(#/\b(TODO|FIXME|HACK|for now)\b/#) }
            .map { file.violation($0 + 1, "unfinished work") }
    }
}

/// Comments and names in plain English.
enum LanguageRule {
    /// Comments that begin with a question word where a noun phrase or a verb is due, and functions
    /// whose verb does not say what they do.
    static func violations(in file: SourceFile) -> [Violation] {
        let comment = #/^ *\/\/\/? (What|How|Where|Who|Whose|Which|When) /#
        let function = #/\bfunc (take|tell|note)([A-Z][A-Za-z]*)?[(<]/#
        return file.lines.indices.compactMap { index in
            let line = file.lines[index]
            if line.contains("// W") || line.contains("// How"), line.contains(comment) {
                return file.violation(index + 1, "a comment that begins with a question word")
            }
            if ["func take", "func tell", "func note"].contains(where: line.contains),
                line.contains(function)
            {
                return file.violation(index + 1, "say apply, receive, send, record or the like")
            }
            return nil
        }
    }
}

/// Test hooks, which no release may contain.
enum TestHookRule {
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.text.contains("SCORESYNC_TEST_") else { return [] }
        var conditions: [Bool] = []
        return file.lines.enumerated().compactMap { index, line in
            let start = line.drop { $0 == " " }
            if start.hasPrefix("#else") || start.hasPrefix("#endif") { _ = conditions.popLast() }
            if start.hasPrefix("#if") { conditions.append(start == "#if DEBUG") }
            if start.hasPrefix("#else") { conditions.append(false) }
            guard line.contains("SCORESYNC_TEST_"), !conditions.contains(true) else { return nil }
            return file.violation(index + 1, "a test hook outside of #if DEBUG")
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
        let uses = (file.isSource ? [] : words).flatMap(file.lines(containing:))
        let isMarked = file.lines.contains { $0.hasPrefix(mark) }
        if isMarked, uses.isEmpty { return [file.violation(1, "needs no real time")] }
        return (isMarked ? [] : uses).map {
            file.violation($0, "a clock in a test: wait for a condition instead")
        }
    }
}
