import CPlatform
import SyncProtocol

/// The live view on a terminal with a keyboard: shows the sheet, takes keys, and gives the commands
/// that are typed.
final class LiveTerminal: WatchOutput {
    private let call: Invocation
    private let terminal: TerminalTakeover
    private let pages: LivePages
    private var sheet = LiveSheet()
    private var evening = Evening()
    private var view = LiveView()
    private var decoder = KeyDecoder()
    private var isLost = false
    /// The session that the user asked for.
    private var wanted: String?
    /// Whether the next other session is one that the user asked for.
    private var isAsked = false
    /// The session that was in use, or next, when the view began with a sheet: no news.
    private var known: NamedSession?

    /// How long an escape waits for what may follow it: over a slow line that takes a while.
    private static let escapeMilliseconds: Int32 = 100

    /// Takes the terminal over.
    init(_ call: Invocation) {
        self.call = call
        pages = LivePages(call)
        terminal = TerminalTakeover(call.console, isTyped: true)
    }

    var sources: [Int32] { [terminal.signals, terminal.keys] }

    var session: String? { sheet.show?.document.session.id }

    var patience: Int { pages.patience(of: view.page, session) }

    // MARK: What is told

    func show(_ event: WatchEvent) throws(ControlError) {
        let before = session
        try sheet.apply(event)
        view.renew(wasLost: isLost)
        isLost = false
        pages.age()
        if let show = sheet.show, before != session {
            known = LiveWords.elsewhere(show)
            if before != nil { view.begin(with: isAsked ? nil : show) }
            // Who asks for a game that is over wants to see that one.
            if isAsked { evening = Evening() }
            isAsked = false
        }
        redraw()
    }

    func nextSession() -> String? {
        if let session = wanted {
            wanted = nil
            isAsked = true
            return session
        }
        return sheet.show.flatMap { evening.next(after: $0) }
    }

    func lost() {
        guard !isLost else { return }
        isLost = true
        redraw()
    }

    func redraw() {
        guard let show = sheet.show else { return }
        let size = call.console.size()
        let form = PageForm(columns: size.columns, isUnicode: call.console.isUnicode)
        let elsewhere = LiveWords.elsewhere(show)
        let around = LiveFrame.Surroundings(
            elsewhere: elsewhere == known ? nil : elsewhere,
            isLost: isLost
        )
        let frame = LiveFrame(view, around, form, rows: size.rows) { rows in
            pages.content(of: view, show, form, rows: rows)
        }
        view.reach = frame.reach
        terminal.draw(frame.lines.map(call.rendered), cursorAt: frame.column)
    }

    // MARK: What is asked

    func attend() -> Bool {
        switch terminal.news() {
        case .end(let signal):
            end()
            call.console.endBySignal(signal)
            return false
        case .redraw: redraw()
        case nil: break
        }
        guard let bytes = terminal.typed() else {
            end()
            return false
        }
        guard !bytes.isEmpty else { return true }
        var keys = decoder.keys(from: bytes)
        if decoder.isWaiting, !terminal.isMoreTyped(within: Self.escapeMilliseconds) {
            keys += decoder.keysAtRest()
        }
        for key in keys {
            let page = view.page
            guard take(key) else { return false }
            // How far another page can be scrolled is known when it was drawn.
            if view.page != page { redraw() }
        }
        redraw()
        return true
    }

    /// Takes a key; false when it ended the view.
    private func take(_ key: Key) -> Bool {
        guard let show = sheet.show, let request = view.take(key, on: show) else { return true }
        switch request {
        case .run(let words):
            let answer = CommandBelow(call).run(words)
            view.answered(answer.lines, isDone: answer.isDone)
            // What the command has changed may not have been told yet.
            pages.forget()
        case .watch(let session): wanted = session
        case .end:
            end()
            return false
        }
        return true
    }

    func end() {
        guard terminal.giveBack(), let show = sheet.show else { return }
        call.printLines(call.page(of: show).lines)
    }
}

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
