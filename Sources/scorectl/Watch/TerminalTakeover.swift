import CPlatform

/// The terminal while `watch` has it: the second screen without a cursor, and the signals that would
/// end the process without giving it back.
///
/// However a view ends, by Ctrl-C, by an error or because the session has gone, `giveBack` restores
/// the terminal; only then does a signal end the process.
final class TerminalTakeover {
    /// Where signals can be read from.
    let signals: Int32

    private let console: Console
    private var isTaken = true

    /// Takes the terminal of standard output over.
    init(_ console: Console) {
        self.console = console
        signals = console.signals()
        put(ScreenCodes.enter)
    }

    /// Draws lines from the top, in place of what was drawn before.
    func draw(_ lines: [String]) { put(ScreenCodes.redraw(lines)) }

    /// Gives the terminal back as it was, once.
    ///
    /// - Returns: whether it had not been given back yet.
    @discardableResult
    func giveBack() -> Bool {
        guard isTaken else { return false }
        isTaken = false
        put(ScreenCodes.leave)
        return true
    }

    /// The signals that have come.
    func readSignals() -> [Int32] {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = platform_read(signals, &numbers, numbers.count)
        return numbers.prefix(max(0, count)).map(Int32.init)
    }

    private func put(_ text: String) { console.write(Array(text.utf8)) }
}
