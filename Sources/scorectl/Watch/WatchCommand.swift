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
                "On a terminal it redraws in place. Into a file or a pipe it prints the sheet again"
                    + " after every change. It waits for a daemon that restarts.",
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
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        var session = try call.namedSession()
        var client = try call.connect()
        _ = try client.call(WatchRequest(session: session))
        let view = WatchView(call)
        defer { view.end() }
        while true {
            do throws(ControlError) {
                try follow(client, view)
                return
            } catch {
                guard error.kind == .noDaemon else { throw error }
            }
            view.lost()
            // Another session may be the current one by the time that a daemon is back.
            session = view.session ?? session
            guard let next = try reconnect(call, session, view) else { return }
            client = next
        }
    }

    /// Shows every event until a signal ends it.
    private static func follow(
        _ client: ControlClient,
        _ view: WatchView
    ) throws(ControlError) {
        while true {
            while let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                try view.show(event)
            }
            // "3 min ago" grows older by itself.
            switch try client.wait(orFor: view.signals, milliseconds: 30_000) {
            case .message: break
            case .timedOut: view.redraw()
            case .other: guard view.handleSignals() else { return }
            }
        }
    }

    /// Waits for a daemon, without starting one: whoever stopped it meant it.
    private static func reconnect(
        _ call: Invocation,
        _ session: String?,
        _ view: WatchView
    ) throws(ControlError) -> ControlClient? {
        let paths = try call.paths()
        while true {
            do throws(ControlError) {
                let client = try Invocation.client(paths)
                _ = try client.call(WatchRequest(session: session))
                return client
            } catch {
                guard error.kind == .noDaemon else { throw error }
            }
            guard view.rest(milliseconds: 100) else { return nil }
        }
    }
}
