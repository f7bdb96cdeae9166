internal import CPlatform
internal import SessionCRDT

/// The terminal of a program, or the files and pipes in its place: what fits, and what can be shown.
///
/// A terminal that can only print, such as a shell in an editor, counts as a pipe: `dumb`, the
/// terminal type without capabilities (terminfo(5)).
package struct Terminal {
    package typealias Size = (columns: Int, rows: Int)

    /// Whether standard output goes to a terminal.
    package let isOutput: Bool
    /// Whether standard error goes to a terminal.
    package let isError: Bool
    private let size: () -> Size
    private let variable: (String) -> String?

    package init(
        isOutput: Bool,
        isError: Bool,
        size: @escaping () -> Size,
        variable: @escaping (String) -> String?
    ) {
        let isDumb = variable("TERM") == "dumb"
        (self.isOutput, self.isError) = (isOutput && !isDumb, isError && !isDumb)
        (self.size, self.variable) = (size, variable)
    }

    package static var ofThisProcess: Terminal {
        Terminal(
            isOutput: platform_is_terminal(1),
            isError: platform_is_terminal(2),
            size: reportedSize,
            variable: environmentVariable
        )
    }

    package static func environmentVariable(_ name: String) -> String? {
        platform_environment(name).map { String(cString: $0) }
    }

    /// Returns the size that the terminal reports, else that of the environment, else 80 by 24.
    package static func reportedSize() -> Size {
        var columns: Int32 = 0
        var rows: Int32 = 0
        // Standard output may be a pipe while messages and questions go to a terminal.
        for descriptor: Int32 in [1, 2, 0] where columns <= 0 {
            _ = platform_terminal_size(descriptor, &columns, &rows)
        }
        func number(_ name: String) -> Int? { environmentVariable(name).flatMap { Int($0) } }
        return (
            columns > 0 ? Int(columns) : max(20, number("COLUMNS") ?? 80),
            rows > 0 ? Int(rows) : max(5, number("LINES") ?? 24)
        )
    }

    /// The width of standard output: outside of a terminal what `COLUMNS` specifies if that is valid
    /// (POSIX, "Environment Variables"), else `usual`.
    package func columns(usual: Int) -> Int {
        if isOutput { return size().columns }
        let given = variable("COLUMNS").flatMap { Int($0) } ?? 0
        return given < 1 ? usual : min(max(20, given), 1_000)
    }

    /// The width of pages of help, whose lines are not too long to read.
    package var helpColumns: Int { min(100, columns(usual: 80)) }

    /// Whether the terminal can show more than ASCII: unless the locale denies it (POSIX,
    /// "Environment Variables": `LC_ALL`, then `LC_CTYPE`, then `LANG`).
    package var isUnicode: Bool {
        let set = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty }
        guard let locale = set?.lowercased() else { return true }
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Whether escape sequences belong on standard output.
    ///
    /// A choice comes first, then the environment, as force-color.org, no-color.org and
    /// bixense.com/clicolors specify.
    package func usesColor(_ choice: String? = nil) -> Bool {
        func isSet(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }
        if choice == "always" { return true }
        if choice == "never" { return false }
        if isSet("FORCE_COLOR") { return true }
        if isSet("NO_COLOR") { return false }
        if isSet("CLICOLOR_FORCE"), variable("CLICOLOR_FORCE") != "0" { return true }
        return isOutput && variable("CLICOLOR") != "0"
    }

    /// Returns a message for standard error: wrapped between words to the width of a terminal, unless
    /// it is indented, as an item of a list is.
    package func message(_ text: String) -> String {
        let text = Line(text).text
        let isWrapped = isError && !text.hasPrefix(" ")
        let lines = isWrapped ? TextWidth.wrapped(text, to: size().columns) : [text]
        return shown(lines.joined(separator: "\n"))
    }

    /// Returns lines for standard output, of which sentences are wrapped to the width of a terminal.
    package func fitted(_ lines: [Line]) -> [Line] {
        isOutput ? lines.flatMap { $0.wrapped(to: size().columns) } : lines
    }

    package func rendered(_ lines: [Line], inColor: Bool) -> [String] {
        let isUnicode = isUnicode
        return lines.map { line in
            let text = line.rendered(inColor: inColor, isolated: isOutput && isUnicode)
            return isUnicode ? text : Terminal.ascii(text)
        }
    }

    /// Returns lines as they are printed on standard output.
    package func page(_ lines: [Line]) -> String {
        rendered(fitted(lines), inColor: usesColor()).map { $0 + "\n" }.joined()
    }

    /// Returns a text with its signs in ASCII, unless the terminal can show more.
    ///
    /// Letters stay as they are, also those of names.
    package func shown(_ text: String) -> String { isUnicode ? text : Terminal.ascii(text) }

    package static func ascii(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : String(text.map { asciiSigns[$0] ?? $0 })
    }

    /// The characters in place of signs, each as wide as its sign.
    private static let asciiSigns: [Character: Character] = [
        "─": "-", "│": "|", "┤": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+", "★": "*", "·": ".",
        "●": "*", "○": "o", "→": ">", "←": "<", "↑": "^", "↓": "v", "›": ">", "–": "-", "−": "-",
        "×": "x", "÷": "/", "“": "\"", "”": "\"", "’": "'", "…": "~", "✓": "+", "✗": "x",
    ]
}
