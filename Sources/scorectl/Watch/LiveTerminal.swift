import CPlatform
import SyncProtocol

/// The live view on a terminal with a keyboard: shows the sheet and runs typed commands.
final class LiveTerminal: WatchOutput {
    private let call: Invocation
    private let terminal: FullScreenTerminal
    private let pages: LivePages
    private var sheet = LiveSheet()
    private var evening = SessionFollower()
    private var view = LiveView()
    private var decoder = KeyDecoder()
    private var isLost = false
    /// The session that the user chose to watch next.
    private var wanted: String?
    /// Whether the next session was chosen by the user.
    private var isChosen = false
    /// The next session when the view started with a sheet, which needs no announcement.
    private var known: NamedSession?

    /// The time for the rest of an escape sequence, which may be slow over a network.
    private static let escapeMilliseconds: Int32 = 100

    init(_ call: Invocation) {
        self.call = call
        pages = LivePages(call)
        terminal = FullScreenTerminal(call.console, hasKeyboard: true)
    }

    var descriptors: [Int32] { [terminal.signals, terminal.keys] }

    var session: String? { sheet.show?.document.session.id }

    var redrawMilliseconds: Int { pages.redrawMilliseconds(view.page, session) }

    func show(_ event: WatchEvent) throws(ControlError) {
        let before = session
        try sheet.apply(event)
        view.didUpdate(wasLost: isLost)
        isLost = false
        pages.invalidate()
        if let show = sheet.show, before != session {
            known = LiveCommands.nextSession(show)
            if before != nil { view.start(announcing: isChosen ? nil : show) }
            // A finished game that the user chose is not left for the next one.
            if isChosen { evening = SessionFollower() }
            isChosen = false
        }
        redraw()
    }

    func nextSession() -> String? {
        if let session = wanted {
            wanted = nil
            isChosen = true
            return session
        }
        return sheet.show.flatMap { evening.next(after: $0) }
    }

    func didLoseDaemon() {
        guard !isLost else { return }
        isLost = true
        redraw()
    }

    func redraw() {
        guard let show = sheet.show else { return }
        let size = call.console.size()
        let form = PageForm(columns: size.columns, isUnicode: call.console.isUnicode)
        let next = LiveCommands.nextSession(show)
        let notices = LiveFrame.Notices(next: next == known ? nil : next, isLost: isLost)
        let frame = LiveFrame(view, notices, form, rows: size.rows) { rows in
            pages.content(of: view, show, form, rows: rows)
        }
        view.range = frame.range
        terminal.draw(frame.lines.map(call.rendered), cursorAt: frame.column)
    }

    func handleInput() -> Bool {
        switch terminal.signalEvent() {
        case .end(let signal):
            end()
            call.console.endBySignal(signal)
            return false
        case .redraw: redraw()
        case nil: break
        }
        guard let bytes = terminal.readKeys() else {
            end()
            return false
        }
        guard !bytes.isEmpty else { return true }
        var keys = decoder.keys(from: bytes)
        if decoder.isPending, !terminal.hasKeys(within: Self.escapeMilliseconds) {
            keys += decoder.keysAfterTimeout()
        }
        for key in keys {
            let page = view.page
            guard handle(key) else { return false }
            // The scroll range of another page is known once it was drawn.
            if view.page != page { redraw() }
        }
        redraw()
        return true
    }

    /// Handles a key; returns false if it ended the view.
    private func handle(_ key: Key) -> Bool {
        guard let show = sheet.show, let request = view.handle(key, on: show) else { return true }
        switch request {
        case .run(let words):
            let result = LiveCommandRunner(call: call).run(words)
            view.showOutput(result.lines, isDone: result.isDone)
            // The event about the command's change may not have arrived yet.
            pages.removeCached()
        case .watch(let session): wanted = session
        case .end:
            end()
            return false
        }
        return true
    }

    func end() {
        guard terminal.leave(), let show = sheet.show else { return }
        call.printLines(call.page(of: show).lines)
    }
}

/// The terminal while `watch` uses it: the alternate screen, raw keys if there is a keyboard, and
/// the signals that would end the process without restoring it.
///
/// However a view ends, by Ctrl-C, by an error or because the session is gone, `leave` restores the
/// terminal; only then does a signal end the process.
final class FullScreenTerminal {
    /// The descriptor of arriving signals.
    let signals: Int32
    /// The descriptor of keys; negative without a keyboard.
    private(set) var keys: Int32 = -1

    private let console: Console
    private let hasKeyboard: Bool
    private var isActive = false

    init(_ console: Console, hasKeyboard: Bool = false) {
        self.console = console
        self.hasKeyboard = hasKeyboard
        signals = console.signals(SignalNumber.ends + [SignalNumber.resize, SignalNumber.stop])
        enter()
    }

    private func enter() {
        isActive = true
        if hasKeyboard { keys = console.enterRawMode() }
        put(ScreenCodes.enter + (hasKeyboard ? ScreenCodes.enableBracketedPaste : ""))
    }

    /// Draws lines from the top, without a cursor.
    func draw(_ lines: [String]) { put(ScreenCodes.redraw(lines)) }

    /// Draws lines from the top, with the cursor in the last line.
    func draw(_ lines: [String], cursorAt column: Int) {
        put(ScreenCodes.redraw(lines, cursorAt: column))
    }

    /// Restores the terminal; returns whether it was active.
    @discardableResult
    func leave() -> Bool {
        guard isActive else { return false }
        isActive = false
        put((hasKeyboard ? ScreenCodes.disableBracketedPaste : "") + ScreenCodes.leave)
        if hasKeyboard { console.leaveRawMode() }
        return true
    }

    enum SignalEvent {
        /// The size has changed, or the process was suspended.
        case redraw
        /// The process must end as this signal would end it.
        case end(Int32)
    }

    /// The event of the signals that have arrived; nil if there were none.
    ///
    /// On Ctrl-Z the terminal is restored until the process continues.
    func signalEvent() -> SignalEvent? {
        let numbers = readSignals()
        let harmless = [SignalNumber.resize, SignalNumber.stop]
        if let last = numbers.first(where: { !harmless.contains($0) }) { return .end(last) }
        if numbers.contains(SignalNumber.stop) {
            leave()
            console.suspend()
            enter()
        }
        return numbers.isEmpty ? nil : .redraw
    }

    private func readSignals() -> [Int32] {
        guard platform_wait(signals, false, -1, 0) == 1 else { return [] }
        return bytes(from: signals).map(Int32.init)
    }

    /// The bytes that were typed; nil if the terminal has ended.
    func readKeys() -> [UInt8]? {
        guard keys >= 0, platform_wait(keys, false, -1, 0) == 1 else { return [] }
        let bytes = bytes(from: keys)
        return bytes.isEmpty ? nil : bytes
    }

    func hasKeys(within milliseconds: Int32) -> Bool {
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
    /// Changes to the alternate screen and hides the cursor.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    /// Shows the cursor and changes back to the main screen.
    static let leave = "\u{1B}[?25h\u{1B}[?1049l"
    static let enableBracketedPaste = "\u{1B}[?2004h"
    static let disableBracketedPaste = "\u{1B}[?2004l"

    /// Draws lines from the top, each over the one before, so that nothing flickers.
    static func redraw(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }

    /// Draws lines as full rows, and shows the cursor in the last one.
    ///
    /// A row is erased before it is written: after a full row that would erase its last character.
    static func redraw(_ lines: [String], cursorAt column: Int) -> String {
        let rows = lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        return "\u{1B}[?25l\u{1B}[H" + rows + "\u{1B}[J\u{1B}[\(column + 1)G\u{1B}[?25h"
    }
}
