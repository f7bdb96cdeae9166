/// The escape sequences of a live view (ECMA-48, and xterm's private modes 25 and 1049).
enum ScreenCodes {
    /// Changes to the second screen and hides the cursor.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    /// Shows the cursor and changes back to the first screen.
    static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    /// Draws lines from the top, each over the one before, so that nothing flickers.
    static func redraw(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }
}
