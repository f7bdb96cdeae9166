/// The escape sequences of a live view (ECMA-48, and xterm's private modes 25, 1049 and 2004).
enum ScreenCodes {
    /// Changes to the second screen and hides the cursor.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    /// Shows the cursor and changes back to the first screen.
    static let leave = "\u{1B}[?25h\u{1B}[?1049l"
    /// Has the terminal mark what is pasted.
    static let markPastes = "\u{1B}[?2004h"
    /// Ends that.
    static let markNoPastes = "\u{1B}[?2004l"

    /// Draws lines from the top, each over the one before, so that nothing flickers.
    static func redraw(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }

    /// Draws lines each in a row of its own, and shows the cursor in the last one.
    ///
    /// A row is emptied before it is written: behind its last column that would take the last
    /// character away.
    static func redraw(_ lines: [String], cursorAt column: Int) -> String {
        let rows = lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        return "\u{1B}[?25l\u{1B}[H" + rows + "\u{1B}[J\u{1B}[\(column + 1)G\u{1B}[?25h"
    }
}
