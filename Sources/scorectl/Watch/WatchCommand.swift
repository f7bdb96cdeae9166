import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl watch`: the score sheet and its changes.
enum WatchCommand {
    static let command = Command(
        name: "watch",
        summary: "the score sheet live, until Ctrl-C",
        words: "[SESSION]",
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
        options: [CommandOption("read-only", "only show, read no keys")],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        var session = try call.namedSession()
        var client = try call.connect()
        _ = try client.call(.watch, .init(session: session))
        let view = output(call)
        defer { view.end() }
        while true {
            do throws(ControlError) {
                try follow(client, view)
                return
            } catch {
                guard isTemporary(error) else { throw error }
                // After a lost event, the daemon is still there.
                if error != LiveSheet.missedChange { view.didLoseDaemon() }
            }
            // The current session may have changed by the time that a daemon is back.
            session = view.session ?? session
            guard let next = try reconnect(call, session, view) else { return }
            client = next
        }
    }

    private static func output(_ call: Invocation) -> any WatchOutput {
        let console = call.console
        let isInteractive =
            console.isInputTerminal && console.isOutputTerminal && !call.isJSON
            && !call.has("read-only")
        return isInteractive ? LiveTerminal(call) : WatchPrinter(call)
    }

    /// Shows events until a signal or a key ends the view.
    private static func follow(
        _ client: ControlClient,
        _ view: some WatchOutput
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
        _ view: some WatchOutput
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

/// The output of `watch` without a keyboard: a screen that is redrawn, a file that grows, or lines
/// of JSON.
final class WatchPrinter: WatchOutput {
    private let call: Invocation
    /// The screen; nil if standard output is no terminal.
    private let terminal: FullScreenTerminal?
    private var sheet = LiveSheet()
    private var evening = SessionFollower()
    private var sequence = 0
    private var isLost = false

    init(_ call: Invocation) {
        self.call = call
        let isScreen = call.console.isOutputTerminal && !call.isJSON
        terminal = isScreen ? FullScreenTerminal(call.console) : nil
    }

    var descriptors: [Int32] { terminal.map { [$0.signals] } ?? [] }

    var session: String? { sheet.show?.document.session.id }

    var redrawMilliseconds: Int { RefreshLimiter.maxAgeMilliseconds }

    func nextSession() -> String? { sheet.show.flatMap { evening.next(after: $0) } }

    func show(_ event: WatchEvent) throws(ControlError) {
        isLost = false
        let before = sheet.show?.document
        try sheet.apply(event)
        if terminal != nil { return redraw() }
        if call.isJSON {
            // A snapshot may only concern the context of the sheet, or come from a new daemon.
            return try sheet.show?.document == before ? () : printLine(event.content)
        }
        sequence += 1
        if sequence > 1 { call.printLines([Line()]) }
        printSheet()
    }

    /// Prints a line of JSON, numbered here so that a restart of the daemon leaves no gap.
    private func printLine(_ news: WatchEvent.Content) throws(ControlError) {
        sequence += 1
        try call.printJSON(WatchLine(seq: sequence, news: news))
    }

    func redraw() {
        guard let terminal, let show = sheet.show else { return }
        let size = call.console.size()
        let status =
            isLost
            ? Line("The daemon has stopped; waiting for it. Press Ctrl-C to stop.", .warning)
            : Line(
                "Live as of \(call.console.timeOfDay(call.console.now())). Press Ctrl-C to stop.",
                .faint
            )
        let room = size.rows - 1 - Self.height(of: status, in: size.columns)
        let page = call.page(of: show).lines(within: room)
        let lines = Self.cut(page, to: room, in: size.columns) + [Line(), status]
        terminal.draw(lines.map(call.rendered))
    }

    /// The lines that fit into a number of rows, and a note about the others.
    static func cut(_ lines: [Line], to rows: Int, in columns: Int) -> [Line] {
        guard lines.reduce(0, { $0 + height(of: $1, in: columns) }) > rows else { return lines }
        var left = rows - 1
        let shown = lines.prefix { line in
            left -= height(of: line, in: columns)
            return left >= 0
        }
        return shown + [Line("… \(lines.count - shown.count) more lines", .faint)]
    }

    /// The rows of a line: a terminal wraps lines that are too wide, such as long commands.
    private static func height(of line: Line, in columns: Int) -> Int {
        max(1, (line.width + columns - 1) / max(1, columns))
    }

    func didLoseDaemon() {
        guard !isLost else { return }
        isLost = true
        guard terminal == nil else { return redraw() }
        call.inform("The daemon has stopped; waiting for it.")
    }

    func handleInput() -> Bool {
        switch terminal?.signalEvent() {
        case .end(let signal):
            end()
            // The shell must see that the signal ended the process.
            call.console.endBySignal(signal)
            return false
        case .redraw: redraw()
        case nil: break
        }
        return true
    }

    func end() {
        if terminal?.leave() == true { printSheet() }
    }

    private func printSheet() {
        if let show = sheet.show { call.printLines(call.page(of: show).lines) }
    }
}

/// A line of `watch --json`: the document of `show` or its differences, with a number and a type.
struct WatchLine: Encodable {
    let seq: Int
    let news: WatchEvent.Content

    private enum CodingKeys: String, CodingKey {
        case schema
        case seq
        case type
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        switch news {
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

/// The output of `watch`.
protocol WatchOutput: AnyObject {
    /// The descriptors of signals and keys.
    var descriptors: [Int32] { get }
    /// The id of the shown session; nil before the first event.
    var session: String? { get }
    /// The time until the output must be redrawn.
    var redrawMilliseconds: Int { get }

    func show(_ event: WatchEvent) throws(ControlError)
    /// The session to watch instead of the shown one, once; nil to stay.
    func nextSession() -> String?
    func redraw()
    func didLoseDaemon()
    /// Handles signals and keys; returns false if they ended the view.
    func handleInput() -> Bool
    /// Ends the view, and leaves the last sheet on the terminal.
    func end()
}
