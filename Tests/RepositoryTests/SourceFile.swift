/// One file of Swift source, read once for all rules.
struct SourceFile {
    /// The path, relative to the repository.
    let path: String
    /// The lines as they are written.
    let lines: [String]
    /// The tokens of the code, without comments and strings.
    let tokens: [Token]
    /// The declarations of the code.
    let declarations: [Declaration]
    /// How many line breaks end the file.
    let trailingNewlines: Int

    /// Reads `text` as the file at `path`.
    init(path: String, text: String) {
        self.path = path
        let bytes = Array(text.utf8)
        lines = bytes.split(separator: Byte.newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        tokens = Token.tokens(of: SourceMask.code(of: bytes))
        declarations = DeclarationScanner.declarations(in: tokens)
        trailingNewlines = bytes.reversed().prefix { $0 == Byte.newline }.count
    }

    /// How many lines it has; the emptiness after the last line break is none.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    /// The name without folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether it belongs to the product, and not to its tests.
    var isSource: Bool { path.hasPrefix("Sources/") }

    /// The target that it belongs to: the second folder of its path.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// A violation in this file.
    func violation(_ line: Int, _ message: String) -> Violation {
        Violation(file: path, line: line, message: message)
    }

    /// The line (counted from 1) without the blanks around it, or nothing outside of the file.
    func trimmed(_ line: Int) -> Substring {
        guard lines.indices.contains(line - 1) else { return "" }
        let text = lines[line - 1].drop { $0 == " " }
        return text
    }

    /// Where the tokens read `pattern`, by the index of the first.
    func places(of pattern: [String]) -> [Int] {
        guard let first = pattern.first else { return [] }
        return tokens.indices.filter { index in
            tokens[index].text == first && index + pattern.count <= tokens.count
                && pattern.indices.allSatisfy { tokens[index + $0].text == pattern[$0] }
        }
    }
}
