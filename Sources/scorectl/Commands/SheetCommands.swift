import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl show` and `scorectl wait`.
enum SheetCommands {
    static var show: Command {
        Command(
            name: "show",
            summary: "the score sheet, who is online and what is not in sync",
            words: "[SESSION]",
            count: 0...1,
            details: [
                "★ marks who leads, * a score that was written differently on several laptops,"
                    + " and ! one that does not count."
            ],
            takesSession: true,
            action: .run(show)
        )
    }

    private static func show(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(ShowRequest(session: try call.namedSession()))
        let page = call.page(of: reply)
        try call.print(reply.document, page.lines)
    }

    static var wait: Command {
        Command(
            name: "wait",
            summary: "wait until something is so, for scripts",
            words: "--for synced|peers=N|turn|ready",
            details: [
                "synced: another laptop is linked and all linked ones have the same. peers=N:"
                    + " that many are linked. turn: it is your turn, or that of --player; it exits"
                    + " 5 when the game is over. ready: the daemon answers. It exits 7 when the"
                    + " time is over."
            ],
            options: [
                CommandOption(
                    name: "for",
                    value: "CONDITION",
                    summary: "what to wait for",
                    choices: ["synced", "peers=", "turn", "ready"]
                ),
                CommandOption(
                    name: "player",
                    value: "NAME",
                    summary: "whose turn (yours)",
                    kind: .player
                ),
                CommandOption(
                    name: "timeout",
                    value: "SECONDS",
                    summary: "how long at most (for ever)"
                ),
            ],
            examples: [("wait --for synced --timeout 10", "before the laptop is closed")],
            takesSession: true,
            action: .run(wait)
        )
    }

    private static func wait(_ call: Invocation) throws(ControlError) {
        guard let text = call.value("for"), let condition = condition(text, call) else {
            throw ControlError(
                .usage,
                "'wait' needs --for synced, --for peers=N, --for turn or --for ready"
            )
        }
        guard text == "turn" || !call.has("player") else {
            throw ControlError(.usage, "--player goes with --for turn")
        }
        let limit = try call.value("timeout").map { (text) throws(ControlError) in
            guard let seconds = Double(text), seconds >= 0, seconds <= 1_000_000 else {
                throw ControlError(.usage, "--timeout is a number of seconds, not '\(text)'")
            }
            return Int(seconds * 1000)
        }
        let start = platform_steady_milliseconds()
        let client = try condition == .ready ? readyDaemon(call, limit) : call.connect()
        let left = limit.map { max(0, $0 - Int(platform_steady_milliseconds() - start)) }
        let request = WaitRequest(
            session: call.session,
            condition: condition,
            timeoutMilliseconds: left
        )
        // The daemon keeps the time; the margin is for one that hangs.
        let reply = try client.call(request, timeoutMilliseconds: left.map { $0 + 2000 })
        try call.print(reply, [])
    }

    /// A connection to the daemon, which may come only while this waits if it must not be started.
    private static func readyDaemon(
        _ call: Invocation,
        _ limit: Int?
    ) throws(ControlError) -> ControlClient {
        let end = limit.map { platform_steady_milliseconds() + Int64($0) }
        while true {
            do { return try call.connect() } catch {
                guard error.kind == .noDaemon, !call.maySpawn else { throw error }
            }
            if let end, platform_steady_milliseconds() >= end {
                throw ControlError(.timedOut, "no daemon has come to answer")
            }
            _ = platform_wait(-1, false, -1, 20)
        }
    }

    private static func condition(_ text: String, _ call: Invocation) -> WaitCondition? {
        switch text {
        case "turn": return .turn(player: call.value("player"))
        case "synced": return .synced
        case "ready": return .ready
        default:
            guard text.hasPrefix("peers="), let count = Int(text.dropFirst(6)), count > 0 else {
                return nil
            }
            return .peers(count)
        }
    }
}
