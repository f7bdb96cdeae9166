import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl watch`: the score sheet, and what changes in it.
enum WatchCommand {
    static var command: Command {
        Command(
            name: "watch",
            summary: "the score sheet live, until Ctrl-C",
            words: "[SESSION]",
            count: 0...1,
            details: [
                "On a terminal it redraws in place, and takes keys: type scores or moves as after"
                    + " 'score' and 'play', or any other command; Tab goes on with players, rows"
                    + " and commands. On an empty line Tab changes between table, chart, history"
                    + " and peers, u undoes, c shows conflicts and a digit settles one, g is the"
                    + " chart, ? lists all keys, and q ends it. With --read-only it takes none.",
                "Into a file or a pipe it prints the sheet again after every change. It waits for a"
                    + " daemon that restarts, and goes on to the next game when 'session new"
                    + " --again' has begun one.",
                "With --json it prints one line for each change. The first one, and each with type"
                    + " snapshot, is what 'show --json' prints, with seq and type. A line with type"
                    + " change has only what differs: teams, finished, turn, winners, flags and"
                    + " panels as they are now, and of players, each with id and name, total, rank,"
                    + " tieBreak, winner and computed as they are now, new and changed cells, and"
                    + " the row and round of those that were cleared. seq is 1, 2, 3, …",
                "This prints all totals, and each again whenever it changes:",
                #"scorectl watch --json | jq -r '.players[]? | select(.total) |"#
                    + #" "\(.name)=\(.total)"'"#,
            ],
            options: [CommandOption(name: "read-only", summary: "only show, take no keys")],
            takesSession: true,
            action: .run(run)
        )
    }

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
                guard isPassing(error) else { throw error }
                // Where only something was left out, the daemon is there.
                if error != LiveSheet.leftOut { view.lost() }
            }
            // Another session may be the current one by the time that a daemon is back.
            session = view.session ?? session
            guard let next = try reconnect(call, session, view) else { return }
            client = next
        }
    }

    /// A screen on which somebody types, where there is a keyboard; else one to look at, or lines.
    private static func output(_ call: Invocation) -> any WatchOutput {
        let console = call.console
        let isTyped =
            console.isInputTerminal && console.isOutputTerminal && !call.isJSON
            && !call.has("read-only")
        return isTyped ? LiveTerminal(call) : WatchView(call)
    }

    /// Shows every event until a signal ends it.
    private static func follow(
        _ client: ControlClient,
        _ view: some WatchOutput
    ) throws(ControlError) {
        while true {
            while let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                try view.show(event)
                if let next = view.nextSession() { try goOn(to: next, client) }
            }
            switch try client.wait(orFor: view.sources, milliseconds: view.patience) {
            case .message: break
            case .timedOut: view.redraw()
            case .other:
                guard view.attend() else { return }
                if let next = view.nextSession() { try goOn(to: next, client) }
            }
        }
    }

    /// Goes on to the next game; where that cannot be shown, stays.
    private static func goOn(
        to session: String,
        _ client: ControlClient
    ) throws(ControlError) {
        do throws(ControlError) { _ = try client.call(.watch, .init(session: session)) } catch {
            guard !isPassing(error) else { throw error }
        }
    }

    /// Whether a daemon may do later what it did not do now, be it another one.
    private static func isPassing(_ error: ControlError) -> Bool {
        error.isAbsence || error.kind == .timedOut || error == LiveSheet.leftOut
    }

    /// Waits for a daemon, without starting one: whoever stopped it meant it.
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
                guard isPassing(error) else { throw error }
            }
            let sources = view.sources
            let isAsked = platform_wait_any(sources, Int32(sources.count), 100) > 0
            guard !isAsked || view.attend() else { return nil }
        }
    }
}

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

/// One line of `watch --json`: the document of `show`, or what differs in it, with its number and
/// type.
struct WatchLine: Encodable {
    let seq: Int
    let news: WatchEvent.News

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

/// Where `watch` shows what it is told.
protocol WatchOutput: AnyObject {
    /// What can be read when somebody wants something: signals and keys.
    var sources: [Int32] { get }
    /// The id of the session that is shown; nil before anything was.
    var session: String? { get }

    /// For how many milliseconds what is shown can stay as it is.
    var patience: Int { get }

    /// Takes an event in and shows what it comes to.
    func show(_ event: WatchEvent) throws(ControlError)
    /// The session to watch in place of the one that is shown, once; nil to stay.
    func nextSession() -> String?
    /// Shows the same again, because time has passed.
    func redraw()
    /// Tells that the daemon has gone.
    func lost()
    /// Does what is asked for where something can be read; false when that ended the view.
    func attend() -> Bool
    /// Ends, and leaves the last sheet behind.
    func end()
}
