/// Words that have no place in the code, or only with a reason beside them.
enum WordRule {
    private static let vague = ["Manager", "Helper", "Util", "Handler"]
    private static let unfinished = ["TODO", "FIXME", "HACK", "for now"]

    /// Calls that make a pure target depend on when and where it runs.
    private static let impure: [(pattern: [String], name: String)] = [
        (["Date", "(", ")"], "Date()"),
        (["UUID", "(", ")"], "UUID()"),
        (["ContinuousClock"], "ContinuousClock"),
        (["SuspendingClock"], "SuspendingClock"),
        (["SystemRandomNumberGenerator"], "SystemRandomNumberGenerator"),
        (["randomElement", "(", ")"], "randomElement()"),
        (["shuffled", "(", ")"], "shuffled()"),
        (["Task", "{"], "Task"),
        (["Task", "("], "Task"),
        (["Task", "."], "Task"),
    ]

    /// Everything that this rule finds in a file.
    static func violations(in file: SourceFile) -> [Violation] {
        forced(in: file) + unexplained(in: file) + names(in: file) + impurities(in: file)
            + notes(in: file)
    }

    /// `try!` and `as!`, which turn a mistake into a crash.
    private static func forced(in file: SourceFile) -> [Violation] {
        file.tokens.indices.dropFirst().compactMap { index in
            let (word, sign) = (file.tokens[index - 1], file.tokens[index])
            guard sign.isGlued, sign.text.hasPrefix("!"), !sign.text.hasPrefix("!="),
                word.text == "try" || word.text == "as"
            else { return nil }
            return file.violation(sign.line, "\(word.text)! is not allowed")
        }
    }

    /// Promises that the compiler cannot check need the reason why they hold.
    private static func unexplained(in file: SourceFile) -> [Violation] {
        let promises = [
            (pattern: ["@", "unchecked", "Sendable"], name: "@unchecked Sendable"),
            (pattern: ["nonisolated", "(", "unsafe", ")"], name: "nonisolated(unsafe)"),
        ]
        return promises.flatMap { promise in
            file.places(of: promise.pattern).compactMap { place in
                let line = file.tokens[place].line
                guard !file.trimmed(line).contains("//"),
                    !file.trimmed(line - 1).hasPrefix("//")
                else { return nil }
                return file.violation(
                    line,
                    "\(promise.name) needs a comment that names what makes it true"
                )
            }
        }
    }

    private static func names(in file: SourceFile) -> [Violation] {
        file.declarations.filter(\.kind.isType).compactMap { type in
            guard let word = vague.first(where: type.name.contains) else { return nil }
            return file.violation(
                type.line,
                "\(type.name) contains \(word), which says nothing about what it does"
            )
        }
    }

    private static func impurities(in file: SourceFile) -> [Violation] {
        guard file.isSource, ImportRule.pure.contains(file.target) else { return [] }
        func found(_ name: String, at place: Int) -> Violation {
            file.violation(
                file.tokens[place].line,
                "\(name) in \(file.target): time and randomness come in as parameters, and it "
                    + "does no input or output"
            )
        }
        // A member or a declaration of that name is the target's own.
        let prints = file.places(of: ["print", "("]).filter { place in
            place == 0 || !["func", "."].contains(file.tokens[place - 1].text)
        }
        return impure.flatMap { entry in
            file.places(of: entry.pattern).map { found(entry.name, at: $0) }
        } + prints.map { found("print", at: $0) }
    }

    /// Marks of work that was put off, in code, comments and texts alike.
    static func notes(in file: SourceFile) -> [Violation] {
        guard file.isSource else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            guard let word = unfinished.first(where: { holds(line, word: $0) }) else { return nil }
            return file.violation(index + 1, "\"\(word)\" stands in the code: finish it")
        }
    }

    private static func holds(_ line: String, word: String) -> Bool {
        line.ranges(of: word).contains { range in
            let before = line[..<range.lowerBound].last
            let after = line[range.upperBound...].first
            return before?.isLetter != true && after?.isLetter != true
        }
    }
}
