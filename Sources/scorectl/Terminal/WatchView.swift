import CPlatform
import SyncProtocol

/// What `watch` prints into: a screen that is redrawn, a file that grows, or lines of JSON.
final class WatchView {
    /// Where signals can be read from; negative where there are none.
    let signals: Int32

    private let call: Invocation
    private let isScreen: Bool
    private var last: ShowReply?
    private var sequence = 0
    private var isLost = false
    private var isEnded = false

    /// Takes over the screen, where standard output is one.
    init(_ call: Invocation) {
        self.call = call
        isScreen = call.console.isOutputTerminal && !call.isJSON
        signals = isScreen ? call.console.signals() : -1
        if isScreen { put(Screen.enter) }
    }

    /// Shows an event.
    ///
    /// The numbers are counted here, so that none is left out when the daemon restarted.
    func show(_ event: WatchEvent) throws(ControlError) {
        isLost = false
        sequence += 1
        last = event.show
        if isScreen {
            redraw()
        } else if call.isJSON {
            try call.printJSON(
                WatchLine(seq: sequence, type: event.type, document: event.show.document)
            )
        } else {
            if sequence > 1 { call.printLines([Line()]) }
            call.printLines(page(event.show).lines)
        }
    }

    /// Draws the screen again, because of its size, the time or the daemon.
    func redraw() {
        guard isScreen, let last else { return }
        let size = call.console.size()
        let status =
            isLost
            ? Line("The daemon has stopped; waiting for it to come back. Ctrl-C ends.", .warning)
            : Line("Live since \(call.console.timeOfDay(call.console.now())). Ctrl-C ends.", .faint)
        let room = size.rows - 1 - WatchView.height(of: status, in: size.columns)
        let page = page(last).lines(within: room)
        let lines = WatchView.cut(page, to: room, in: size.columns) + [Line(), status]
        put(Screen.redraw(lines.map { $0.rendered(inColor: call.usesColor) }))
    }

    /// As many lines as fit into so many rows, and how many more there are.
    static func cut(_ lines: [Line], to rows: Int, in columns: Int) -> [Line] {
        guard lines.reduce(0, { $0 + height(of: $1, in: columns) }) > rows else { return lines }
        var left = rows - 1
        let shown = lines.prefix { line in
            left -= height(of: line, in: columns)
            return left >= 0
        }
        return shown + [Line("… \(lines.count - shown.count) more lines", .faint)]
    }

    /// How many rows a line takes: a terminal breaks what is wider than it, as a long command.
    private static func height(of line: Line, in columns: Int) -> Int {
        max(1, (line.width + columns - 1) / max(1, columns))
    }

    /// Tells that the daemon has gone.
    func lost() {
        guard !isLost else { return }
        isLost = true
        if isScreen { redraw() } else { call.tell("The daemon has stopped; waiting for it.") }
    }

    /// Waits a moment; false when a signal ended the view.
    func rest(milliseconds: Int32) -> Bool {
        platform_wait(-1, false, signals, milliseconds) == 2 ? handleSignals() : true
    }

    /// Reads the signals that came; false when one ended the view.
    func handleSignals() -> Bool {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = platform_read(signals, &numbers, numbers.count)
        guard count > 0 else { return true }
        for number in numbers.prefix(count) where Int32(number) != LiveSignal.resize.number {
            end()
            // Who asked for the end with Ctrl-C knows that it worked; the shell must know it too.
            call.console.endBySignal(Int32(number))
            return false
        }
        redraw()
        return true
    }

    /// Gives the screen back and leaves the last sheet on it.
    func end() {
        guard isScreen, !isEnded else { return }
        isEnded = true
        put(Screen.leave)
        if let last { call.printLines(page(last).lines) }
    }

    private func page(_ show: ShowReply) -> SheetPage {
        call.page(of: show)
    }

    private func put(_ text: String) { call.console.write(Array(text.utf8)) }
}
