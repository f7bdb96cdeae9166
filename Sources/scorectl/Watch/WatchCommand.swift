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
        _ = try client.call(WatchRequest(session: session))
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
        do throws(ControlError) { _ = try client.call(WatchRequest(session: session)) } catch {
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
                let request = WatchRequest(session: session)
                _ = try client.call(request, timeoutMilliseconds: 5_000)
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
