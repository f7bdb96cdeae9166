import CPlatform

/// The terminal while `watch` has it: the second screen, the keys where somebody may type, and the
/// signals that would end the process without giving it back.
///
/// However a view ends, by Ctrl-C, by an error or because the session has gone, `giveBack` restores
/// the terminal; only then does a signal end the process.
final class TerminalTakeover {
    /// Where signals can be read from.
    let signals: Int32
    /// Where keys can be read from; negative where nobody types.
    private(set) var keys: Int32 = -1

    private let console: Console
    private let isTyped: Bool
    private var isTaken = false

    /// Takes the terminal of standard output over, and that of standard input where somebody types.
    init(_ console: Console, isTyped: Bool = false) {
        self.console = console
        self.isTyped = isTyped
        signals = console.signals(SignalNumber.ends + [.resize, .stop])
        take()
    }

    private func take() {
        isTaken = true
        if isTyped { keys = console.takeKeys() }
        put(ScreenCodes.enter + (isTyped ? ScreenCodes.markPastes : ""))
    }

    /// Draws lines from the top, in place of what was drawn before.
    func draw(_ lines: [String]) { put(ScreenCodes.redraw(lines)) }

    /// The same with a cursor in the last line.
    func draw(_ lines: [String], cursorAt column: Int) {
        put(ScreenCodes.redraw(lines, cursorAt: column))
    }

    /// Gives the terminal back as it was, once.
    ///
    /// - Returns: whether it had not been given back yet.
    @discardableResult
    func giveBack() -> Bool {
        guard isTaken else { return false }
        isTaken = false
        put((isTyped ? ScreenCodes.markNoPastes : "") + ScreenCodes.leave)
        if isTyped { console.giveKeysBack() }
        return true
    }

    /// What signals ask for.
    enum News {
        /// To draw again, because of the size or a pause.
        case redraw
        /// To end as this signal would.
        case end(Int32)
    }

    /// What the signals that have come ask for; nil of none.
    ///
    /// For Ctrl-Z the terminal is given back, and taken again when the process goes on.
    func news() -> News? {
        let numbers = readSignals()
        let quiet = [SignalNumber.resize.number, SignalNumber.stop.number]
        if let last = numbers.first(where: { !quiet.contains($0) }) { return .end(last) }
        if numbers.contains(SignalNumber.stop.number) {
            giveBack()
            console.stop()
            take()
        }
        return numbers.isEmpty ? nil : .redraw
    }

    private func readSignals() -> [Int32] {
        guard platform_wait(signals, false, -1, 0) == 1 else { return [] }
        return bytes(from: signals).map(Int32.init)
    }

    /// What was typed, as bytes; nil at the end of the terminal.
    func typed() -> [UInt8]? {
        guard keys >= 0, platform_wait(keys, false, -1, 0) == 1 else { return [] }
        let bytes = bytes(from: keys)
        return bytes.isEmpty ? nil : bytes
    }

    /// Whether more is typed within a moment.
    func isMoreTyped(within milliseconds: Int32) -> Bool {
        platform_wait(keys, false, -1, milliseconds) == 1
    }

    private func bytes(from descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = platform_read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private func put(_ text: String) { console.write(Array(text.utf8)) }
}
