import SyncProtocol

/// What `watch` prints into where nobody types: a screen that is redrawn, a file that grows, or
/// lines of JSON.
final class WatchView: WatchOutput {
    private let call: Invocation
    /// The screen; nil where standard output is none.
    private let terminal: TerminalTakeover?
    private var sheet = LiveSheet()
    private var evening = Evening()
    private var sequence = 0
    private var isLost = false

    /// Takes over the screen, where standard output is one.
    init(_ call: Invocation) {
        self.call = call
        let isScreen = call.console.isOutputTerminal && !call.isJSON
        terminal = isScreen ? TerminalTakeover(call.console) : nil
    }

    var sources: [Int32] { terminal.map { [$0.signals] } ?? [] }

    var session: String? { sheet.show?.document.session.id }

    var patience: Int { PagePace.longest }

    func nextSession() -> String? { sheet.show.flatMap { evening.next(after: $0) } }

    func show(_ event: WatchEvent) throws(ControlError) {
        isLost = false
        let before = sheet.show?.document
        try sheet.apply(event)
        if terminal != nil { return redraw() }
        if call.isJSON {
            // A snapshot may come for what is only around the sheet, or by another daemon.
            return try sheet.show?.document == before ? () : printLine(event.news)
        }
        sequence += 1
        if sequence > 1 { call.printLines([Line()]) }
        printSheet()
    }

    /// Prints what is for scripts: nothing where only the surroundings of the sheet differ.
    ///
    /// The numbers are counted here, so that none is left out when the daemon restarted.
    private func printLine(_ news: WatchEvent.News) throws(ControlError) {
        sequence += 1
        try call.printJSON(WatchLine(seq: sequence, news: news))
    }

    func redraw() {
        guard let terminal, let show = sheet.show else { return }
        let size = call.console.size()
        let status =
            isLost
            ? Line("The daemon has stopped; waiting for it to come back. Ctrl-C ends.", .warning)
            : Line("Live since \(call.console.timeOfDay(call.console.now())). Ctrl-C ends.", .faint)
        let room = size.rows - 1 - WatchView.height(of: status, in: size.columns)
        let page = call.page(of: show).lines(within: room)
        let lines = WatchView.cut(page, to: room, in: size.columns) + [Line(), status]
        terminal.draw(lines.map(call.rendered))
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

    func lost() {
        guard !isLost else { return }
        isLost = true
        guard terminal == nil else { return redraw() }
        call.tell("The daemon has stopped; waiting for it.")
    }

    func attend() -> Bool {
        switch terminal?.news() {
        case .end(let signal):
            end()
            // Who asked for the end with Ctrl-C knows that it worked; the shell must know it too.
            call.console.endBySignal(signal)
            return false
        case .redraw: redraw()
        case nil: break
        }
        return true
    }

    func end() {
        if terminal?.giveBack() == true { printSheet() }
    }

    private func printSheet() {
        if let show = sheet.show { call.printLines(call.page(of: show).lines) }
    }
}
