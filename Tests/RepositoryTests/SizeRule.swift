/// How long files, lines and functions may be.
enum SizeRule {
    static let fileLines = 400
    static let lineCharacters = 100
    static let functionLines = 60
    static let mainLines = 20

    /// What is too long in a file.
    static func violations(in file: SourceFile) -> [Violation] {
        var found: [Violation] = []
        if file.lineCount > fileLines {
            found.append(
                file.violation(1, "\(file.lineCount) lines; a file has at most \(fileLines)")
            )
        }
        for (index, line) in file.lines.enumerated() where line.utf8.count > lineCharacters {
            guard line.count > lineCharacters else { continue }
            found.append(
                file.violation(
                    index + 1,
                    "\(line.count) characters; a line has at most \(lineCharacters)"
                )
            )
        }
        for function in file.declarations where function.kind.isFunction {
            let lines = function.lastLine - function.line + 1
            guard lines > functionLines else { continue }
            found.append(
                file.violation(
                    function.line,
                    "\(function.name) has \(lines) lines; a function has at most \(functionLines)"
                )
            )
        }
        return found + mainViolations(in: file)
    }

    /// A program starts in a few lines that call something testable.
    private static func mainViolations(in file: SourceFile) -> [Violation] {
        guard file.isSource else { return [] }
        if file.name == "main.swift", file.lineCount > mainLines {
            return [
                file.violation(1, "\(file.lineCount) lines; main.swift has at most \(mainLines)")
            ]
        }
        return file.declarations.compactMap { type in
            let lines = type.lastLine - type.firstLine + 1
            guard type.modifiers.contains("@main"), lines > mainLines else { return nil }
            return file.violation(
                type.line,
                "\(type.name) has \(lines) lines; @main has at most \(mainLines)"
            )
        }
    }
}
