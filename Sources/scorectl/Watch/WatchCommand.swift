import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

enum WatchCommand {
    static let command = Command(
        usage: "watch [SESSION]",
        summary: "the score sheet live, until Ctrl-C",
        details: "On a terminal it redraws in place, and reads keys: type scores or moves as after"
            + " 'score' and 'play', or any other command; Tab completes players, rows and commands."
            + " On an empty line Tab changes between table, chart, history and peers, u undoes, c"
            + " shows conflicts and a digit resolves one, g shows the chart, ? lists all keys, and q"
            + " quits. With --read-only it reads no keys.\n"
            + "To a file or a pipe it prints the sheet after every change. It waits for a daemon"
            + " that restarts, and continues with the next game after 'session new --again'.\n"
            + "With --json it prints one line for each change. The first line, and each with type"
            + " snapshot, is the document of 'show --json', with seq and type. A line with type"
            + " change contains only the differences: the new teams, finished, turn, winners, flags"
            + " and panels, and of players, each with id and name, the new total, rank, tieBreak,"
            + " winner and computed, new and changed cells, and the row and round of cleared ones."
            + " seq is 1, 2, 3, …\n"
            + "This prints all totals, and each again when it changes:\n"
            + #"scorectl watch --json | jq -r '.players[]? | select(.total) | "\(.name)=\(.total)"'"#,
        options: [
            CommandOption("read-only", "only show, read no keys"),
            CommandOption(
                "notify",
                "when it is your turn or there is a new conflict, ring the bell, and show it on the"
                    + " desktop if there is notify-send"
            ),
        ],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        var session = try call.namedSession()
        var client = try call.connect()
        _ = try client.call(.watch, .init(session: session))
        let isInteractive =
            call.console.isInputTerminal && call.console.isOutputTerminal && !call.isJSON
            && !call.has("read-only")
        let view: WatchView = isInteractive ? LiveTerminal(call) : WatchPrinter(call)
        defer { view.end() }
        while true {
            do throws(ControlError) {
                try follow(client, view)
                return
            } catch {
                guard isTemporary(error) else { throw error }
                // If only an event was lost, the daemon is still running.
                if error != LiveSheet.missedChange { view.didLoseDaemon() }
            }
            // The current session may have changed before a daemon is back, so the shown one is
            // kept.
            session = view.session ?? session
            guard let next = try reconnect(call, session, view) else { return }
            client = next
        }
    }

    /// Shows events until a signal or a key ends the view.
    private static func follow(
        _ client: ControlClient,
        _ view: WatchView
    ) throws(ControlError) {
        while true {
            while let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                try view.show(event)
                if let next = view.nextSession() { try watchNext(next, client) }
            }
            let limit = view.redrawMilliseconds
            switch try client.wait(orFor: view.descriptors, milliseconds: limit) {
            case .message: break
            case .timedOut: view.redraw()
            case .other:
                guard view.handleInput() else { return }
                if let next = view.nextSession() { try watchNext(next, client) }
            }
        }
    }

    /// Watches the next game, or stays with this one if that is not possible.
    private static func watchNext(_ session: String, _ client: ControlClient) throws(ControlError) {
        do throws(ControlError) { _ = try client.call(.watch, .init(session: session)) } catch {
            guard !isTemporary(error) else { throw error }
        }
    }

    /// Whether the same or another daemon may answer later.
    private static func isTemporary(_ error: ControlError) -> Bool {
        error.isAbsence || error.kind == .timedOut || error == LiveSheet.missedChange
    }

    /// Waits for a daemon, without starting one: it may have been stopped on purpose.
    private static func reconnect(
        _ call: Invocation,
        _ session: String?,
        _ view: WatchView
    ) throws(ControlError) -> ControlClient? {
        let paths = try call.paths()
        while true {
            do throws(ControlError) {
                let client = try Invocation.client(paths)
                let request = SessionParameters(session: session)
                _ = try client.call(.watch, request, timeoutMilliseconds: 5_000)
                return client
            } catch {
                guard isTemporary(error) else { throw error }
            }
            let descriptors = view.descriptors
            let hasInput = platform_wait_any(descriptors, Int32(descriptors.count), 100) > 0
            guard !hasInput || view.handleInput() else { return nil }
        }
    }
}

class WatchView {
    let call: Invocation
    /// The screen; nil if standard output is no terminal.
    let terminal: FullScreenTerminal?
    final var sheet = LiveSheet()
    final var follower = SessionFollower()
    final private(set) var isLost = false
    private var news = WatchNews()

    init(_ call: Invocation, _ terminal: FullScreenTerminal?) {
        (self.call, self.terminal) = (call, terminal)
    }

    final var descriptors: [Int32] {
        terminal.map { [$0.signals, $0.keys].filter { $0 >= 0 } } ?? []
    }

    /// The id of the shown session; nil before the first event.
    final var session: String? { sheet.show?.document.session.id }

    var redrawMilliseconds: Int { RefreshLimiter.maxAgeMilliseconds }

    func show(_ event: WatchEvent) throws(ControlError) {
        isLost = false
        try sheet.apply(event)
        guard let show = sheet.show, call.has("notify") else { return }
        news.texts(for: show).forEach(call.console.notify)
    }

    /// Returns the session to switch to, once for each; nil to stay.
    func nextSession() -> String? { sheet.show.flatMap { follower.next(after: $0) } }

    func redraw() {}

    final func didLoseDaemon() {
        guard !isLost else { return }
        isLost = true
        guard terminal == nil else { return redraw() }
        call.inform("The daemon has stopped; waiting for it.")
    }

    /// Handles signals and keys; returns false if they ended the view.
    func handleInput() -> Bool {
        switch terminal?.signalEvent() {
        case .end(let signal):
            end()
            // The parent shell must see that the signal ended the process.
            call.console.endBySignal(signal)
            return false
        case .redraw: redraw()
        case nil: break
        }
        return true
    }

    /// Ends the view, and leaves the last sheet on the terminal.
    final func end() {
        if terminal?.leave() == true { printSheet() }
    }

    final func printSheet() {
        if let show = sheet.show { call.printLines(call.page(of: show).lines) }
    }
}

/// The output of `watch` without a keyboard: a screen that is redrawn, a file that grows, or lines
/// of JSON.
final class WatchPrinter: WatchView {
    private var sequence = 0

    init(_ call: Invocation) {
        let isScreen = call.console.isOutputTerminal && !call.isJSON
        super.init(call, isScreen ? FullScreenTerminal(call.console) : nil)
    }

    override func show(_ event: WatchEvent) throws(ControlError) {
        let before = sheet.show?.document
        try super.show(event)
        if terminal != nil { return redraw() }
        // A snapshot may differ only in the context, or be repeated by a restarted daemon.
        if call.isJSON, sheet.show?.document == before { return }
        // Numbered here, so that the sequence has no gap when the daemon restarts.
        sequence += 1
        if call.isJSON {
            return try call.printJSON(WatchLine(seq: sequence, content: event.content))
        }
        if sequence > 1 { call.printLines([Line()]) }
        printSheet()
    }

    override func redraw() {
        guard let terminal, let show = sheet.show else { return }
        let size = call.console.size()
        let time = call.console.timeOfDay(call.console.now())
        let status =
            isLost
            ? Line("The daemon has stopped; waiting for it. Press Ctrl-C to stop.", .warning)
            : Line("Live as of \(time). Press Ctrl-C to stop.", .faint)
        let room = size.rows - 1 - Self.height(of: status, in: size.columns)
        let page = call.page(of: show).lines(within: room)
        let lines = Self.cut(page, to: room, in: size.columns) + [Line(), status]
        terminal.draw(call.rendered(lines))
    }

    /// Returns the lines that fit, and a note about the others.
    static func cut(_ lines: [Line], to rows: Int, in columns: Int) -> [Line] {
        guard lines.reduce(0, { $0 + height(of: $1, in: columns) }) > rows else { return lines }
        var left = rows - 1
        let shown = lines.prefix { line in
            left -= height(of: line, in: columns)
            return left >= 0
        }
        return shown + [Line("… \(lines.count - shown.count) more lines", .faint)]
    }

    /// Returns the number of screen rows of a line: a terminal wraps lines that are too wide, such
    /// as long commands.
    private static func height(of line: Line, in columns: Int) -> Int {
        max(1, (line.width + columns - 1) / max(1, columns))
    }
}

/// A line of `watch --json`: the document of `show`, or what differs in it, with a number and a
/// type.
struct WatchLine: Encodable {
    let seq: Int
    let content: WatchEvent.Content

    private enum CodingKeys: String, CodingKey {
        case schema, seq, type
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        switch content {
        case .snapshot(let show):
            try show.document.encode(to: encoder)
            try container.encode("snapshot", forKey: .type)
        case .change(let change):
            try change.document.encode(to: encoder)
            try container.encode("change", forKey: .type)
            try container.encode(1, forKey: .schema)
        }
    }
}

/// The live view on a terminal with a keyboard: shows the sheet and runs typed commands.
final class LiveTerminal: WatchView {
    private let screen: FullScreenTerminal
    private let pages: LivePages
    private var view = LiveView()
    private var decoder = KeyDecoder()
    private var wanted: String?
    private var isChosen = false
    /// The next session that already existed when this one was first shown, and is not announced.
    private var known: NamedSession?

    /// The timeout for the rest of an escape sequence, which may be slow over a network.
    private static let escapeMilliseconds: Int32 = 100

    init(_ call: Invocation) {
        pages = LivePages(call)
        screen = FullScreenTerminal(call.console, hasKeyboard: true)
        super.init(call, screen)
    }

    override var redrawMilliseconds: Int { pages.redrawMilliseconds(view.page, session) }

    override func show(_ event: WatchEvent) throws(ControlError) {
        let (before, wasLost) = (session, isLost)
        try super.show(event)
        view.didUpdate(wasLost: wasLost)
        pages.invalidate()
        if let show = sheet.show, before != session {
            known = LiveCommands.nextSession(show)
            if before != nil { view.start(announcing: isChosen ? nil : show) }
            // A finished game that the user chose stays on the screen, even if there is a next one.
            if isChosen { follower = SessionFollower() }
            isChosen = false
        }
        redraw()
    }

    override func nextSession() -> String? {
        guard let session = wanted else { return super.nextSession() }
        wanted = nil
        isChosen = true
        return session
    }

    override func redraw() {
        guard let show = sheet.show else { return }
        let size = call.console.size()
        let form = PageFormat(columns: size.columns, isUnicode: call.console.terminal.isUnicode)
        let next = LiveCommands.nextSession(show)
        let notices = LiveFrame.Notices(next: next == known ? nil : next, isLost: isLost)
        let frame = LiveFrame(view, notices, form, rows: size.rows) { rows in
            pages.content(of: view, show, form, rows: rows)
        }
        view.range = frame.range
        screen.draw(call.rendered(frame.lines), cursorAt: frame.column)
    }

    override func handleInput() -> Bool {
        guard super.handleInput() else { return false }
        guard let bytes = screen.readKeys() else {
            end()
            return false
        }
        guard !bytes.isEmpty else { return true }
        var keys = decoder.keys(from: bytes)
        if decoder.isPending, !screen.hasKeys(within: Self.escapeMilliseconds) {
            keys += decoder.keysAfterTimeout()
        }
        for key in keys {
            let page = view.page
            guard handle(key) else { return false }
            // The scroll range of a page is known only after it was drawn.
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
            let result = LiveCommands.run(words, call)
            view.showOutput(result.lines, isDone: result.isDone)
            // The event about the command's change may not have arrived yet.
            pages.removeCached()
        case .watch(let session): wanted = session
        case .end:
            end()
            return false
        case .handled: break
        }
        return true
    }
}

/// The terminal while `watch` uses it: the alternate screen, raw keys if there is a keyboard, and
/// the signals that would end the process without restoring it.
///
/// `leave` restores the terminal in every case, on Ctrl-C, an error or the loss of the session;
/// only then does a signal end the process.
final class FullScreenTerminal {
    let signals: Int32
    /// The descriptor of keys; negative without a keyboard.
    private(set) var keys: Int32 = -1

    private let console: Console
    private let hasKeyboard: Bool
    private var isActive = false

    init(_ console: Console, hasKeyboard: Bool = false) {
        self.console = console
        self.hasKeyboard = hasKeyboard
        signals = console.openSignalDescriptor(
            SignalNumber.terminating + [SignalNumber.resize, SignalNumber.stop]
        )
        enter()
    }

    private func enter() {
        isActive = true
        if hasKeyboard { keys = console.enterRawMode() }
        put(ScreenCodes.enter + (hasKeyboard ? ScreenCodes.enableBracketedPaste : ""))
    }

    /// Draws lines from the top, with the cursor in the last line or without one.
    func draw(_ lines: [String], cursorAt column: Int? = nil) {
        put(column.map { ScreenCodes.redraw(lines, cursorAt: $0) } ?? ScreenCodes.redraw(lines))
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
        case end(Int32)
    }

    /// Returns the event of the signals that have arrived; nil if there were none.
    ///
    /// On Ctrl-Z the terminal is restored until the process continues.
    func signalEvent() -> SignalEvent? {
        guard platform_wait(signals, false, -1, 0) == 1 else { return nil }
        let numbers = bytes(from: signals).map(Int32.init)
        let harmless = [SignalNumber.resize, SignalNumber.stop]
        if let last = numbers.first(where: { !harmless.contains($0) }) { return .end(last) }
        if numbers.contains(SignalNumber.stop) {
            leave()
            console.suspend()
            enter()
        }
        return numbers.isEmpty ? nil : .redraw
    }

    /// Returns the bytes that were typed; nil if the terminal has ended.
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
    static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    static let leave = "\u{1B}[?25h\u{1B}[?1049l"
    static let enableBracketedPaste = "\u{1B}[?2004h"
    static let disableBracketedPaste = "\u{1B}[?2004l"

    /// Draws lines from the top over the previous ones, so that nothing flickers.
    static func redraw(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }

    /// Draws lines as full rows, and shows the cursor in the last one.
    ///
    /// A row is erased before it is written; erasing after a full row would remove its last
    /// character.
    static func redraw(_ lines: [String], cursorAt column: Int) -> String {
        let rows = lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        return "\u{1B}[?25l\u{1B}[H" + rows + "\u{1B}[J\u{1B}[\(column + 1)G\u{1B}[?25h"
    }
}
