/// The mutations of the engine: each finds the lines that it replaces, exactly once.
enum MutationRule {
    /// The mutations of a list (see `Scripts/mutate`) that do not, where `text` reads a file.
    static func violations(
        in list: String,
        of file: String,
        text: (String) -> String
    ) -> [Violation] {
        var found: [Violation] = []
        var mutation = (line: 0, path: "", old: "")
        func close() {
            guard !mutation.old.isEmpty else { return }
            let count = text("Sources/\(mutation.path)").ranges(of: mutation.old).count
            if count != 1 {
                let message = "finds the lines that it replaces \(count) times in \(mutation.path)"
                found.append(Violation(file: file, line: mutation.line, message: message))
            }
        }
        let lines = list.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("mutation: ") {
                close()
                mutation = (index + 1, "", "")
            } else if line.hasPrefix("file: ") {
                mutation.path = String(line.dropFirst(6))
            } else if line.hasPrefix("-") {
                mutation.old += line.dropFirst() + "\n"
            }
        }
        close()
        return found
    }
}
